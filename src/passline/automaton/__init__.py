"""Automata: a strategy played against every outcome from every state it can reach, as arrays."""
