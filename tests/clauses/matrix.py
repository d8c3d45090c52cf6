"""What the rows of the clause matrix say about wagers, parsed from the several notations of their values."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from msgspec import Struct

from passline.dice import OUTCOMES, Roll
from passline.money import Pays
from passline.rules.clauses import REGULATIONS, Clause, clauses_of

POINTS = ("4", "5", "6", "8", "9", "10")
LINE = ("pass", "dont_pass", "come", "dont_come")
ODDS = ("pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds", "put_odds")
NUMBER = ("place_win", "place_lose", "buy", "lay", "put", "big")
COMPOSITE = ("c_and_e", "horn", "horn_high", "whirl")
AREAS = ("payout", "wager", "settlement", "odds", "working", "vigorish", "definition")
HIGH = {"2": "craps_2", "3": "craps_3", "11": "eleven", "12": "craps_12"}

_DOES = {"win": "won", "lose": "lost", "void": "returned", "push": "returned"}
_ITS_NUMBER = ("point", "comepoint", "come_point", "number")
_PHASES = {
    **dict.fromkeys(("comeout", "come_out"), "come_out"),
    **dict.fromkeys(("first", "first_roll"), "on"),
    **dict.fromkeys(("point", "comepoint", "come_point"), "point"),
}


def rows() -> list[tuple[str, Clause]]:
    """Return the rows these tests cover, each with its regulation."""
    return [
        (regulation, row)
        for regulation in REGULATIONS
        for row in clauses_of(regulation).values()
        if row.kind == "engine" and row.part == "game" and row.area in AREAS
    ]


def pays_of(row: Clause) -> Pays:
    """Return the payout of a row."""
    return _pays(row.values["pays"])


def _pays(text: str) -> Pays:
    pays, to = text.split(":")
    return Pays(int(pays), to=int(to))


def listed_pays(regulation: str, bet: str, number: str = "", roll: Roll | None = None) -> Pays:
    """Return what the matrix says a wager pays on its number or on a roll; the first of two payouts."""
    for row in clauses_of(regulation).values():
        values = row.values
        if values.get("bet") != bet or not {"pays", f"pays_{number}"} & set(values):
            continue
        if f"pays_{number}" in values:
            return _pays(values[f"pays_{number}"])
        if number not in values.get("dice" if bet == "hop" else "number", number).split("|"):
            continue
        if roll is None or str(roll.total) in values.get("totals", str(roll.total)).split("|"):
            return pays_of(row)
    message = f"{regulation} lists no payout of {bet} on {number or roll}"
    raise AssertionError(message)


def units_in(regulation: str, bet: str) -> int:
    """Return how many equal units the matrix divides a wager into; 1 for a wager without parts."""
    for row in clauses_of(regulation).values():
        if row.values.get("bet") == bet and ":" in row.values.get("parts", ""):
            return len(parts_in(row))
    return 1


def parts_in(row: Clause) -> dict[str, int]:
    """Return the parts of a composite wager and their units."""
    return {part: int(units) for part, _, units in (one.partition(":") for one in row.values["parts"].split("|"))}


def unit_of(pays: Pays, chip: int) -> int:
    """Return the smallest amount that chips of this size can both make and pay exactly."""
    return lcm(chip, Fraction(chip * pays.to, pays.pays).numerator)


def numbers_of(row: Clause) -> tuple[str, ...]:
    """Return the numbers a row's wager may be on; one empty string if it takes none."""
    values, bet = row.values, row.values["bet"]
    if bet == "hop":
        return (values["dice"],)
    if bet == "horn_high":
        return tuple(HIGH)
    if bet in NUMBER or bet in ODDS or bet == "hardway":
        return tuple(values.get("number", "|".join(POINTS)).split("|"))
    return ("",)


def rolls_of(tokens: str, number: str = "", dice: str = "") -> frozenset[Roll]:
    """Return the rolls that some words of the matrix stand for: totals, pairs, easy numbers, a wager's own number."""
    return frozenset(roll for roll in OUTCOMES for token in tokens.split("|") if _is_named(token, roll, number, dice))


def _is_named(token: str, roll: Roll, number: str, dice: str) -> bool:
    token = token.partition("_before_")[0]
    if token == "exact_pair":  # noqa: S105 - a word of the matrix
        return roll.pair == dice
    if token in _ITS_NUMBER:
        return str(roll.total) == number
    if token.startswith("easy"):
        return str(roll.total) == token.removeprefix("easy") and not roll.is_hard
    if "-" in token:
        first, second = sorted(token.split("-"))
        return roll.pair == f"{first}-{second}"
    return str(roll.total) == token


class Decision(Struct, frozen=True):
    """What a row says about one wager in one phase: exactly these rolls have this effect."""

    bet: str
    number: str
    phase: str  # come_out; on: the puck is ON; point: the wager has its point
    does: str
    rolls: frozenset[Roll]
    first: frozenset[Roll]  # the rolls that it must come before, which decide the wager otherwise


def decisions_of(row: Clause) -> list[Decision]:
    """Return what a row decides, by wager and phase; nothing for a row of another kind."""
    values = dict(row.values)
    bet = values.get("bet", "")
    if "pays" in values or bet == "odds":
        return []
    if bet == "hop":
        values.setdefault("win", values["dice"])
        values["lose"] = "other"
    elif bet == "hardway" and "dice" in values:
        values.setdefault("win", values["dice"])
        values.setdefault("lose", f"easy{values['number']}|7")
    elif bet == "hardway" and "win" in values:
        values.setdefault("before", f"easy{values['number']}+7")
    found: list[Decision] = []
    for key, tokens in values.items():
        phase, _, word = key.rpartition("_")
        if word not in _DOES or phase not in {"", "come_out", "first"}:
            continue
        for where in _phases(values, bet, phase, word):
            numbers = _points(values) if where == "point" else numbers_of(row)
            found += [_decision(values, number, where, word, tokens) for number in numbers]
    return found


def _decision(values: dict[str, str], number: str, phase: str, word: str, tokens: str) -> Decision:
    dice = values.get("dice", "")
    if tokens in {"other", "else"}:
        rolls = frozenset(OUTCOMES) - rolls_of(values["win"], number, dice)
    else:
        rolls = rolls_of(tokens, number, dice)
    before = values.get("before", tokens.partition("_before_")[2])
    first = rolls_of(before.replace("+", "|"), number) if before else frozenset()
    return Decision(values["bet"], number, phase, _DOES[word], rolls, first)


def _points(values: dict[str, str]) -> tuple[str, ...]:
    return tuple(values["points"].split("|")) if "points" in values else POINTS


def _phases(values: dict[str, str], bet: str, phase: str, word: str) -> tuple[str, ...]:
    said = phase or values.get("phase", "")
    if said:
        return (_PHASES[said],)
    if bet in LINE:
        if values.get("roll") == "1":
            return ("on",)
        if word == "push":
            return ("come_out" if bet == "dont_pass" else "on",)
        return ("point",)
    return ("on",) if bet in NUMBER or bet == "hardway" else ("come_out", "on")
