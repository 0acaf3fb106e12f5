"""Rounds at tables: everybody plays every round, at tables of three to ten, and meets as many others as can
be.

Rounds are planned in advance (`planning.py`) or drawn by the standings (`by_standing.py`); points are those
of places on a scale (`scale.py`), or of the cards.
"""
