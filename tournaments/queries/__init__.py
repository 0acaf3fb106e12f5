"""Queries of pages and programs; the history in words."""
