"""Rulebook (data, cited) plus house (elections) give Rules."""
