"""Tests of pawnstar/drop7/commands."""
