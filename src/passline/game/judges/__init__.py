"""The judges: one function per command, from (rules, table, command) to events or refusals."""
