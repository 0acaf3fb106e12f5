"""People: events, teams, persons, entries, referees, and who may do what."""
