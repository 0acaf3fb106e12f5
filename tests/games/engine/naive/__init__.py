"""The rules a second time: slow and plain, written from the papers and not from the engine.

Nothing here imports the engine. A state is an immutable `Table`, an event the JSON object that a line holds,
and a step makes the next table or raises `Refused` with the refusal's code. The engine and this code are
compared on whatever can be written down as a log; where they differ, the rules decide which is wrong.
"""
