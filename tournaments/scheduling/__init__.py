"""Timetables: match, table, start and referee; plain data in and plain data out.

`solving.solve` works a timetable out, or says why there is none and what would make it fit. `check.conflicts`
says all that is wrong with any timetable, `check.clashes` what nobody can play by. `moving.moved` and
`shifting.delayed` change one. What they are made of stands in `model`.
"""
