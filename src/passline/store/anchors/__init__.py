"""Heads of the log kept outside its database, so that a log that was cut or put back is found."""
