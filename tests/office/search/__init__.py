"""A bounded search over what people can do in an office, for ways round its clauses."""
