"""Swiss: equals meet, nobody twice; the best of all possible rounds by a list of criteria in order."""
