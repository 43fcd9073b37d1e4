"""Tests of pawnstar/drop7/rules."""
