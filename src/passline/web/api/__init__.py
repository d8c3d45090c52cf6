"""The HTTP API, one module for each subject."""
