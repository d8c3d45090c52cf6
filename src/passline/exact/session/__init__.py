"""The law of a session: what a player ends with, how, and when."""

from passline.kernel_cache import choose_kernel_cache

choose_kernel_cache()
