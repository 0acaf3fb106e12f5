"""The rules engine for a phone without a network: its own source, rewritten for MicroPython."""
