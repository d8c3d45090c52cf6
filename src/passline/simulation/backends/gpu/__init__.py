"""Sessions on a GPU, through CuPy and `kernel.cu`."""
