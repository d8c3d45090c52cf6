"""Play in the terminal: one controller, and two faces for it, a drawn table and plain lines."""
