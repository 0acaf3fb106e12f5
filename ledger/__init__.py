"""Append-only streams of facts, their outbox and their verification; nothing about what facts mean."""
