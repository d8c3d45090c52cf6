"""Sessions of automata at any scale: walked on CPU, GPU or a cluster, the same session by session."""
