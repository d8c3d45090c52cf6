"""The game of craps as the regulators wrote it, executable."""

__version__ = "0.1.0"
