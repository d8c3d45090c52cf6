"""What the crew of a table watches over: the set of dice in play, and irregularities."""
