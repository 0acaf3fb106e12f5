"""What programs outside are told of an event: the change feed, and webhooks that are made of it."""
