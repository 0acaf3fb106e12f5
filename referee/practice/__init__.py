"""The practice table: everything a referee does, with made-up players, and kept on the phone alone."""
