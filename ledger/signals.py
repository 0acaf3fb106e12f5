"""Signals for measuring the ledger, sent after the commit."""

from django.dispatch import Signal

facts_added = Signal()
"""Facts were stored: `kind` of their stream and how many (`count`)."""

worked_off = Signal()
"""Due rows were settled: their `topic`, and for how many `seconds` each had waited."""
