"""`passline house` and `passline rulebook`: check houses, print their papers, compare houses and regulations."""
