"""Tests, in folders that mirror the layers. A package, so that no other `tests` takes its name."""
