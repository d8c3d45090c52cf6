"""The API of what concerns one player: what a wager costs, and their own history."""
