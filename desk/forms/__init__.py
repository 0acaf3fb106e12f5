"""What an organizer fills in, and how a refusal of the floors below finds its field."""
