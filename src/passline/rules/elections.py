"""A house: the elections of one operator, and how it can break its regulation."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, json
from msgspec.structs import replace

from passline.rules.pages.structure import convert_data
from passline.rules.pages.texts import RulebookError
from passline.rules.schema import (
    BASES,
    ELECTIONS,
    MOMENTS,
    ElectedValue,
    Election,
    Number,
    Procedures,
    Rulebook,
    VigorishEntry,
    WagerEntry,
    cites_of,
    cites_when,
    default_of,
    join_clauses,
)

Elected = Annotated[int, Meta(le=1_000_000_000)]
"""A number that a house elects: cents, minutes, places, dice, a rate or a multiple."""
_SEATS = 20  # the number of places in a house file that names none


class WagerLimit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The minimum and maximum of one wager in cents, where they differ from the table's.

    Without a maximum it only raises the minimum: the table's limits hold otherwise.
    """

    min: Elected
    max: Elected | None = None


class OfficeElection(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What a house elects for its office beyond its regulation."""

    preset: str = ""  # a public standard that fills what the regulation leaves blank
    books: tuple[str, ...] = ()  # what the house keeps besides, such as the cash of its cage


class House(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every choice an operator has made. A key that the house file leaves out has the default house's value."""

    rules: str
    name: str = "House"
    game: str = "craps"
    seats: Elected = _SEATS
    seat_left_of_stickperson: Elected = 1
    smallest_chip_cents: Elected
    wager_cents_min: Elected
    wager_cents_max: Elected
    limits: dict[str, WagerLimit] = {}
    odds: dict[str, Elected | str] = {}  # the multiple on each point; "2.5" where it is not whole
    odds_cents_max: Elected = 0
    odds_excess: bool
    payouts: dict[str, str] = {}
    payouts_uniform: bool
    payouts_posted: bool
    payouts_approved: bool
    unpayable: str
    hardways_on_come_out: str
    come_odds_on_come_out: str
    buy: str
    lay: str
    six_seven_eight: str
    horn_high_area: bool
    whirl_area: bool
    buy_vigorish_basis_points: Elected
    buy_vigorish_basis: str
    buy_vigorish_when: str
    buy_vigorish_won_on: tuple[int, ...] = ()
    lay_vigorish_basis_points: Elected
    lay_vigorish_basis: str
    lay_vigorish_when: str
    settlement: str
    no_roll_callers: tuple[str, ...] = ()
    stickperson: bool
    dice_set: Elected
    tokens: bool
    off_calls: bool
    variations: tuple[str, ...] = ()
    limit_notice_minutes: Elected
    side_wagers: dict[str, str] = {}  # the pay table of each side wager offered
    readings: dict[str, str] = {}  # the reading of each side wager whose text is garbled
    side_wagers_locked: tuple[str, ...] = ()
    front_line_before_first_roll: bool
    front_line_tips: bool
    front_line_tips_whole_dollars: bool
    front_line_tip_cents_max: Elected
    tip_wagers: bool
    tip_position: str
    procedures: dict[str, Any] | None = None
    office: OfficeElection | UnsetType = UNSET  # not written where it is not given: older houses had none
    elections: dict[str, ElectedValue] | UnsetType = UNSET  # those that the rulebook declares itself; else not written


class Breach(Struct, frozen=True):
    """One unlawful election: the clause it breaks, the key, and what is wrong with its value."""

    clause: str
    key: str
    problem: str

    def __str__(self) -> str:
        return f"{self.key}: {self.problem} [{self.clause}]"


class HouseBreaches(RulebookError):
    """A house is unlawful; `breaches` has every breach."""

    def __init__(self, label: str, breaches: tuple[Breach, ...]) -> None:
        self.breaches = breaches
        super().__init__(f"{label}: " + "; ".join(str(breach) for breach in breaches))


def procedures_of(rulebook: Rulebook, house: House) -> Procedures:
    """Return the procedures in force: the regulation's, or the house's where the regulation has none."""
    game = rulebook.games[house.game]
    if game.procedures is not None:
        return game.procedures
    return convert_data(house.procedures or {}, Procedures, f"{house.name}: procedures")


def election_of(rulebook: Rulebook, key: str) -> Election:
    """Return the election that bounds a key; for an unbounded key, one that cites the closed list of wagers."""
    return rulebook.elections.get(key) or Election(cite=rulebook.general.closed_list.cite)


def limit_of(house: House, kind: str, *, is_centre: bool = False) -> tuple[int, int]:
    """Return the minimum and maximum of a wager: its own, or those of the centre it belongs to, or the table's."""
    limit = house.limits.get(kind) or (house.limits.get("centre") if is_centre else None)
    if limit is None:
        return house.wager_cents_min, house.wager_cents_max
    if limit.max is None:
        return max(limit.min, house.wager_cents_min), house.wager_cents_max
    return limit.min, limit.max


def as_filed(house: House) -> House:
    """Return a house in the form its digest is taken of: without the side wagers that it does not offer."""
    offered = {key: table for key, table in house.side_wagers.items() if table != "none"}
    readings = {kind: reading for kind, reading in house.readings.items() if kind in offered}
    return replace(house, side_wagers=offered, readings=readings)


def house_digest(house: House) -> str:
    """Return the digest by which a house is filed, approved and put in force, complete with all its defaults."""
    return _digest(as_filed(house))


def _digest(house: House) -> str:
    return sha256(json.encode(house, order="deterministic")).hexdigest()


def has_digest(house: House, digest: str) -> bool:
    """Return whether a digest is that of a house, or, as in older logs, of one that lists wagers it does not offer."""
    return digest in {house_digest(house), _digest(house)}


def is_absent(rulebook: Rulebook, key: str) -> bool:
    """Return whether a regulation does not have one of the elections that the program knows by name."""
    return key in ELECTIONS and key not in rulebook.elections


def choice_of(rulebook: Rulebook, house: House, key: str) -> Any:  # noqa: ANN401  # as its bounds say
    """Return what a house elects with a key: its own field, or of an election that the rulebook declares itself.

    >>> from passline.rules.rules import Rules
    >>> rules = Rules.of("maryland")
    >>> choice_of(rules.rulebook, rules.house, "buy")
    'offered'
    """
    if key in ELECTIONS:
        return getattr(house, key)
    given = {} if house.elections is UNSET else house.elections
    return given[key] if key in given else default_of(rulebook.elections[key])


class Vigorish(Struct, frozen=True, gc=False):
    """The charge on a wager: the rate, basis and moment in force, and where they differ by number, each number's."""

    basis_points: int
    basis: str
    when: str
    won_on: tuple[int, ...]
    clause_made: str
    clause_won: str
    cents_min: int = 0
    by_number: tuple[tuple[int, Vigorish], ...] = ()

    def on(self, number: int) -> Vigorish:
        """Return the charge on a number."""
        return next((charge for other, charge in self.by_number if other == number), self)

    def clause(self, number: int) -> str:
        """Return the clauses of rate, basis and moment on a number."""
        charge = self.on(number)
        return charge.clause_made if charge.is_due_when_made(number) else charge.clause_won

    def is_due_when_made(self, number: int) -> bool:
        """Return whether the charge is taken when the wager is made, rather than from a win."""
        charge = self.on(number)
        return charge.when == "made" and number not in charge.won_on


def vigorish_of(rulebook: Rulebook, house: House, kind: str, entry: WagerEntry) -> Vigorish | None:
    """Return the charge on a wager as the regulation fixes it or a house elects it; None if there is none."""
    charges = entry.vigorish if isinstance(entry, Number) else False
    if isinstance(charges, tuple):
        return _written_vigorish(rulebook, house, entry, charges)
    return _elected_vigorish(rulebook, house, kind) if charges else None


def _written_vigorish(
    rulebook: Rulebook, house: House, entry: WagerEntry, charges: tuple[VigorishEntry, ...]
) -> Vigorish:
    """Return the charges that a rulebook writes out, number by number; on a number that none names there is none."""
    free = Vigorish(0, "wager", "made", (), "", "")
    found = {int(number): free for number in getattr(entry, "numbers", ())}
    for charge in charges:
        found |= dict.fromkeys(charge.numbers or found, _charge(rulebook, house, charge))
    first, *others = dict.fromkeys(found.values())
    return replace(first, by_number=tuple(sorted(found.items()))) if others else first


def _charge(rulebook: Rulebook, house: House, charge: VigorishEntry) -> Vigorish:
    """Return one charge with what the house elects of it, under the clauses of all its terms."""
    clauses = [*cites_of(charge.cite)]

    def term(written: int | str, words: tuple[str, ...] = ()) -> Any:  # noqa: ANN401  # likewise
        if not isinstance(written, str) or written in words:
            return written
        value = choice_of(rulebook, house, written)
        clauses.extend(cites_when(rulebook.elections[written].cite, str(value)))
        return value

    rate, least = term(charge.basis_points), term(charge.cents_min)
    basis, when = term(charge.basis, BASES), term(charge.when, MOMENTS)
    said = join_clauses(*clauses)
    return Vigorish(rate, basis, when, (), said, said, cents_min=least)


def _elected_vigorish(rulebook: Rulebook, house: House, kind: str) -> Vigorish:
    """Return the charge on a wager whose every term a house elects by name."""
    return Vigorish(
        basis_points=getattr(house, f"{kind}_vigorish_basis_points"),
        basis=getattr(house, f"{kind}_vigorish_basis"),
        when=getattr(house, f"{kind}_vigorish_when"),
        won_on=house.buy_vigorish_won_on if kind == "buy" else (),
        clause_made=_vigorish_clause(rulebook, house, kind, "made"),
        clause_won=_vigorish_clause(rulebook, house, kind, "won"),
    )


def _vigorish_clause(rulebook: Rulebook, house: House, kind: str, moment: str) -> str:
    """Return the clauses of rate, basis and moment, where the house may have elected the moment by number."""
    is_by_number = moment == "won" and getattr(house, f"{kind}_vigorish_when") != "won"
    when = "buy_vigorish_won_on" if kind == "buy" and is_by_number else f"{kind}_vigorish_when"
    keys = (f"{kind}_vigorish_basis_points", f"{kind}_vigorish_basis", when)
    return join_clauses(*(clause for key in keys for clause in cites_when(rulebook.elections[key].cite, moment)))
