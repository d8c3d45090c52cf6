"""The demonstration: tables under every regulation, with computer players."""
