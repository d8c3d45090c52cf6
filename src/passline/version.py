"""The version of the program: the one place that says it, which the package's metadata is read from too."""

__version__ = "0.3.0.dev0"
"""What `passline --version`, the log and every printed document name."""
