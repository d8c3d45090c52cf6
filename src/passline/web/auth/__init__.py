"""Who sends a request, and the checks that every request must pass."""
