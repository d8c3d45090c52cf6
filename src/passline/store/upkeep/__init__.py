"""What an owner does to a log as a whole: give it a new key, back it up, restore it."""
