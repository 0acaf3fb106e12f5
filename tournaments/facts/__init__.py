"""Types of facts, their bodies and versions; how they are recorded."""
