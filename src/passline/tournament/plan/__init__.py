"""The plan of a tournament: its file, what is wrong with it, and the rule sheet made from it."""
