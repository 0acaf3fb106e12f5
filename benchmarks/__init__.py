"""Measured work: what the service costs, each script one subject. See docs/development/benchmarks.md.

Run from the repository's root with the test requirements installed: `python -m benchmarks.replay`.
"""
