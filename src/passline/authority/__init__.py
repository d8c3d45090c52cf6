"""Who may do what, who signs it, who may not be the same person, and the one sentence that refuses."""
