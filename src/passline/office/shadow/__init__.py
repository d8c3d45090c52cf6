"""Shadow mode: a month of another system, judged as this office would have judged it."""
