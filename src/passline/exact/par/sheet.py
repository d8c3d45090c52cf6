"""The par sheet of a house, or of all that a regulation permits: every wager, number, option and pay table, figured."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_code, number_text
from passline.errors import CrapsError
from passline.exact.par.favourable import Stakes, favourable_stakes
from passline.exact.par.lines import Offered, describe, is_capped, offered_by_house, permitted, smallest_exact_stake
from passline.exact.par.par import Par
from passline.exact.par.pays import payout_clauses, payouts_text
from passline.exact.par.solver import Solver
from passline.money import dollars
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.strategy.strategy_table import UnlawfulWish

__all__ = ["Line", "Progress", "Sheet", "SheetError", "sheet"]

Progress = Callable[[int, int, str], None]
"""Told before each line how many are done, how many there are, and which is next."""

_ROUNDED = "rounded up"


class SheetError(CrapsError):
    """A sheet that cannot be made: what was asked for is not offered, or not at that stake."""


class Line(Struct, frozen=True, kw_only=True):
    """One line of a sheet: a wager on a number with an option, what it pays, and its par."""

    game: str
    wager: str
    name: str  # as the regulation has it
    number: str | None
    option: str | None
    pays: str
    clauses: tuple[str, ...]
    par: Par
    favourable: tuple[Stakes, ...] = ()  # stakes that favour the player or cost nothing

    @property
    def is_flagged(self) -> bool:
        """Whether there is a stake at which the house has no edge."""
        return self.par.edge <= 0 or bool(self.favourable)


class Sheet(Struct, frozen=True, kw_only=True):
    """A par sheet: whose it is, its lines in the order of the rulebook, and what was left out and why."""

    title: str
    house: str | None  # None: whatever the regulation permits a house
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


def sheet(
    source: str | Rules,
    *,
    game: str = "",
    wager: str = "",
    number: str = "",
    stake: int = 0,
    progress: Progress | None = None,
) -> Sheet:
    """Figure the lines of a house, or of a regulation: every game and all that it permits.

    Without a stake (in cents) each line has the smallest one that is paid exactly.

    >>> place = sheet("maryland", game="craps", wager="place_win", number="6").lines[0]
    >>> place.pays, place.par.stake, place.par.edge
    ('7 to 6', 600, Fraction(1, 66))
    >>> seven = sheet("maryland", game="craps", wager="any_seven").lines[1]
    >>> seven.option, seven.par.edge, seven.par.favours, str(seven.favourable[0])
    ('26 to 5', Fraction(-1, 30), 'player', '5.00-1000.00 by 5.00')
    """
    offers = list(_offers(source, game))
    chosen = _chosen(offers, wager, number)
    solver = Solver()
    rounding = _Rounding() if isinstance(source, str) else None
    lines: list[Line] = []
    refused: list[str] = []
    for done, one in enumerate(chosen):
        if progress:
            progress(done, len(chosen), describe(one))
        try:
            lines += _lines(one, stake, solver, rounding)
        except UnlawfulWish as error:
            refused.append(f"{describe(one)} for {dollars(stake)}: {error.refused}")
    if progress:
        progress(len(chosen), len(chosen), "")
    if not lines:
        raise SheetError(refused[0] if refused else f"no stake on {wager} is paid exactly within its limits")
    notes = [f"left out: {text}" for text in refused]
    if any(line.favourable for line in lines) and rounding and rounding.is_elective:
        notes.append("stakes that favour the player are those where a house elects to round payments up")
    rulebook = rulebook_of(source) if isinstance(source, str) else source.rulebook
    return Sheet(
        title=rulebook.general.title,
        house=None if isinstance(source, str) else source.house.name,
        lines=tuple(lines),
        notes=tuple(dict.fromkeys(notes)),
    )


def _offers(source: str | Rules, game: str) -> Iterator[Offered]:
    if isinstance(source, Rules):
        if game and game != source.house.game:
            raise SheetError(f"{source.house.name} deals {source.house.game}, not {game}")
        yield from _in_order(source, offered_by_house(source))
        return
    games = rulebook_of(source).games
    if game and game not in games:
        raise SheetError(f"{source} deals {' and '.join(games)}, not {game}")
    for one in (game,) if game else games:
        yield from _in_order(Rules.of(source, game=one), permitted(source, one))


def _in_order(rules: Rules, offers: Iterator[Offered]) -> list[Offered]:
    """Put all options of a wager on a number together."""
    order = {kind: index for index, kind in enumerate(rules.wagers)}
    return sorted(offers, key=lambda one: (order[one.kind], one.number))


def _chosen(offers: list[Offered], wager: str, number: str) -> list[Offered]:
    """Pick the lines asked for; what is not there is an error that lists what is."""
    kinds = dict.fromkeys(one.kind for one in offers)
    if not wager:
        if number:
            raise SheetError(f"number {number} of which wager? name one of {', '.join(kinds)}")
        return offers
    if wager not in kinds:
        raise SheetError(f"there is no wager {wager!r} here; choose {', '.join(kinds)}")
    mine = [one for one in offers if one.kind == wager]
    if not number:
        return mine
    code = number_code(number)
    if not any(one.number == code for one in mine) or not code:
        numbers = ", ".join(dict.fromkeys(number_text(one.number) for one in mine if one.number))
        raise SheetError(
            f"{wager} is not made on {number}; " + (f"choose {numbers}" if numbers else "it has no number")
        )
    return [one for one in mine if one.number == code]


class _Rounding:
    """The same lines in a house that rounds up what it cannot pay, where the regulation permits such a house."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Rules, Rules]] = {}
        self.is_elective = False

    def of(self, one: Offered) -> Offered:
        rules = one.rules
        if "round_up" not in rules.rulebook.elections["unpayable"].choices:
            return one
        self.is_elective = True
        known = self._known.get(id(rules))
        if known is None:
            rounding = Rules(rules.rulebook, replace(rules.house, unpayable="round_up"))
            known = self._known[id(rules)] = (rules, rounding)
        return replace(one, rules=known[1])


def _lines(one: Offered, stake: int, solver: Solver, rounding: _Rounding | None) -> list[Line]:
    """Figure one line; a stake named may come to two, where a house may round up. None where no stake is exact."""
    exact = smallest_exact_stake(one)
    if exact is None or (stake and is_capped(one, stake)):
        return []
    rounded = rounding.of(one) if rounding else one
    par = solver.par(one, exact)
    line = Line(
        game=one.rules.house.game,
        wager=one.kind,
        name=one.rules.wagers[one.kind].name,
        number=number_text(one.number) or None,
        option=one.option,
        pays=payouts_text(one),
        clauses=payout_clauses(one),
        par=par,
        favourable=favourable_stakes(rounded, par, solver.par),
    )
    return [line] if not stake else _at_stake(line, (one, rounded), stake, solver)


def _at_stake(line: Line, offers: tuple[Offered, Offered], stake: int, solver: Solver) -> list[Line]:
    """Give a line at a stake as the house has it, and rounded up where that is lawful and different."""
    one, rounded = offers
    if rounded is one:
        return [replace(line, par=solver.par(one, stake))]
    up = solver.par(rounded, stake)
    option = f"{one.option}, {_ROUNDED}" if one.option else _ROUNDED
    try:
        plain = replace(line, par=solver.par(one, stake))
    except UnlawfulWish:
        return [replace(line, par=up, option=option)]
    return [plain] if plain.par == up else [plain, replace(line, par=up, option=option)]
