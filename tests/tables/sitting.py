"""A live table for tests: named people, chosen dice, and every decision checked and kept as an entry of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from hashlib import sha256
from typing import Any, Self

from msgspec import Raw, json

from passline.authority.roles import STAFF
from passline.dice import Roll
from passline.game import commands as c
from passline.game.position import PointsMode
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import AUTOMATED
from passline.rules.schema import Rulebook
from passline.store.entry import ZERO_HASH, Draft, Entry, Stored, chain_hash, entry_of
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables.approvals import Approval, Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.duties import duty_of, needs_signature
from passline.tables.entries import is_table
from passline.tables.events import TableEvent
from passline.tables.ledger import OUTSIDE, balances_of, movements_of
from passline.tables.live import LiveTable, fold
from passline.tables.terms import TERMS
from tests.loaded_dice import LoadedDice

AT = "2026-11-15T08:00:00.000000Z"
ALL = tuple(sorted(AUTOMATED))
NOTHING_APPROVED = Approvals()
LABORATORY = Approvals((Approval("laboratory_report", "laboratory", "L-7", "2026-01-02"),))


def person(name: str, role: str, *, is_employee: bool = False) -> Actor:
    return Actor(name.lower(), name, role, is_employee=is_employee)


OWNER = person("Olga", "owner")
CREW = {
    role: person(name, role, is_employee=True)
    for role, name in (
        *(("dealer", "Dee"), ("stickperson", "Stan"), ("boxperson", "Bea"), ("floorperson", "Flo")),
        *(("regulator", "Reg"), ("surveillance", "Sue")),
        *((role, role.title()) for role in STAFF),
    )
}
CREW["owner"] = OWNER
DEALER, STICK, BOX, FLOOR = (CREW[role] for role in ("dealer", "stickperson", "boxperson", "floorperson"))
PLAYERS = tuple(person(name, "player") for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay"))
ANN, BOB = PLAYERS[:2]


def check(live: LiveTable) -> None:
    """Check what holds at every moment: the ledger sums to zero and agrees with the game."""
    assert sum(live.balances.values()) == 0
    held = {account: cents for account, cents in live.balances.items() if cents and account not in OUTSIDE}
    assert held == balances_of(live.game)


def signer_of(command: object, by: Actor, live: LiveTable | None = None) -> str:
    """Return the account that signs a command at these tables; nobody, where it needs no signature."""
    is_signed = needs_signature(command, by, is_demo=live is not None and live.is_demo)
    return f"another-{duty_of(command).signed_by[0]}" if is_signed else ""


class Sitting:
    """One table, its people and its log, from the opening of the table on.

    With physical dice `confirm` is left out of `automate`, since no table under today's terms opens with it.
    """

    def __init__(
        self,
        rules: str = "maryland",
        *,
        name: str = "Craps 1",
        house: dict[str, Any] | None = None,
        dice: str = "electronic",
        automate: tuple[str, ...] = ALL,
        buy_in: str = "dealer",
        bank: int = 100_000_00,
        approvals: Approvals = NOTHING_APPROVED,
        practice: int = 0,
        terms: int = TERMS,
        puts_in_dice: bool = True,
        keys: DiceKeys | None = None,
        opener: k.Opener | None = None,
        is_keyed: bool = True,
        points: PointsMode | None = None,
        requires_dice_out: bool = False,
        rulebooks: Callable[[str], Rulebook] = rulebook_of,
    ) -> None:
        self.live: LiveTable | None = None
        self.approvals = approvals
        self.rulebooks = rulebooks
        self.at = AT
        self.faces: list[Roll] = []
        self.drawn = 0
        self.entries: list[Stored] = []
        self.keys = keys or LoadedDice(iter(self._dice, None))
        opening = k.OpenTable(
            name=name,
            house={"rules": rules, **(house or {})},
            dice=dice,
            automate=tuple(step for step in automate if not (terms and dice == "physical" and step == "confirm")),
            buy_in=buy_in,
            bank_cents=0 if opener or points else bank,
            clearance=1 if opener else 0,
            opener=opener,
            is_keyed=is_keyed,
            points=points,
            requires_dice_out=requires_dice_out,
            dice_digest=self.keys.digest(name, 1) if dice == "electronic" else "",
            practice_cents_max=practice,
            terms=terms,
            puts_in_dice=puts_in_dice and dice == "physical",
        )
        self.opened = self.ask(opening, THE_HOUSE if points else OWNER)

    @property
    def table(self) -> LiveTable:
        assert self.live is not None
        return self.live

    def fork(self) -> Self:
        """Return the table as it is now, for play that this one does not see; loaded dice stay with this one."""
        other = copy(self)
        other.faces, other.entries = [*self.faces], [*self.entries]
        return other

    def wait(self, minutes: int) -> None:
        self.at = later(self.at, 60 * minutes)

    def _dice(self) -> Roll:
        self.drawn += 1
        return self.faces.pop(0)

    def ask(self, command: TableCommand, by: Actor) -> Decision | Refused:
        """Return the verdict on a command; check a decision, keep it as an entry and carry it out."""
        before = self.live
        verdict = decide(
            before,
            command,
            by=by,
            at=self.at,
            approvals=self.approvals,
            signed_by=signer_of(command, by, before),
            rulebooks=self.rulebooks,
        )
        if isinstance(verdict, Refused):
            assert verdict.refusals
            assert self.live is before
            return verdict
        self._keep(verdict, by)
        self.live = verdict.after
        return verdict

    def _keep(self, decision: Decision, by: Actor) -> None:
        check(decision.after)
        accounts = {seat: player.account for seat, player in decision.after.players.items()}
        assert all(sum(move.cents for move in movements_of(event, accounts)) == 0 for event in decision.events)
        command, events = json.encode(decision.command), json.encode(decision.events)
        again = fold(
            self.live,
            json.decode(command, type=TableCommand),
            json.decode(events, type=tuple[TableEvent, ...]),
        )
        assert again == decision.after
        assert json.decode(json.encode(again), type=LiveTable) == again
        self.add(
            Draft(
                stream=f"table/{decision.after.id}",
                expected=decision.after.version - 1,
                at=self.at,
                actor=by.account,
                role=by.role,
                signed_by=signer_of(decision.command, by, self.live),
                id=str(len(self.entries)),
                hand=decision.after.hand,
                rules=decision.after.rules,
                command=Raw(command),
                events=Raw(events),
            )
        )

    def add(self, draft: Draft) -> None:
        """Append a draft to the log, of this table or of another stream."""
        body = json.encode(entry_of(draft, len(self.entries) + 1))
        last = self.entries[-1] if self.entries else None
        hashed = chain_hash(last.hash, last.seal, body) if last else chain_hash(ZERO_HASH, b"", body)
        self.entries.append(Stored(json.decode(body, type=Entry), body, hashed, sha256(hashed).digest()))

    def do(self, command: TableCommand, by: Actor) -> tuple[TableEvent, ...]:
        """Carry out a command that must be accepted; return its events."""
        verdict = self.ask(command, by)
        assert isinstance(verdict, Decision), str(verdict)
        return verdict.events

    def refusal(self, command: TableCommand, by: Actor) -> str:
        """Return the text of the refusal of a command that must be refused."""
        verdict = self.ask(command, by)
        assert isinstance(verdict, Refused), verdict.events
        return str(verdict)

    # Shorthands.

    def sit(self, who: Actor, seat: int, cents: int = 1000_00) -> None:
        self.do(c.TakeSeat(seat=seat), who)
        if cents:
            self.do(c.BuyIn(seat=seat, cents=cents), CREW["dealer"])

    def wager(self, who: Actor, kind: str, cents: int, number: int = 0) -> tuple[TableEvent, ...]:
        return self.do(c.MakeWager(seat=self.seat(who), wager=kind, number=number, cents=cents), who)

    def seat(self, who: Actor) -> int:
        return next(seat for seat, player in self.table.players.items() if player.account == who.account)

    def shoot(self, who: Actor) -> None:
        self.do(c.AcceptDice(seat=self.seat(who)), who)

    def roll(self, first: int, second: int) -> tuple[TableEvent, ...]:
        """Roll electronic dice as the shooter, or key in physical ones."""
        position = self.table.game.position
        if self.table.dice == "physical":
            return self.do(k.KeyDice(first=first, second=second), self.stick)
        self.faces.append(Roll(first, second))
        account = self.table.players[position.shooter].account
        who = next(one for one in PLAYERS if one.account == account)
        return (*self.do(k.Roll(seat=position.shooter), who), *self.land())

    def land(self, nonce: bytes = b"") -> tuple[TableEvent, ...]:
        """Land the electronic dice that were thrown, as the server does."""
        closing = self.table.closing
        assert closing is not None
        if closing.nonce is None:
            self.do(k.TakeNonce(closing=closing.version, nonce=nonce.hex()), THE_HOUSE)
        return self.do(self.completion(nonce), THE_HOUSE)

    def completion(self, nonce: bytes = b"") -> k.CompleteRoll:
        """Return the command that lands the dice that were thrown."""
        closing = self.table.closing
        assert closing is not None
        (closed,) = [one for one in self.entries if is_table(one.entry) and one.entry.version == closing.version]
        return k.CompleteRoll(
            closing=closing.version,
            hash=closed.hash.hex(),
            key=self.keys.key(self.table.name, closing.number).hex(),
            nonce=nonce.hex(),
            next_digest=self.keys.digest(self.table.name, closing.number + 1),
        )

    @property
    def stick(self) -> Actor:
        return CREW["stickperson" if self.table.house["stickperson"] else "dealer"]

    def rack(self, who: Actor) -> int:
        return self.table.game.money.racks[self.seat(who) - 1]

    def __iter__(self) -> Iterator[Stored]:
        return iter(self.entries)


def table_for_two() -> Sitting:
    """Return a Maryland table with Ann and Bob, who have chips."""
    sitting = Sitting()
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    return sitting


def at_a_point(rules: str = "maryland", *, bob_cents: int = 1000_00) -> Sitting:
    """Return a table with physical dice where Ann shoots with a Pass Bet on the point 6, and Bob has no wager."""
    sitting = Sitting(rules, approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2, bob_cents)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), ANN)
    sitting.roll(2, 4)
    return sitting


def draft_of(entry: Entry) -> Draft:
    """Return the draft that an entry was written from, to append it to another log."""
    names = ("stream", "at", "actor", "role", "signed_by", "id", "hand", "rules", "command", "events")
    return Draft(expected=entry.version - 1, **{name: getattr(entry, name) for name in names})
