"""The time of a facility: its days and shifts, and when deadlines end."""
