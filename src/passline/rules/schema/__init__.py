"""The shape of a rulebook: what its TOML files may say, entry by entry."""
