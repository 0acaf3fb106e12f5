"""Counts of what a game can become, and positions with what is expected of them.

See `docs/development/perft.md`.
"""
