"""The public pages, one module a subject."""
