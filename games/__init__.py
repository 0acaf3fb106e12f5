"""One table: a game, its seats, its log, its snapshot."""
