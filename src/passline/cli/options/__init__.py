"""Options that several commands share, and the values they stand for."""
