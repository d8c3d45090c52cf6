"""What a live table must meet to open, to adopt a rulebook and to change its house."""
