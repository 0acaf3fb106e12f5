"""Stages drawn round by round: from decisions and outcomes to who meets whom next, and who is where."""
