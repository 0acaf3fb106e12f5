"""Webhooks without rows: how a message is signed, where it may go, how it is sent, when it is tried again.

Nothing here imports Django or knows what a message says.
"""
