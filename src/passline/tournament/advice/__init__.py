"""Exact advice for the last rolls of a tournament's table: for training, never during an event."""
