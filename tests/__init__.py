"""Tests, in folders that mirror the floors. A package, so that no other `tests` takes its name."""
