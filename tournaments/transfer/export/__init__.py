"""Everything of an event as tables and logs, for spreadsheets and programs.

What stands in them depends on who reads: whoever may see names gets them, everybody else gets team and
number.
"""
