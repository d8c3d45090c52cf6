"""The log: what happened, in order, so that nobody can rewrite it."""
