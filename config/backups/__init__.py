"""Backups: the whole database in one file, made while the service runs, and put back all or nothing.

A backup is a zip of what its own kind of database reads fastest, and a manifest that says what it holds. The
manifest has the version and the migrations, how many rows each table has, and the heads of all streams as one
hash. It also has the newest receipts, and the SHA-256 of each file. A backup holds everybody's names and
every secret that the database has. From one kind of database to the other an event goes by its archive
(`tournaments/transfer/archive`).
"""
