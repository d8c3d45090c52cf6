"""Live tables as they run: the streams of tables and of the house, and the floor that holds them."""
