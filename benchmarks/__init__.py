"""The benchmarks, run by ./x bench NAME."""
