"""Lists of people as organizers have them, read and checked without a database.

Bytes and the event's rules in, rows and problems out.
"""
