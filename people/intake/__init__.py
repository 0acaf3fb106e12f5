"""Lists of people as organizers have them, read and checked without a database.

Bytes and the event's rules in, rows and problems out. All modules here are pure but `sentences`, which puts
the problems' codes into the reader's language.
"""
