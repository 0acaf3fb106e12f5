"""Commands, one module each: check, record a fact, project; all in one transaction."""
