"""Play in the terminal: one controller with two interfaces, a full screen and plain lines."""
