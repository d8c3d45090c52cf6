"""Verifies a whole log: its chain, what was decided at every stream, and archived segments side by side."""
