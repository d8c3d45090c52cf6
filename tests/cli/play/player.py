"""A player at a table whose dice the test chooses."""

from __future__ import annotations

from collections.abc import Iterable

from passline.cli.play.controller import respond
from passline.cli.play.play_state import PlayState, Reply, begin_play
from passline.dice import Roll
from passline.rules.rules import Rules


def rolls_of(*thrown: str) -> list[Roll]:
    """Parse dice such as 4-3."""
    return [Roll(int(one[0]), int(one[2])) for one in thrown]


class Player:
    """A player who types lines and keeps the last reply."""

    def __init__(
        self, rules: Rules, dice: Iterable[str] = (), *, bankroll: int = 500_00, is_typed: bool = False
    ) -> None:
        self.state: PlayState = begin_play(rules, bankroll=bankroll, is_typed=is_typed)
        self.dice = None if is_typed else iter(rolls_of(*dice))
        self.reply = Reply(self.state, ())

    def say(self, *lines: str) -> str:
        """Type lines and return the answer to the last one."""
        for line in lines:
            self.reply = respond(self.state, line, self.dice)
            self.state = self.reply.state
        return self.answer

    @property
    def answer(self) -> str:
        return "\n".join(line.text for line in self.reply.lines)

    @property
    def rack(self) -> int:
        return self.state.table.money.racks[0]

    @property
    def up(self) -> dict[tuple[str, int], int]:
        return {(one.kind, one.number): one.cents for one in self.state.table.position.layout}
