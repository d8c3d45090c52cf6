"""The CPU backend, compiled by numba: `backend` runs chunks on all cores, `batches` is the kernel of a chunk.

`lanes` plays a block of dice of 64 sessions at once, in a form of `lane_forms` that `quickest_form` chose;
`single_session` plays one session roll by roll, and `tally` adds them up.
"""
