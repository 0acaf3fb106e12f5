"""From facts to rows: draws, matches, standings, palio, outlooks, timetable; rebuild."""
