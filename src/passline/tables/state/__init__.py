"""Parts of a live table's state that are folded apart: the rolls it keeps, and what the crew supervises."""
