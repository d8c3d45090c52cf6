"""The runtime that every stream of the log shares: judge in turn, commit, answer, tell."""
