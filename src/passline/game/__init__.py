"""The game: `decide` turns a command into events or refusals, `evolve` applies an event to a table; both are pure.

`position` is a table's state, `commands` are what people ask, `events` what happened. `judges` has the rules of each
command, `settlement` and `wagers` what a roll does to each wager. `notation` writes a table on one line.
"""
