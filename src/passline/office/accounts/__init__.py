"""What a table should have won, to the cent, beside what it did win."""
