"""Cases of tournaments that are held: a short script under some rules, decided and folded without a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from msgspec import json, to_builtins
from msgspec.structs import replace

from passline.documents.sheet import SheetTable
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.decide import decide_tournament
from passline.tournament.evolve import fold_tournament
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import TournamentBooks, books_of
from passline.tournament.rules import TournamentRules
from passline.tournament.runtime import points_mode
from passline.tournament.state import TournamentState
from tests.tables.sitting import Sitting
from tests.tournament.cases import CaseFailed
from tests.tournament.director import CASHIER, DIRECTOR, signer_of
from tests.tournament.regulations import known_tournament

AT = "2026-12-01T18:00:00.000000Z"
_KEYS = DiceKeys(b"s" * 32, "cases")


def local(at: str) -> datetime:
    """The time of day, in a house on the meridian."""
    return datetime.fromisoformat(at).astimezone(UTC)


class Played:
    """A tournament that a script plays."""

    def __init__(self, rules: TournamentRules, plan: Plan) -> None:
        self.rules, self.at = rules, AT
        data = json.decode(json.encode(to_builtins(plan)))
        first = (e.TournamentPlanned(data, "", ""), e.LotCommitted(1, _KEYS.digest("lot", 1)))
        self.state: TournamentState = fold_tournament(None, first)
        self.happened: list[tuple[str, str, tuple[Any, ...]]] = [(AT, DIRECTOR.account, first)]

    def _decide(self, command: c.TournamentCommand, by: Actor, signed_by: str | None) -> Decision | Refused:
        signed = signer_of(command) if signed_by is None else signed_by
        return decide_tournament(self.rules, self.state, command, by=by, at=self.at, signed_by=signed)

    def ask(
        self, command: c.TournamentCommand, by: Actor = DIRECTOR, *, signed_by: str | None = None
    ) -> tuple[Any, ...]:
        """Do something that is lawful, signed by the witness if it is to be signed; return its events."""
        decision = self._decide(command, by, signed_by)
        if isinstance(decision, Refused):
            raise CaseFailed(f"{command} is refused: {decision}")
        self.state = decision.after
        self.happened.append((self.at, by.account, decision.events))
        return decision.events

    def refused(
        self,
        clause: str,
        command: c.TournamentCommand,
        by: Actor = DIRECTOR,
        says: str = "",
        *,
        signed_by: str | None = None,
    ) -> None:
        """Try something that is refused with exactly these clauses, among others, and with these words."""
        decision = self._decide(command, by, signed_by)
        if not isinstance(decision, Refused):
            raise CaseFailed(f"{command} is not refused")
        if not any(one.clause == clause and says in one.why for one in decision.refusals):
            raise CaseFailed(f"{command} is refused by {decision.refusals}, not by {clause}: {says}")

    def enter(self, event: str, name: str, **paid: Any) -> int:  # noqa: ANN401 - as the command has them
        """Take an entry and sign the player in; return its number."""
        self.ask(c.EnterPlayer(event=event, name=name, **paid), CASHIER)
        number = len(self.state.entries)
        self.ask(c.SignInPlayer(entry=number), CASHIER)
        return number

    def start(self, event: str, *tables: str) -> tuple[int, ...]:
        """Draw the seats of the next round and begin it; return for whom it was prepared."""
        (prepared,) = self.ask(c.PrepareRound(event=event, tables=tables))
        self.draw()
        self.ask(c.StartRound())
        entries: tuple[int, ...] = prepared.entries
        return entries

    def draw(self) -> tuple[Any, ...]:
        """Draw the seats of the round that was prepared."""
        return self.ask(self.lot(), THE_HOUSE)

    def lot(self) -> c.DrawSeats:
        """The draw that the server gives when a round is prepared."""
        held, lot = self.state.round, self.state.lot
        assert held is not None
        key, after = _KEYS.key("lot", lot).hex(), _KEYS.digest("lot", lot + 1)
        return c.DrawSeats(prepared=held.version, hash="ab" * 32, key=key, next_digest=after)

    def report(self, **points: int) -> None:
        """Report the points of the entries (`e1=500`) at every table; the others have what they began with."""
        held = self.state.round
        assert held is not None
        for table in held.tables:
            seated = [one.entry for one in held.seats if one.table == table]
            has = {str(one): points.get(f"e{one}", held.stacks[str(one)]) for one in seated}
            house = sum(held.stacks[one] for one in has) - sum(has.values())
            self.ask(c.ReportPoints(number=held.number, table=table, points=has, house=house, rolls=9), THE_HOUSE)

    def deal(self, event: str, *tables: str, **points: int) -> None:
        """Play the next round of an event to its end."""
        self.start(event, *(tables or ("t-1",)))
        self.report(**points)
        self.ask(c.EndRound())

    def close(self) -> None:
        """Hand out every prize, count the fees and close the books."""
        for entry in list(self.state.awards):
            self.ask(c.PayPrize(entry=int(entry)), CASHIER)
        self.ask(c.CountFees(counted=self.state.fees_expected()), CASHIER)
        self.ask(c.CloseTournament())

    def won(self) -> dict[str, int]:
        """What is awarded of the pool and not handed out yet, by entry."""
        return {entry: one.pool_cents for entry, one in self.state.awards.items()}

    def expect(self, found: object, wanted: object) -> None:
        """Fail unless something came out as it must."""
        if found != wanted:
            raise CaseFailed(f"{found} instead of {wanted}")

    @property
    def books(self) -> TournamentBooks:
        """What its papers are made from."""
        return books_of(self.happened)

    def events(self) -> list[Any]:
        """All that happened."""
        return [event for _, _, events in self.happened for event in events]

    def prints(self, table: object, *words: str) -> SheetTable:
        """Fail unless a paper has these words, in its title, its cells or what it says without any."""
        if not isinstance(table, SheetTable):
            raise CaseFailed(f"the paper is refused: {table}")
        cells = [table.title, table.nothing, *(str(cell) for row in table.rows for cell in row)]
        for one in words:
            if not any(one in cell for cell in cells):
                raise CaseFailed(f"{one!r} does not stand in {cells}")
        return table

    def table(self) -> Sitting:
        """A live table of the round that is played."""
        held = self.state.round
        assert held is not None
        sitting = Sitting(self.rules.name, dice="physical", points=points_mode(self.rules, self.state, held))
        entrants = tuple(
            k.Entrant(seat=seat, account=one, name=one, cents=2500_00) for seat, one in ((1, "a"), (2, "b"))
        )
        sitting.do(k.SeatEntrants(entrants=entrants), THE_HOUSE)
        return sitting

    def barred(self, clause: str, command: TableCommand, by: Actor) -> None:
        """Fail unless a table of the round refuses a command with exactly these clauses."""
        verdict = self.table().ask(command, by)
        found = [one.clause for one in verdict.refusals] if isinstance(verdict, Refused) else []
        if clause not in found:
            raise CaseFailed(f"{command} is refused by {found}, not by {clause}")


@dataclass
class EngineCase:
    """A script, the plan it is played under, and the clauses that it names."""

    regulation: str
    name: str
    clauses: set[str]
    plan: Callable[[], Plan]
    script: Callable[[Played], None]

    def run(self, rules: TournamentRules | None = None) -> None:
        """Play it under these rules, or the installed ones; raise CaseFailed if anything else comes of it."""
        rules = rules or known_tournament(self.regulation)
        self.script(Played(rules, replace(self.plan(), rules=rules.name)))
