"""The commands of tournaments."""
