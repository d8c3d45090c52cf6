"""A session at a table whose dice the test names."""

from __future__ import annotations

from collections.abc import Iterable

from passline.cli.play.controller import Reply, Session, open_session, respond
from passline.dice import Roll
from passline.rules.rules import Rules


def rolls_of(*thrown: str) -> list[Roll]:
    """Read dice such as 4-3."""
    return [Roll(int(one[0]), int(one[2])) for one in thrown]


class Player:
    """Types lines and remembers the last reply."""

    def __init__(
        self, rules: Rules, dice: Iterable[str] = (), *, bankroll: int = 500_00, is_typed: bool = False
    ) -> None:
        self.session: Session = open_session(rules, bankroll=bankroll, is_typed=is_typed)
        self.dice = None if is_typed else iter(rolls_of(*dice))
        self.reply = Reply(self.session, ())

    def say(self, *lines: str) -> str:
        """Type lines; give what the last one was answered."""
        for line in lines:
            self.reply = respond(self.session, line, self.dice)
            self.session = self.reply.session
        return self.answer

    @property
    def answer(self) -> str:
        return "\n".join(line.text for line in self.reply.lines)

    @property
    def rack(self) -> int:
        return self.session.table.money.racks[0]

    @property
    def up(self) -> dict[tuple[str, int], int]:
        return {(one.kind, one.number): one.cents for one in self.session.table.position.layout}
