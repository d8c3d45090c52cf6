"""Cited, layered pages: read once, merged, checked with every fault by file and key, and kept by digest."""
