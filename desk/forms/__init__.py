"""Forms of the desk, and how a refusal finds its field."""
