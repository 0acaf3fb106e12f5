"""Tests of the organizer's pages."""
