"""The append-only, hash-chained log of everything that happens, and its stores."""
