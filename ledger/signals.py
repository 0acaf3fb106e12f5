"""What the ledger tells whoever measures it, after the commit; with nobody listening it costs nothing."""

from django.dispatch import Signal

facts_added = Signal()
"""Facts were stored: `kind` of their stream and how many (`count`)."""

worked_off = Signal()
"""Due rows were settled: their `topic`, and for how many `seconds` each had waited."""
