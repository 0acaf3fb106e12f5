"""Django's backend for SQLite, which notices that the database's file was moved, replaced or deleted."""
