"""The runtime that every stream of the log shares: decide commands in turn, commit, answer, notify."""
