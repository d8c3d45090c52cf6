"""The demo's casino: a small house in Arizona, with people, an office and three gaming days behind it."""
