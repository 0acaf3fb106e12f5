"""How a run of the tests is set up: its environment, its databases, which tests run, and their fixtures."""
