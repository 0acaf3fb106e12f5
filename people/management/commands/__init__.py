"""Commands of the people layer."""
