"""Verify that stored rows, facts and receipts agree."""
