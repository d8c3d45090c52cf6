"""Entries of closed days in compressed files beside the log, which reads them as if they were its own rows."""
