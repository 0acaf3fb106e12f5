"""Settings of tournaments, stages, palio and timetable: schema, defaults, words."""
