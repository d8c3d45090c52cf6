"""How large a house one machine carries: deployments that are played, and the model that `docs/scale.md` shows."""
