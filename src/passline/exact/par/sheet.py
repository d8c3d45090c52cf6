"""The par sheet of a house, or of all that a regulation permits: every wager, number, option and pay table.

The lines come from `lines`; `par` solves each of them, and equal ones once. As JSON, a sheet has one object per line,
with fractions as "p/q", also whole ones ("1/1").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_code, number_text
from passline.dice_weights import FAIR, NOT_THE_GAMES, DiceWeights, dice_note
from passline.errors import CrapsError
from passline.exact.par.favourable import Stakes, favourable_stakes
from passline.exact.par.lines import (
    Offered,
    is_capped,
    line_name,
    offered_by_house,
    permitted_lines,
    smallest_exact_stake,
    why_left_out,
    why_lowered,
)
from passline.exact.par.par import Par, ParCache, break_even_meter
from passline.money import DOLLAR, dollars
from passline.rules.explain.election_form import ElectedLine, elections_in_force
from passline.rules.explain.payouts import full_pays
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.strategy.strategy_table import UnlawfulWish

SheetProgress = Callable[[int, int, str], None]
"""Called before each line with the number of lines done, the number of all lines, and the name of the next."""

_ROUNDED = "rounded up"


class SheetError(CrapsError):
    """A sheet that cannot be made: the wager is not offered, or not at this stake."""


class SheetLine(Struct, frozen=True, kw_only=True):
    """One solved line of a sheet: a wager on a number with an option, what it pays, and its par."""

    game: str
    wager: str
    name: str  # as in the regulation
    number: str | None
    option: str | None
    pays: str
    clauses: tuple[str, ...]
    par: Par
    favourable: tuple[Stakes, ...] = ()  # stakes at which the house has no edge
    even_meter: Fraction | None = None  # of a progressive: the cents on its meter from which the house has no edge

    @property
    def is_flagged(self) -> bool:
        """Whether there is a stake at which the house has no edge."""
        return self.par.edge <= 0 or bool(self.favourable)


class Sheet(Struct, frozen=True, kw_only=True):
    """A par sheet: its lines in the order of the rulebook, and notes on what was left out and why."""

    title: str
    house: str | None  # None: all that the regulation permits a house
    currency: str = DOLLAR  # the sign before amounts
    lines: tuple[SheetLine, ...]
    notes: tuple[str, ...] = ()
    elections: tuple[ElectedLine, ...] = ()  # of the house; none for all that a regulation permits
    dice: str = ""  # in words, where they are not the game's
    about: tuple[tuple[str, str], ...] = ()  # whose it is, made by what, from which file, since when


def sheet(
    source: str | Rules,
    *,
    game: str = "",
    wager: str = "",
    number: str = "",
    stake: int = 0,
    dice: DiceWeights = FAIR,
    progress: SheetProgress | None = None,
) -> Sheet:
    """Return the par sheet of a house (`Rules`), or of a regulation by name: all its games and all that it permits.

    Without a stake (in cents) each line has the smallest one that is paid exactly. With `dice` that are not the game's
    the title says so, and stakes without an edge are not looked for.

    >>> place = sheet("maryland", game="craps", wager="place_win", number="6").lines[0]
    >>> place.pays, place.par.stake, place.par.edge
    ('7 to 6', 600, Fraction(1, 66))
    >>> seven = sheet("maryland", game="craps", wager="any_seven").lines[1]
    >>> seven.option, seven.par.edge, seven.par.favours, str(seven.favourable[0])
    ('26 to 5', Fraction(-1, 30), 'player', '5.00-1000.00 by 5.00')
    """
    offers = list(_offers(source, game))
    chosen = _choose_lines(offers, wager, number)
    cache = ParCache(dice)
    rounding = _Rounding() if isinstance(source, str) else None
    lines: list[SheetLine] = []
    refused: list[str] = []
    for done, offered in enumerate(chosen):
        if progress:
            progress(done, len(chosen), line_name(offered))
        try:
            lines += _lines(offered, stake, cache, rounding)
        except UnlawfulWish as error:
            refused.append(f"{line_name(offered)} for {dollars(stake)}: {error.refused}")
        except SheetError as why:
            refused.append(f"{line_name(offered, numbered=False)}: {why}")
    if progress:
        progress(len(chosen), len(chosen), "")
    if not lines:
        raise SheetError(refused[0])
    notes = [f"left out: {text}" for text in refused]
    notes += [f"{line_name(line, numbered=False)}: {why_lowered(line)}" for line in chosen if line.lowered_from]
    if any(line.favourable for line in lines) and rounding and rounding.is_elective:
        notes.append("stakes that favour the player are those where a house elects to round payments up")
    rulebook = rulebook_of(source) if isinstance(source, str) else source.rulebook
    return Sheet(
        title=f"{rulebook.general.title}{dice_note(dice)}",
        dice="" if dice.is_fair else str(dice),
        house=None if isinstance(source, str) else source.house.name,
        currency=rulebook.general.currency,
        lines=tuple(lines),
        notes=tuple(dict.fromkeys(notes)),
        elections=() if isinstance(source, str) else tuple(elections_in_force(source)),
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
    for name in (game,) if game else games:
        yield from _in_order(Rules.of(source, game=name), permitted_lines(source, name))


def _in_order(rules: Rules, offers: Iterator[Offered]) -> list[Offered]:
    """Return the lines with all options of a wager on a number together."""
    order = {kind: index for index, kind in enumerate(rules.wagers)}
    return sorted(offers, key=lambda offered: (order[offered.kind], offered.number))


def _choose_lines(offers: list[Offered], wager: str, number: str) -> list[Offered]:
    """Return the lines of `wager` on `number`; raise SheetError, listing the choices, if there are none."""
    kinds = dict.fromkeys(offered.kind for offered in offers)
    if not wager:
        if number:
            raise SheetError(f"number {number} of which wager? name one of {', '.join(kinds)}")
        return offers
    if wager not in kinds:
        raise SheetError(f"there is no wager {wager!r} here; choose {', '.join(kinds)}")
    mine = [offered for offered in offers if offered.kind == wager]
    if not number:
        return mine
    code = number_code(number)
    if not any(offered.number == code for offered in mine) or not code:
        numbers = ", ".join(dict.fromkeys(number_text(offered.number) for offered in mine if offered.number))
        raise SheetError(
            f"{wager} is not made on {number}; " + (f"choose {numbers}" if numbers else "it has no number")
        )
    return [offered for offered in mine if offered.number == code]


class _Rounding:
    """Makes the same lines for a house that rounds payments up, where the regulation permits it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Rules, Rules]] = {}
        self.is_elective = False

    def rounded_up(self, offered: Offered) -> Offered:
        rules = offered.rules
        if "round_up" not in rules.rulebook.elections["unpayable"].choices:
            return offered
        self.is_elective = True
        known = self._known.get(id(rules))
        if known is None:
            rounding = Rules(rules.rulebook, replace(rules.house, unpayable="round_up"))
            known = self._known[id(rules)] = (rules, rounding)
        return replace(offered, rules=known[1])


def _lines(offered: Offered, stake: int, cache: ParCache, rounding: _Rounding | None) -> list[SheetLine]:
    """Return a line solved, two if `stake` is given and a house may round up; raise SheetError if no stake fits."""
    exact = smallest_exact_stake(offered)
    if exact is None or (stake and is_capped(offered, stake)):
        raise SheetError(why_left_out(offered, 0 if exact is None else stake))
    rounded = rounding.rounded_up(offered) if rounding else offered
    par = cache.par(offered, exact)
    is_progressive, is_fair = offered.kind in offered.rules.progressives, cache.dice.is_fair
    line = SheetLine(
        game=offered.rules.house.game,
        wager=offered.kind,
        name=offered.rules.wagers[offered.kind].name,
        number=number_text(offered.number) or None,
        option=offered.option,
        pays=payouts_text(offered),
        clauses=payout_clauses(offered),
        par=par,
        favourable=() if is_progressive or not is_fair else favourable_stakes(rounded, par, cache.par),
        even_meter=break_even_meter(offered.rules, offered.kind, exact) if is_fair else None,
    )
    return [line] if not stake else _at_stake(line, (offered, rounded), stake, cache)


def _at_stake(line: SheetLine, offers: tuple[Offered, Offered], stake: int, cache: ParCache) -> list[SheetLine]:
    """Return a line at a stake without rounding up, and rounded up where that is lawful and different."""
    offered, rounded = offers
    if rounded is offered:
        return [replace(line, par=cache.par(offered, stake))]
    up = cache.par(rounded, stake)
    option = f"{offered.option}, {_ROUNDED}" if offered.option else _ROUNDED
    try:
        plain = replace(line, par=cache.par(offered, stake))
    except UnlawfulWish:
        return [replace(line, par=up, option=option)]
    return [plain] if plain.par == up else [plain, replace(line, par=up, option=option)]


def payouts_text(line: Offered) -> str:
    """Return what a line pays, in words.

    >>> from passline.rules.rules import Rules
    >>> rules = Rules.of("maryland")
    >>> payouts_text(Offered(rules=rules, kind="pass", odds="pass_odds"))
    '1 to 1; odds 2 to 1 (4, 10), 3 to 2 (5, 9), 6 to 5 (6, 8)'
    """
    rules = line.rules
    text = full_pays(rules, rules.wagers[line.kind], line.number)
    return f"{text}; odds {full_pays(rules, rules.wagers[line.odds], line.number)}" if line.odds else text


def payout_clauses(line: Offered) -> tuple[str, ...]:
    """Return the clauses of a line's payouts and of its vigorish.

    >>> from passline.rules.rules import Rules
    >>> payout_clauses(Offered(rules=Rules.of("maryland"), kind="place_win", number=6))
    ('MD-5.A.7',)
    """
    rules, rule = line.rules, line.rules.wagers[line.kind]
    paid = rules.parts_of(rule) or [(rule, line.number)]
    paid += [(rules.wagers[line.odds], line.number)] if line.odds else []
    texts = [payout.clause for part, number in paid for payout in part.payouts_on(number)]
    if rule.vigorish:
        texts.append(rule.vigorish.clause(line.number))
    return tuple(dict.fromkeys(clause for text in texts for clause in text.split(", ")))


PLAYS = (10**4, 10**5, 10**6, 10**7)
"""The numbers of plays for which the interval of the return is shown."""
_FRACTIONS = ("win", "lose", "push", "edge", "edge_on_outlay", "edge_resolved", "edge_per_roll", "rolls", "variance")


def sheet_json(*sheets: Sheet) -> str:
    """Return sheets as a JSON list of objects, one for each line.

    Stakes are in cents; a range without a last one has no bound.

    >>> from passline.exact.par.sheet import sheet
    >>> field = json.loads(sheet_json(sheet("section2", game="craps", wager="field")))[0]
    >>> field["stake"], field["edge"], field["rolls"], field["sd"], field["favours"]
    (500, '1/18', '1/1', '1.07869376883', 'house')
    """
    return json.dumps([_object(sheet, line) for sheet in sheets for line in sheet.lines], indent=2)


def _object(sheet: Sheet, line: SheetLine) -> dict[str, object]:
    par = line.par
    fractions = {name: _text(getattr(par, name)) for name in _FRACTIONS}
    favourable = [{"first": stakes.first, "last": stakes.last, "step": stakes.step} for stakes in line.favourable]
    return {
        "house": sheet.house,
        **({"dice": sheet.dice, "dice_are": NOT_THE_GAMES} if sheet.dice else {}),
        "game": line.game,
        "wager": line.wager,
        "number": line.number,
        "option": line.option,
        "pays": line.pays,
        "clauses": line.clauses,
        "stake": par.stake,
        **fractions,
        "sd": str(par.sd),
        "volatility_index": str(par.volatility),
        "greatest_gain": None if par.top is None else _text(par.top),
        "greatest_gain_chance": None if par.top is None else _text(par.top_chance),
        "return_95": {str(plays): [*map(str, par.return_interval(plays))] for plays in PLAYS},
        "favours": par.favours,
        "favourable_stakes": favourable,
        **({} if line.even_meter is None else {"even_meter": _text(line.even_meter)}),
    }


def _text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


class EdgeBeside(Struct, frozen=True):
    """The house edge of a wager at one of two houses; None where it is not offered, or no stake is paid exactly."""

    edge: Fraction | None
    is_offered: bool


class EdgeChange(Struct, frozen=True):
    """The house edge of a wager before and after."""

    wager: str  # its name, with the odds that are taken behind it
    numbers: tuple[str, ...]
    before: EdgeBeside
    after: EdgeBeside


def edge_changes(before: Rules, after: Rules) -> list[EdgeChange]:
    """Return the edges that differ between two houses, each at the smallest stake that is paid exactly.

    >>> found = edge_changes(Rules.of("maryland"), Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}}))
    >>> [(change.wager, change.before.edge, change.after.edge) for change in found]
    [('Any Seven', Fraction(1, 6), Fraction(-1, 30)), ('Whirl', Fraction(2, 15), Fraction(7, 75))]
    """
    cache = ParCache()
    lines = [{_key(line): line for line in offered_by_house(rules)} for rules in (before, after)]
    alike: dict[tuple[str, EdgeBeside, EdgeBeside], list[str]] = {}
    for key in dict.fromkeys((*lines[0], *lines[1])):
        was, now = (_edge(side.get(key), cache) for side in lines)
        if was != now:
            offered = lines[1].get(key) or lines[0][key]
            alike.setdefault((_name(offered), was, now), []).append(number_text(offered.number))
    return [EdgeChange(name, tuple(filter(None, numbers)), was, now) for (name, was, now), numbers in alike.items()]


def _key(line: Offered) -> tuple[str, int, str]:
    return line.kind, line.number, line.odds


def _name(line: Offered) -> str:
    name = line.rules.wagers[line.kind].display_name()
    return f"{name} with full odds" if line.odds else name


def _edge(line: Offered | None, cache: ParCache) -> EdgeBeside:
    stake = smallest_exact_stake(line) if line else None
    return EdgeBeside(cache.par(line, stake).edge if line and stake else None, is_offered=line is not None)
