"""The change feed: everything that has happened in an event, in one order that never changes."""
