"""The game: decide judges a command, evolve folds an event; both pure."""
