"""Commands of the people floor."""
