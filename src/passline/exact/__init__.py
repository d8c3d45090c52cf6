"""Exact mathematics: solves automata instead of sampling them."""
