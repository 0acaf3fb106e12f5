"""The embedded mode: one laptop, SQLite, tasks and backups on threads of the process that serves the
pages.
"""
