"""Checks of a rulebook beyond its shape, by subject. Each yields problems as `key: what is wrong and what to do`."""
