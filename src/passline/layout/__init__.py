"""The layout: where each wager lies, and what is printed there."""
