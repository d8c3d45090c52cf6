"""The layout people see: where each wager lies and what is printed there."""
