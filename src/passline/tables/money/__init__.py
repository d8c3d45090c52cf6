"""The money of a table: its bank, the office's papers in its books, tables without keyed wagers, and points."""
