"""What a live table must meet beside the game: to open, to throw, and to pay."""
