"""Absorbing chains and linear systems over the rationals, and the law of a shooter's hand."""
