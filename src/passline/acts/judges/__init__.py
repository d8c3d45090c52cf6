"""The judges of an office: what stands against an act, and what it leads to."""
