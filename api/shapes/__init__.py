"""Shapes of bodies, queries and answers, a file for each subject.

A `…Body` is sent, a `…Query` stands in an address behind `?`, a `…Shape` is answered.
"""
