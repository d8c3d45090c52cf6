"""Tournaments: planned, filed, entered, played in rounds, and paid out to the last cent."""
