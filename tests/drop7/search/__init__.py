"""Tests of pawnstar/drop7/search."""
