"""Journals for a general ledger."""
