"""The benchmarks; `./x bench NAME` runs one."""
