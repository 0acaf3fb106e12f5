"""Table elimination: who reaches the target leaves, tables are merged as they empty, until one is left.

From the house rules, variation 1: "a 'tournament' in which players are excluded one (or more) at a time as
they reach 500 points, adding up the points of their cards at the end of each deal (fewer and fewer sit at the
table)".
"""
