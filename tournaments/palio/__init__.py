"""The palio: one overall table over several disciplines of an event, decided and computed like a tournament.

A discipline is a tournament of the event or another game (a sack race) whose places are written down. It
counts once it is decided: a tournament when it is closed, another game when its places are entered. Until
all are, the table is provisional.
"""
