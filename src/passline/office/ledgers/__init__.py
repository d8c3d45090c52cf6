"""The office's papers about the money of live tables, and how they come into the tables' own books."""
