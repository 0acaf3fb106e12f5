"""Timetables: pure, without rows."""
