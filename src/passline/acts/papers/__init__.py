"""Papers: documents made from the log and the rules in force, never typed."""
