"""Sessions on this machine's cores, compiled by numba."""
