"""What is printed on each area of the layout. Every odd, bar number and pay table is read from the rules in force."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from passline.dice import OUTCOMES, number_code, number_text
from passline.rules.explain.side_wagers import pay_line_text, pay_line_when
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema.rulebook import Collection, Hand, Line, OneRoll, Run, SideWager

__all__ = ["Mark", "Pick", "Printed", "offered_kinds", "pays_text", "printed"]

_WORDS = {6: "SIX", 9: "NINE"}  # so that neither is read upside down
# The word printed on an area, and the one a player says, with the number put in.
_NAMES: dict[str, tuple[str, str]] = {
    "pass": ("PASS LINE", "Pass line"),
    "dont_pass": ("DON'T PASS", "Don't pass bar"),
    "come": ("COME", "Come"),
    "dont_come": ("DON'T COME", "Don't come bar"),
    "pass_odds": ("ODDS", "Odds behind the pass line"),
    "dont_pass_odds": ("DON'T ODDS", "Odds behind don't pass"),
    "come_odds": ("COME ODDS", "Come odds {}"),
    "dont_come_odds": ("DON'T COME ODDS", "Don't come odds {}"),
    "put": ("PUT", "Put {}"),
    "put_odds": ("PUT ODDS", "Put odds {}"),
    "place_win": ("{}", "Place {}"),
    "place_lose": ("LOSE", "Place {} to lose"),
    "buy": ("BUY", "Buy {}"),
    "lay": ("LAY", "Lay {}"),
    "big": ("BIG {}", "Big {}"),
    "field": ("FIELD", "Field"),
    "hardway": ("HARD {}", "Hard {}"),
    "any_seven": ("ANY SEVEN", "Any seven"),
    "any_craps": ("ANY CRAPS", "Any craps"),
    "craps_2": ("2", "Craps two"),
    "craps_3": ("3", "Craps three"),
    "craps_12": ("12", "Craps twelve"),
    "eleven": ("11", "Eleven"),
    "c_and_e": ("C & E", "Craps and eleven"),
    "horn": ("HORN", "Horn"),
    "horn_high": ("HORN HIGH", "Horn high {}"),
    "whirl": ("WHIRL", "Whirl"),
    "hop": ("HOPS", "Hop {}"),
    "six_seven_eight": ("6-7-8", "Six, seven, eight"),
    "fire": ("FIRE", "Fire"),
    "sharp_shooter": ("SHARP SHOOTER", "Sharp shooter"),
    "front_line_winner": ("FRONT LINE", "Front line winner"),
    "lucky_shooter": ("LUCKY SHOOTER", "Lucky shooter"),
    "small": ("SMALL", "Small"),
    "all": ("ALL", "All"),
    "tall": ("TALL", "Tall"),
    "little_ones": ("LITTLE ONES", "Little ones"),
    "boom_or_bust": ("BOOM OR BUST", "Boom or bust"),
    "big_ones": ("BIG ONES", "Big ones"),
}
_FACES = {
    "place_win": "number",
    "field": "field",
    "hardway": "dice",
    "craps_2": "dice",
    "craps_3": "dice",
    "craps_12": "dice",
    "eleven": "dice",
    "c_and_e": "circles",
    "pass": "line",
    "come": "line",
    "dont_pass": "bar",
    "dont_come": "bar",
}


class Mark(Struct, frozen=True):
    """A total printed on an area, and what it pays where that is more than even money."""

    text: str
    note: str = ""


class Pick(Struct, frozen=True):
    """One wager of an area that stands for several: its number, what it is called and what it pays."""

    number: int
    name: str
    pays: str


class Printed(Struct, frozen=True):
    """The printing of one area, and its name for those who cannot see it."""

    face: str  # number, field, dice, circles, line, bar, lamps or cell
    label: str
    name: str
    title: str  # as the regulation names the wager
    pays: str
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    dice: tuple[tuple[int, int], ...] = ()
    lamps: tuple[int, ...] = ()
    picks: tuple[Pick, ...] = ()
    lines: tuple[str, ...] = ()  # of a pay table


def offered_kinds(rules: Rules) -> tuple[str, ...]:
    """Give the wagers this table offers, in the rulebook's order."""
    return tuple(kind for kind, rule in rules.wagers.items() if rule.is_offered)


def printed(rules: Rules, kind: str, number: int = 0) -> Printed:
    """Give what is printed where a wager is made.

    >>> printed(Rules.of("maryland"), "place_win", 6).notes
    ('7 to 6',)
    >>> printed(Rules.of("maryland"), "dont_pass").notes
    ('BAR 12',)
    """
    rule = rules.wagers[kind]
    label, name = _NAMES.get(kind, (rule.name.upper(), f"{rule.name} {{}}"))
    if number and rule.family == "line":  # it has travelled to its point
        name = f"{label.capitalize()} on {{}}"
    entry = rule.entry
    is_side = isinstance(entry, SideWager)
    pays = pays_text(rules, rule, number)
    return Printed(
        face="lamps" if is_side else "cell" if number and rule.family == "line" else _FACES.get(kind, "cell"),
        label=label.format(_WORDS.get(number, number) if kind == "place_win" else number),
        name=" ".join(name.format(number_text(number)).split()),
        title=rule.name,
        pays=pays,
        notes=_bar(rule) or _notes(rules, rule, number, pays),
        marks=tuple(_marks(rule)) if kind == "field" else (),
        dice=_dice(rule, number),
        lamps=_lamps(rules, rule),
        picks=tuple(_picks(rules, rule, name)) if not number and number not in rule.numbers else (),
        lines=tuple(_lines(rules, entry)) if isinstance(entry, SideWager) else (),
    )


def pays_text(rules: Rules, rule: WagerRule, number: int = 0) -> str:
    """Say what a wager pays: one payout, several, or what its parts pay.

    >>> rules = Rules.of("maryland")
    >>> pays_text(rules, rules.wagers["hop"]), pays_text(rules, rules.wagers["c_and_e"])
    ('15 or 30 to 1', 'Any craps 7 to 1, Eleven 15 to 1')
    """
    if rule.family == "composite":
        parts = [part if part != "high" else _HIGH.get(number, "") for part, _units in rule.parts]
        named = {part: pays_text(rules, rules.wagers[part]) for part in parts if part}
        return ", ".join(f"{_NAMES[part][1]} {pays}" for part, pays in named.items())
    if number in rule.payouts and not isinstance(rule.entry, SideWager):
        return str(rule.payouts[number].pays)
    pays = sorted({payout.pays for payout in rule.payouts.values()}, key=lambda one: one.ratio)
    if len({(one.to, one.is_for) for one in pays}) == 1:
        end = str(pays[0]).partition(" ")[2]
        few = pays if len(pays) <= _FEW else (pays[0], pays[-1])
        return f"{(' or ' if len(pays) <= _FEW else ' up to ').join(str(one.pays) for one in few)} {end}"
    return " or ".join(map(str, pays))


_HIGH = {2: "craps_2", 3: "craps_3", 11: "eleven", 12: "craps_12"}
_FEW = 2


def _notes(rules: Rules, rule: WagerRule, number: int, pays: str) -> tuple[str, ...]:
    """Print the odds under the label; of hops, those of a pair and those of two faces."""
    if rule.family == "composite":
        return (f"{rule.units} chips",) if rule.kind != "c_and_e" else ()
    if rule.family == "line":
        return ()
    if rule.kind == "hop":
        doubles = {str(rule.payouts[code].pays) for code in rule.numbers if code % 11 == _DOUBLE}
        easy = {str(rule.payouts[code].pays) for code in rule.numbers if code % 11 != _DOUBLE}
        return (f"easy {', '.join(sorted(easy))}", f"hard {', '.join(sorted(doubles))}")
    if rule.behind and not number:
        return tuple(f"{'/'.join(where)} {text}" for text, where in _by_pays(rules, rule).items())
    if rule.kind == "field":
        return ()
    return (pays,)


_DOUBLE = 1  # 100 + 11 f leaves 1 when divided by 11, and no other pair does


def _by_pays(rules: Rules, rule: WagerRule) -> dict[str, list[str]]:
    """Group the points by what odds on them pay."""
    grouped: dict[str, list[str]] = {}
    for number in sorted(rule.numbers & rules.points):
        grouped.setdefault(str(rule.payouts[number].pays), []).append(str(number))
    return grouped


def _bar(rule: WagerRule) -> tuple[str, ...]:
    """Print the total on which a don't wager neither wins nor loses."""
    entry = rule.entry
    if not isinstance(entry, Line) or entry.first_void is None:
        return ()
    return (f"BAR {'/'.join(map(str, entry.first_void.totals))}",)


def _dice(rule: WagerRule, number: int) -> tuple[tuple[int, int], ...]:
    """Draw the dice by which a wager wins, where one pair does, or the pair that is barred."""
    entry = rule.entry
    if rule.family == "hardway":
        return ((number // 2, number // 2),)
    if isinstance(entry, Line) and entry.first_void:
        pairs = [(one.first, one.second) for one in OUTCOMES if one.total in entry.first_void.totals and one.is_hard]
        return tuple(pairs[:1])
    if isinstance(entry, OneRoll) and not entry.numbers and len(rule.payouts) == 1:
        (code,) = rule.payouts
        return ((code % 100 // 10, code % 10),)
    return ()


def _marks(rule: WagerRule) -> Iterator[Mark]:
    """Print the totals that win, each with what it pays where that is not even money."""
    by_total: dict[int, set[str]] = {}
    for roll in OUTCOMES:
        payout = rule.payouts.get(number_code(roll.pair))
        if payout:
            by_total.setdefault(roll.total, set()).add("" if payout.pays.ratio == 1 else str(payout.pays))
    for total, notes in sorted(by_total.items()):
        yield Mark(str(total), " or ".join(sorted(filter(None, notes))))


def _lamps(rules: Rules, rule: WagerRule) -> tuple[int, ...]:
    entry = rule.entry
    if isinstance(entry, Collection):
        return entry.needs.totals
    if isinstance(entry, Run) or (isinstance(entry, Hand) and entry.counts == "distinct_points"):
        return tuple(sorted(rules.points))
    return ()


def _picks(rules: Rules, rule: WagerRule, name: str) -> Iterator[Pick]:
    if rule.kind in {"hop", "horn_high"}:
        for code in sorted(rule.numbers):
            yield Pick(code, name.format(number_text(code)), pays_text(rules, rule, code))


def _lines(rules: Rules, entry: SideWager) -> Iterator[str]:
    """Print the pay table in force, line by line."""
    for line in sorted(entry.tables[rules.house.side_wagers[entry.offered]], key=lambda line: line.counts):
        if line.result != "lose":
            yield f"{pay_line_when(entry, line.counts)}: {pay_line_text(line)}"
