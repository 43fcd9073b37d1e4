"""Tests of the Drop7 engine."""
