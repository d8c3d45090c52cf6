"""Tables whose dice are followed roll by roll, as the projection and verify follow them."""

from __future__ import annotations

from passline.acts.events import ActCompleted, Change
from passline.bookkeeping.dice_sets import DiceSet
from passline.bookkeeping.dice_watch import DiceWatch, NoDiceBefore, dice_changes
from passline.exact.dice_evidence import DiceEvidence, DiceSequence
from passline.game.events import DiceThrown, RollSettled
from passline.tables.events import PlayerSeated, RollCorrected, TableEvent, TableOpened
from tests.tables.sitting import AT, Sitting


def rolls_until_alarm(one_in: int) -> int:
    """How many rolls of 6-6 it takes dice to alarm, if nothing is done with them."""
    sequence, evidence = DiceSequence(), DiceEvidence()
    while evidence.value < one_in:
        sequence, said = sequence.after(6, 6)
        evidence = evidence.after(said)
    return evidence.rolls


class Cups:
    """Tables of a regulation whose dice have serial numbers, followed as the projection and verify follow them."""

    def __init__(self, one_in: int = 50) -> None:
        self.watch, self.one_in = DiceWatch(), one_in
        self.sets: dict[tuple[str, int], DiceSet] = {}
        self.sequence = 0

    def _keep(self, changed: list[DiceSet]) -> None:
        self.sets |= {(one.table, one.number): one for one in changed}

    def take(self, table: str, *events: TableEvent) -> DiceSet:
        self.sequence += 1
        self._keep(
            self.watch.take(
                "arizona",
                table,
                sequence=self.sequence,
                at=AT,
                events=events,
                one_in=self.one_in,
                before=NoDiceBefore(),
            )
        )
        return self.now(table)

    def open(self, table: str) -> DiceSet:
        house = {"rules": "arizona"}
        return self.take(table, TableOpened(table, table, house, "physical", (), "", is_demo=False, rulebook=""))

    def roll(self, table: str, times: int = 1, faces: tuple[int, int] = (6, 6)) -> DiceSet:
        for _ in range(times):
            self.take(table, RollSettled(*faces, ""))
        return self.now(table)

    def shoot(self, table: str, account: str, times: int = 0, faces: tuple[int, int] = (6, 6)) -> DiceSet:
        """Let an account throw, each at a seat of its own; nobody throws from seat 0."""
        seat = 0
        if account:
            taken = {who: seat for seat, (who, _) in self.now(table).seated.items()}
            seat = taken.get(account) or max(taken.values(), default=0) + 1
            if account not in taken:
                self.take(table, PlayerSeated(seat, account, account.title()))
        self.take(table, DiceThrown(seat))
        for _ in range(times):
            self.take(table, DiceThrown(seat), RollSettled(*faces, ""))
        return self.now(table)

    def correct(self, table: str, *, was: tuple[int, int], right: tuple[int, int]) -> DiceSet:
        redone, game = (RollSettled(*right, ""),), Sitting().table.game
        return self.take(table, RollCorrected(1, *right, *was, "misread", redone, game, (), (), (), ""))

    def place(self, table: str, dice: str) -> None:
        self._move(dice, "in_play", {"table": table})

    def leave(self, dice: str, at: str = AT) -> None:
        self._move(dice, "in_cabinet", {}, at)

    def _move(self, dice: str, state: str, facts: dict[str, str], at: str = AT) -> None:
        done = ActCompleted(7, tuple(Change("die", serial, state, facts) for serial in dice))
        self._keep(self.watch.take_office("arizona", dice_changes([done]), at=at, before=NoDiceBefore()))

    def now(self, table: str) -> DiceSet:
        known = self.watch.of("arizona", table)
        assert known is not None
        assert known == self.sets[table, known.number], "what is kept is what is known"
        return known
