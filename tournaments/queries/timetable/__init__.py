"""The event's timetable as it is stored and shown: settings, places, hours; what is worked out from them.

The search for a timetable is pure and stands in `tournaments.scheduling`; here is what feeds it from rows,
and what becomes of its answers.
"""
