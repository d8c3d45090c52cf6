"""The exit codes of every command, and what each tells a script."""

FAILED = 1  # the command did what it was asked, and the answer is no
REFUSED = 2  # typer's code for a usage error: the caller can fix both
INTERNAL = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT, as in shells
UNREAD = 141  # 128 + SIGPIPE, as in shells
EXIT_CODES = {
    0: "done",
    FAILED: "done, and the answer is no: a log is not intact, a hand differs, a house breaks its regulation",
    REFUSED: "not done: the line says what to correct, such as an option, a file, a missing extra, a full disk",
    INTERNAL: "a fault of Passline's: report it, with the traceback that `PASSLINE_DEBUG=1` shows",
    INTERRUPTED: "interrupted with Ctrl-C",
    UNREAD: "whoever read the output stopped reading, as `head` does; nothing is said",
}
"""What each exit code means; docs/commands.md and the man pages list them."""
