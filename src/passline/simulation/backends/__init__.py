"""Where sessions are played: this machine's cores, a GPU, or a Ray cluster."""
