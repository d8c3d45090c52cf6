"""What a regulation says of tournaments, as cited data."""
