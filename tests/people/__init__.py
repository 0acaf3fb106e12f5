"""People: lists as they come, entries, names, privacy, who may do what."""
