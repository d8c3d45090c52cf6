"""The HTTP API, one module for each thing it is about."""
