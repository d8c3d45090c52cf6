"""What a chain per stream would give: a prototype beside today's one chain, for `./x bench chains`."""
