"""The rules in words: every wager, procedure and election, each with its clauses."""
