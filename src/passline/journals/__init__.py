"""Journals for a general ledger: double entry in cents, made from the log when a gaming day's books are closed."""
