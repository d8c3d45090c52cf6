"""Rules: a rulebook and a house, compiled for the questions the game asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.authority.roles import DEALER, STICKPERSON
from passline.dice import OUTCOMES, Roll, number_code, number_text
from passline.money import Pays, multiple_of, round_down_to, round_up_to
from passline.rules.elections import House, HouseBreaches, choice_of, limit_of, procedures_of, vigorish_of
from passline.rules.house_file import read_house
from passline.rules.house_reader import house_of
from passline.rules.machines import CompiledMachine, line_wagers
from passline.rules.memo import Key, Memo, Value
from passline.rules.pages.texts import RulebookError
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import (
    Composite,
    Game,
    Line,
    Machine,
    OddsWager,
    OneRoll,
    PaysEntry,
    Procedures,
    Reading,
    Rulebook,
    Run,
    SideWager,
    WagerEntry,
    clause_text,
    part_spot,
    wagers_of,
)

AUTOMATED = frozenset({"offer", "choose", "confirm", "button", "call", "settle", "pass"})
"""All steps of the crew that can be automated, so that a program can play without dealing."""
_ALL = 10_000
_MEMO_MAX = 50_000


class Payout(Struct, frozen=True, gc=False):
    """The payout of one winning outcome, and its clause."""

    pays: Pays
    clause: str
    share: int = 0  # of the meter, in basis points, besides


class PaidLine(Struct, frozen=True, gc=False):
    """One line of a side wager's pay table in force: a payout, a loss or a push, and its clause."""

    result: str
    payout: Payout | None
    clause: str
    says: str = ""  # what its counts stand for


class WagerRule:
    """One wager under the rules in force."""

    __slots__ = (
        "behind", "breakdown", "call", "centre", "entry", "family", "first", "is_offered", "kind", "lines", "machine",
        "max", "min", "name", "numbers", "off_calls", "parts", "payouts", "reading", "units", "vigorish",
        "works_on_come_out",
    )  # fmt: skip

    def __init__(self, rulebook: Rulebook, house: House, kind: str, entry: WagerEntry) -> None:
        self.kind = kind
        self.entry: WagerEntry = entry
        self.name = entry.name
        self.family: str = str(entry.__struct_config__.tag)
        self.numbers: frozenset[int] = frozenset(number_code(str(n)) for n in getattr(entry, "numbers", ())) or _NONE
        self.centre = bool(entry.centre)
        self.is_offered = _is_offered(rulebook, house, kind, entry)
        self.min, self.max = limit_of(house, kind, is_centre=self.centre)
        self.lines: dict[int, PaidLine] = {}
        self.reading: Reading | None = None
        self.machine: CompiledMachine | None = None  # of a machine that is offered
        if isinstance(entry, SideWager):
            if entry.amount and entry.amount.max:
                self.min, self.max = entry.amount.min, entry.amount.max
            if self.is_offered:
                self.lines = _lines(entry, house.side_wagers[entry.offered])
            if isinstance(entry, Run):
                self.reading = entry.readings[house.readings.get(kind) or next(iter(entry.readings))]
        self.behind: str = entry.behind if isinstance(entry, OddsWager) else ""
        self.works_on_come_out = _works(rulebook, house, entry)
        self.call = entry.come_out.call if entry.come_out else ""
        self.off_calls = house.off_calls
        self.vigorish = vigorish_of(rulebook, house, kind, entry)
        self.first = _first_roll(entry) if isinstance(entry, Line) else {}
        self.payouts = _payouts(house, kind, entry, self.lines)
        self.parts: tuple[tuple[str, int], ...] = ()
        self.breakdown: tuple[tuple[str, int], ...] = ()
        self.units = 1
        if isinstance(entry, Composite):
            self.parts = tuple(entry.parts.units.items())
            self.units = sum(entry.parts.units.values())
            if entry.breakdown and (entry.breakdown.when == "always" or not choice_of(rulebook, house, f"{kind}_area")):
                self.breakdown = tuple(entry.breakdown.units.items())

    def display_name(self, number: int = 0) -> str:
        """Return the wager's name on screens and in messages, with the number or pair it is on.

        >>> wagers = Rules.of("maryland").wagers
        >>> wagers["place_win"].display_name(6), wagers["hop"].display_name(113), wagers["dont_pass"].display_name()
        ('Place 6', 'Hop 1-3', "Don't Pass")
        """
        return self.entry.display_name(number_text(number))

    def payout(self, number: int, roll: Roll) -> Payout:
        """Return what the wager pays when it wins on a roll."""
        if isinstance(self.entry, OneRoll) and not self.entry.numbers:
            return self.payouts[number_code(roll.pair)]
        return self.payouts[number]

    def line_payout(self, total: int) -> Payout:
        """Return what a line wager pays when it wins on a total: the payout of that total, or that of all others."""
        return self.payouts.get(total) or self.payouts[0]

    def payouts_on(self, number: int) -> list[Payout]:
        """Return what a wager pays on a number; all it pays where that is not by number."""
        return [self.payouts[number]] if number in self.payouts else list(self.payouts.values())

    def unit(self, number: int, chip: int) -> int:
        """Return the smallest amount whose multiples can all be paid exactly with chips of this size."""
        if isinstance(self.entry, SideWager | Line) or (isinstance(self.entry, OneRoll) and not self.entry.numbers):
            chosen = [payout for payout in self.payouts.values() if payout.pays.ratio]
        else:
            chosen = [self.payouts[number]]
        return lcm(chip, *(payout.pays.unit(chip) for payout in chosen))


_NONE = frozenset({0})


def _is_offered(rulebook: Rulebook, house: House, kind: str, entry: WagerEntry) -> bool:
    if kind == "place_lose" and house.lay == "in_lieu":
        return False
    if isinstance(entry, SideWager):
        return house.side_wagers.get(entry.offered, "none") != "none"
    return not entry.offered or bool(choice_of(rulebook, house, entry.offered) != "none")


def _works(rulebook: Rulebook, house: House, entry: WagerEntry) -> bool:
    if entry.come_out is None:
        return True
    if entry.come_out.elect:
        return bool(choice_of(rulebook, house, entry.come_out.elect) == "on")
    return entry.come_out.works


def _lines(entry: SideWager, table: str) -> dict[int, PaidLine]:
    """Map each count to its line in the elected pay table."""
    lines: dict[int, PaidLine] = {}
    for line in entry.tables[table]:
        clause = clause_text(line.cite)
        wins = line.result == "win"
        payout = Payout(Pays.parse(line.pays, is_for_allowed=True), clause, line.meter_basis_points) if wins else None
        lines |= dict.fromkeys(line.counts, PaidLine(line.result, payout, clause, line.says))
    return lines


def _first_roll(entry: Line) -> dict[int, tuple[str, str]]:
    """Map each total that decides a line wager on its first roll to the result and its clause."""
    answers = [(entry.first_win, "win"), (entry.first_lose, "lose"), (entry.first_void, "return")]
    return {total: (does, clause_text(rule.cite)) for rule, does in answers if rule for total in rule.totals}


_PAIRS = tuple({roll.pair: (roll.total, roll.pair, number_code(roll.pair)) for roll in OUTCOMES}.values())


def _payouts(house: House, kind: str, entry: WagerEntry, lines: dict[int, PaidLine]) -> dict[int, Payout]:
    """Map each number (for one-roll wagers on totals, each pair of dice) to its payout, listed or elected."""
    if isinstance(entry, SideWager):
        return {count: line.payout for count, line in lines.items() if line.payout}
    if isinstance(entry, Composite):
        return {}
    table: dict[int, Payout] = {}
    for line in entry.pays:
        if isinstance(entry, OneRoll) and not entry.numbers:
            for total, pair, code in _PAIRS:
                if total in line.totals or pair in line.dice:
                    table[code] = _elected_payout(house, line, (f"{kind} {pair}", f"{kind} {total}", kind), 0)
        else:
            for number in line.numbers or line.totals or getattr(entry, "numbers", None) or ("",):
                code = number_code(str(number))
                table[code] = _elected_payout(house, line, (f"{kind} {number}", kind), code)
    return table


def _elected_payout(house: House, line: PaysEntry, keys: tuple[str, ...], number: int) -> Payout:
    text = next((house.payouts[key] for key in keys if key in house.payouts), line.pays)
    is_alternative = text == line.or_pays and bool(line.or_cite)
    return Payout(Pays.parse(text), line.or_cite if is_alternative else clause_text(line.cite, number))


def _equal_odds(rule: WagerRule, number: int, cents: Fraction) -> Fraction:
    """Return the odds equal to `cents` of an original wager, measured by stake or by winnings."""
    entry = rule.entry
    assert isinstance(entry, OddsWager)
    return cents / rule.payouts[number].pays.ratio if entry.limit.on == "winnings" else cents


class Rules:
    """The rules in force at one table.

    >>> Rules.of("maryland").wagers["place_win"].payouts[6].pays
    Pays(pays=7, to=6, is_for=False)
    """

    def __init__(
        self, rulebook: Rulebook, house: House, *, automate: frozenset[str] = AUTOMATED, limits_apply: bool = True
    ) -> None:
        if strange := frozenset(automate) - AUTOMATED:
            message = f"{', '.join(sorted(strange))} cannot be automated; these can: {', '.join(sorted(AUTOMATED))}"
            raise RulebookError(message)
        self.rulebook = rulebook
        self.house = house
        self.automate = automate
        self.limits_apply = limits_apply  # False in a tournament: no money limits and no odds cap
        self.game: Game = rulebook.games[house.game]
        self.procedures: Procedures = procedures_of(rulebook, house)
        self.points = frozenset((self.game.points or rulebook.general.points).totals)
        self.multiples = {int(point): multiple_of(multiple) for point, multiple in house.odds.items()}
        entries = wagers_of(rulebook, self.game)
        self.wagers = {kind: WagerRule(rulebook, house, kind, entry) for kind, entry in entries.items()}
        for rule in self.wagers.values():
            if rule.lines and isinstance(rule.entry, Machine):
                rule.machine = CompiledMachine(rule.entry, self.points, line_wagers(entries))
        made = [rule.entry.make for rule in self.wagers.values() if rule.lines]
        used = {name for make in made for name in (make.when, make.or_when)} | ({"new_hand"} if made else set())
        windows = rulebook.general.windows
        is_midway = any(name in windows and not windows[name].puck_off for name in used)  # made with a point on too
        used |= {name for name, window in windows.items() if window.closes == "carried_point" and is_midway}
        self.windows = {name: window for name, window in windows.items() if name in used}
        carried = [name for name, window in self.windows.items() if window.closes == "carried_point"]
        self.beside_window = carried[0] if carried else ""  # while it is open, what has counted a roll rode here
        self.chip = house.smallest_chip_cents
        side = {k: rule.entry for k, rule in self.wagers.items() if rule.lines and isinstance(rule.entry, SideWager)}
        self.progressives = {kind: entry.progressive for kind, entry in side.items() if entry.progressive}
        self.meters: dict[str, int] = {}  # in cents, as an analysis takes them (`at_meters`); a table has its own
        self.memos: defaultdict[Memo[Any, Any], dict[Any, Any]] = defaultdict(dict)  # `memory_of` bounds them

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Rules, automate=self.automate, limits_apply=self.limits_apply)
        return made, (self.rulebook, self.house), {"meters": self.meters}  # the rest is computed again

    @classmethod
    def of(
        cls,
        name: str,
        *,
        house: Mapping[str, Any] | None = None,
        game: str = "",
        on: date | None = None,
        automate: frozenset[str] = AUTOMATED,
        limits_apply: bool = True,
    ) -> Rules:
        """Return the rules of a regulation, with `house` laid over its default house.

        >>> Rules.of("maryland", house={"wager_cents_min": 100}).house.wager_cents_min
        100
        """
        return cls.under(rulebook_of(name, on), house, game=game, automate=automate, limits_apply=limits_apply)

    @classmethod
    def under(
        cls,
        rulebook: Rulebook,
        house: Mapping[str, Any] | None = None,
        *,
        game: str = "",
        automate: frozenset[str] = AUTOMATED,
        limits_apply: bool = True,
    ) -> Rules:
        """Return the rules of a loaded rulebook, with `house` laid over its default house."""
        elected = {**(house or {}), **({"game": game} if game else {})}
        complete, breaches = house_of(rulebook, elected)
        if breaches or complete is None:
            raise HouseBreaches(rulebook.name, breaches)
        return cls(rulebook, complete, automate=automate, limits_apply=limits_apply)

    @classmethod
    def from_file(cls, path: Path, *, game: str = "", automate: frozenset[str] = AUTOMATED) -> Rules:
        """Return the rules of a house file; raise HouseBreaches if it is unlawful."""
        house, breaches, rulebook = read_house(path)
        if game and house is not None and game != house.game:
            raise RulebookError(f"{path}: the house deals {house.game}, not {game}")
        if breaches or house is None:
            raise HouseBreaches(str(path), breaches)
        return cls(rulebook, house, automate=automate)

    def choice_of(self, key: str) -> Any:  # noqa: ANN401  # as its bounds say
        """Return what the house elects with a key.

        >>> Rules.of("maryland").choice_of("lay")
        'in_addition'
        """
        return choice_of(self.rulebook, self.house, key)

    def memory_of(self, memo: Memo[Key, Value]) -> dict[Key, Value]:
        """Return what a memo holds under these rules; one that has grown too large is emptied first."""
        known = self.memos[memo]
        if len(known) > _MEMO_MAX:
            known.clear()
        return known

    def step_taken(self, rule: WagerRule, number: int) -> int:
        """Return the step in which a wager is paid exactly, or divides into its parts."""
        if rule.family == "composite":
            booked = self._booked_shares(rule, number).items()
            steps = [(self.step_taken(*self._at(part)) * share.denominator, share) for part, share in booked]
            return lcm(rule.units * self.chip, *(whole // gcd(whole, share.numerator) for whole, share in steps))
        is_rounded = self.house.unpayable == "round_up"
        unit = self.chip if is_rounded else rule.unit(number if rule.family != "line" else 0, self.chip)
        own = rule.entry.amount if isinstance(rule.entry, SideWager) else None
        return lcm(unit, own.step) if own and own.step else unit

    def least_taken(self, rule: WagerRule, number: int) -> int:
        """Return the smallest amount that is taken: of odds one step; of a wager booked as others, by their minimums.

        >>> colorado = Rules.of("colorado")
        >>> [colorado.least_taken(colorado.wagers["place_win"], number) for number in (5, 6)]
        [500, 600]
        """
        step, booked = self.step_taken(rule, number), self._booked_shares(rule, number).items()
        least = [self.least_taken(*self._at(part)) / share for part, share in booked]
        return step if rule.behind else round_up_to(max(least or [Fraction(max(rule.min, 1))]), step)

    def most_taken(self, rule: WagerRule, number: int) -> int:
        """Return the largest amount that is taken, odds apart; of a wager booked as others, by their maximums.

        >>> section2 = Rules.of("section2")
        >>> whirl = section2.wagers["whirl"]
        >>> whirl.max, section2.most_taken(whirl, 0)  # four fifths of it are a horn, the rest any seven
        (100000, 125000)
        """
        booked = self._booked_shares(rule, number).items()
        most = [self.most_taken(*self._at(part)) / share for part, share in booked]
        return round_down_to(min(most or [Fraction(rule.max)]), self.step_taken(rule, number))

    def _booked_shares(self, rule: WagerRule, number: int) -> dict[str, Fraction]:
        """Return the wagers that a composite wager is booked as, each with its share; none if it is one wager."""
        found: dict[str, Fraction] = {}
        units = sum(count for _part, count in rule.breakdown)
        for part, count in rule.breakdown:
            at = self.high_part(rule, number) if part == "high" else part
            for booked, share in (self._booked_shares(*self._at(at)) or {at: Fraction(1)}).items():
                found[booked] = found.get(booked, 0) + share * Fraction(count, units)
        return found

    def _at(self, part: str) -> tuple[WagerRule, int]:
        return self.wagers[part_spot(part)[0]], part_spot(part)[1]

    def parts_of(self, rule: WagerRule) -> list[tuple[WagerRule, int]]:
        """Return the wagers that a composite one is made of, each with the number it is on; no high part."""
        return [self._at(part) for part, _units in rule.parts if part_spot(part)[0] in self.wagers]

    def part_name(self, part: str) -> str:
        """Return the display name of a part of a composite wager."""
        return WagerRule.display_name(*self._at(part))

    def high_part(self, rule: WagerRule, number: int) -> str:
        """Return the part that the chosen number of a composite wager stands for: craps_12 for 12, eleven for 11."""
        for part, _units in rule.parts:
            entry = self._at(part)[0].entry if part != "high" else None
            if isinstance(entry, OneRoll) and entry.win.totals == (number,):
                return part
        raise AssertionError(f"{rule.kind} has no part on {number}")

    def winnings(self, payout: Payout, cents: int) -> int | None:
        """Return what an amount wins, rounded up if the house elected so; None if it cannot be paid exactly."""
        exact = payout.pays.whole(cents)
        if exact is not None and exact % self.chip == 0:
            return exact
        if self.house.unpayable == "round_up":
            return round_up_to(payout.pays.on(cents), self.chip)
        return None

    def vigorish_on(self, rule: WagerRule, number: int, cents: int) -> int:
        """Return the charge on a whole stake: its rate, rounded down to the smallest chip, or the least charged."""
        if rule.vigorish is None:
            return 0
        charged = round_down_to(cents * self.vigorish_rate(rule, number), self.chip)
        return max(charged, rule.vigorish.on(number).cents_min) if cents else 0

    def vigorish_rate(self, rule: WagerRule, number: int) -> Fraction:
        """Return the part of a stake that is charged, before it is rounded down to the smallest chip."""
        if rule.vigorish is None:
            return Fraction(0)
        vigorish = rule.vigorish.on(number)
        basis = rule.payouts[number].pays.ratio if vigorish.basis == "potential_win" else Fraction(1)
        return basis * vigorish.basis_points / _ALL

    def odds_cents_max(self, rule: WagerRule, number: int, base_cents: int) -> int | None:
        """Return the maximum of odds behind a wager on a point; None where nothing limits it."""
        entry = rule.entry
        if not isinstance(entry, OddsWager) or not self.limits_apply:
            return None
        most = self._payable(rule, number, self.odds_cents(rule, number, base_cents))
        caps = [cap for cap in (entry.limit.cents_max, self.house.odds_cents_max) if cap]
        return int(min([most, *map(Fraction, caps)]))

    def odds_cents_posted(self, rule: WagerRule, number: int, base_cents: int) -> int | None:
        """Return the posted maximum of odds, never less than the player's right; None where it does not bind."""
        entry, limits = rule.entry, self.rulebook.general.limits
        if not isinstance(entry, OddsWager) or limits.odds_outside_max or not self.limits_apply:
            return None
        posted = round_up_to(Fraction(rule.max), rule.unit(number, self.chip)) if self.house.odds_excess else rule.max
        least = _equal_odds(rule, number, entry.limit.least(number) * base_cents)
        return max(posted, int(self._payable(rule, number, least)))

    def odds_cents(self, rule: WagerRule, number: int, base_cents: int) -> Fraction:
        """Return the elected multiple of an original wager, before any cap and whether or not it is payable."""
        return _equal_odds(rule, number, self.multiples[number] * base_cents)

    def odds_posted(self, rule: WagerRule | None = None) -> dict[str, int | str]:
        """Return the multiples that the house posts, by the points of some odds, or of all that this game has.

        >>> Rules.of("maryland").odds_posted()
        {'4': 3, '5': 4, '6': 5, '8': 5, '9': 4, '10': 3}
        """
        some = [rule] if rule else [other for other in self.wagers.values() if other.behind]
        numbers = {number_text(number) for other in some for number in other.numbers}
        return {point: multiple for point, multiple in self.house.odds.items() if point in numbers}

    def _payable(self, rule: WagerRule, number: int, odds: Fraction) -> Fraction:
        """Return the odds, rounded up to a payable amount where the house allows the excess."""
        return Fraction(round_up_to(odds, rule.unit(number, self.chip))) if self.house.odds_excess else odds

    def roles(self, by: tuple[str, ...]) -> tuple[str, ...]:
        """Return who may act where `by` is named: a dealer may include the stickperson; a table may have none."""
        general = self.rulebook.general
        named = (*by, *general.dealer_includes.by) if general.dealer_includes and DEALER in by else by
        return tuple(role for role in dict.fromkeys(named) if role != STICKPERSON or self.house.stickperson)
