"""Tests of the ledger: what everything above relies on when it says that nothing was lost or altered."""
