"""Tests of pawnstar/drop7/parallel."""
