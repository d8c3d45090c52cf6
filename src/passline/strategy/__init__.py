"""Strategies: pure functions from what a player sees to what the player wishes, and the files that describe them."""
