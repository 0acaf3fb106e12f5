"""A kit for properties of the engine: any rule set, any legal game under it, any event at all."""
