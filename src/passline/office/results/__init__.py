"""What tables have won, and what of it is still to be counted."""
