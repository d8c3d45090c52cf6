"""Certificates: a strategy's or a wager's exact answers with a proof that a program of its own checks."""
