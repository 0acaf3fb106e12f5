"""Pictures of every page, for looking at: `script/screenshots`."""
