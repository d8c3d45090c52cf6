"""Builds the documentation: pages from docs/, and pages and pictures made from the code."""
