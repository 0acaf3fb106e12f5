"""A whole event as one file that another installation takes in: its facts as they are, and its rows.

What is projected from facts isn't in it: it is built again. Secrets, and what belongs to an installation and
not to the event, stay behind; `rows` says which models are in it.
"""
