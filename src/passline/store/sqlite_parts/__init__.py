"""Parts of a log in a SQLite file."""
