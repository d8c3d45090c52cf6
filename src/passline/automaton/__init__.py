"""Automata: a strategy played against every outcome from every reachable state, as arrays."""
