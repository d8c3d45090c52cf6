"""The CPU backend, compiled by numba: `backend` runs chunks on all cores, `batches` is the kernel of a chunk.

`lanes` plays a block of dice of 64 sessions at once, `single_session` one session roll by roll, `tally` adds them up.
"""

from passline.kernel_cache import choose_kernel_cache

choose_kernel_cache()
