"""Where the processor time of a command goes, part by part, in this version and in another one."""
