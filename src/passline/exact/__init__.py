"""Exact mathematics: automata solved, without sampling error."""
