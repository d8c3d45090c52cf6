"""Judges of what is asked of a tournament: each returns events, or every clause that stands against it."""
