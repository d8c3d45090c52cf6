"""Rules: a rulebook (what a regulation says, with citations) compiled with a house (an operator's elections)."""
