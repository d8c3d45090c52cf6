"""Who sends a request, and what every request must pass."""
