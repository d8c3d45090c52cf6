"""The GPU backend: `backend` plays ranges of sessions by launching kernels, `entries` packs their input.

The kernels are in `kernel.cu`, where the two functions named `settle` decide goal, limit and ruin.
"""
