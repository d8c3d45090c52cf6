"""The judges: one function per command, from (rules, table, command) to events or refusals (`decide` lists them).

Each judge words its own refusals; functions named `..._refusals` check one thing and return what is wrong with it.
`making` asks `proposed_wager`, `amounts` and `permission`.
`Rules.vigorish_on` computes vigorish; `making` charges it when a wager is made, `game.settlement` when it wins.
"""

from collections.abc import Sequence

from passline.game.events import Event
from passline.refusal import Refusal

__all__ = ["Verdict"]

Verdict = Sequence[Event] | Sequence[Refusal]
"""What a judge returns: only events, or only refusals."""
