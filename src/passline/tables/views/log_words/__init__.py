"""What pages show and find of the log: every entry in words, and what it can be searched by."""
