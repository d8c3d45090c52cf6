"""Strategies: what a player wishes, as pure functions, and the known ones."""
