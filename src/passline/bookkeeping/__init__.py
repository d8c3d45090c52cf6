"""What tables won, what they should have won, and what their dice and players come to."""
