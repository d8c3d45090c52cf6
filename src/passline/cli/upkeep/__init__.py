"""The commands for a log as a whole: rotate-key, backup, restore, rehearse."""
