"""The law of a session: what a player ends with, how, and when."""
