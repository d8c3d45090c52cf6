"""Brings the office's papers about the money of live tables into the tables' own books."""
