"""Tests of what the public sees."""
