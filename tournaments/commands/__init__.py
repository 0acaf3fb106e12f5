"""What an organizer decides, one module a command: check, decide (a fact), project; all in one
transaction.
"""
