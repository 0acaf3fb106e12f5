"""Integrations: what other programs hear of an event, by asking (change feed) or by message (webhooks)."""
