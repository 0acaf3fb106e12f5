"""Webhooks: messages to the addresses that organizers register. Addresses, sending, signing and retries are
pure; registration and delivery know rows.
"""
