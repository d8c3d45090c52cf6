"""The elections of a house as fields of a form: each with its bounds, clauses and default, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.money import DOLLAR, dollar_amount, in_currency, multiple_of, percent_text
from passline.rules.elections import House, election_of, is_absent
from passline.rules.explain.payouts import group_items
from passline.rules.explain.wagers import bounds_text, odds_bounds, words
from passline.rules.house_check import payout_lines
from passline.rules.pages.texts import installed_books, installed_presets
from passline.rules.rules import Rules
from passline.rules.schema import (
    Composite,
    Election,
    OddsLimit,
    OddsWager,
    Rule,
    Run,
    SideWager,
    cites_of,
    own_elections,
)

_GROUPS: dict[str, dict[str, str]] = {
    "The house and its table": {
        "name": "Name of the house",
        "seats": "Places at the table",
        "seat_left_of_stickperson": "First seat to the stickperson's left",
        "stickperson": "A stickperson deals",
        "dice_set": "Dice in a set",
        "no_roll_callers": "Who else may call no roll",
    },
    "Limits": {
        "smallest_chip_cents": "Smallest chip",
        "wager_cents_min": "Table minimum",
        "wager_cents_max": "Table maximum",
        "limits": "Wagers with limits of their own",
        "limit_notice_minutes": "Notice of other limits, in minutes",
    },
    "Odds": {
        "odds": "Most odds, in multiples of the original wager",
        "odds_cents_max": "Most that any odds may be",
        "odds_excess": "Odds above the multiple to make them payable",
    },
    "Wagers": {
        "buy": "Buy wagers",
        "lay": "Lay wagers",
        "six_seven_eight": "6-7-8",
        "hardways_on_come_out": "Hardways on the come-out roll",
        "come_odds_on_come_out": "Come odds on the come-out roll",
        "horn_high_area": "Horn High has an area on the layout",
        "whirl_area": "Whirl has an area on the layout",
        "off_calls": "Players may call wagers off",
        "tokens": "Tokens are taken",
        "variations": "Variations",
    },
    "Vigorish": {
        "buy_vigorish_basis_points": "Vigorish of a buy wager",
        "buy_vigorish_basis": "A buy wager's vigorish is reckoned on",
        "buy_vigorish_when": "A buy wager's vigorish is taken when it is",
        "buy_vigorish_won_on": "Numbers on which it is taken from a won buy wager",
        "lay_vigorish_basis_points": "Vigorish of a lay wager",
        "lay_vigorish_basis": "A lay wager's vigorish is reckoned on",
        "lay_vigorish_when": "A lay wager's vigorish is taken when it is",
    },
    "Payouts": {
        "payouts": "Payouts that differ from the list",
        "payouts_uniform": "They are the same at every table",
        "payouts_posted": "They are posted",
        "payouts_approved": "They are approved",
        "unpayable": "An amount that cannot be paid exactly",
        "settlement": "Order of settlement",
    },
    "Side wagers": {
        "side_wagers": "",
        "readings": "",
        "side_wagers_locked": "Side wagers that stay up once they are made",
    },
    "Tips": {
        "tip_wagers": "Wagers for the crew",
        "tip_position": "Where a wager for the crew lies",
        "front_line_before_first_roll": "Front line wagers before the first roll",
        "front_line_tips": "Front line wagers for the crew",
        "front_line_tips_whole_dollars": "Such wagers in whole dollars",
        "front_line_tip_cents_max": "Most that such a wager may be",
    },
    "Of this regulation": {"elections": ""},
    "Procedures": {"procedures": "Who does what at the table"},
    "The office": {"office": "Public standard that its office follows besides"},
}
_NOTES = {
    "limits": "In place of the table's. Without a maximum only the minimum is raised.",
    "odds_cents_max": "0: only the multiples limit it.",
    "procedures": "House rules, since the regulation has none. They are kept as they are in the file: edit them there.",
    "seat_left_of_stickperson": "Seat 1 is at the boxperson's left.",
}
_CHOSEN_ABOVE = ("rules", "game")  # by what the form is for
_YES_NO = {True: "yes", False: "no"}


class FieldOption(Struct, frozen=True):
    """Something that can be chosen."""

    value: str | int | bool
    label: str
    note: str = ""


class ElectionField(Struct, frozen=True):
    """One election: what it is called, how it is filled in, and what bounds it."""

    key: str  # as a house file and a breach name it
    group: str
    label: str
    kind: str  # text, cents, percent, count, choice, some, odds, limits, payouts or kept
    value: Any  # its default
    bounds: str
    clauses: tuple[str, ...]
    note: str = ""
    options: tuple[FieldOption, ...] = ()


class ElectedLine(Struct, frozen=True):
    """One choice that the regulation leaves to a house, with the value chosen."""

    label: str
    elected: str
    permitted: str
    clauses: tuple[str, ...]


def elections_in_force(rules: Rules) -> Iterator[ElectedLine]:
    """Yield the elections in which a house has a choice.

    >>> next(elections_in_force(Rules.of("maryland")))
    ElectedLine(label='Places at the table', elected='20', permitted='1 to 40', clauses=('MD-3.A',))
    """
    sign = rules.rulebook.general.currency
    for field in election_fields(rules):
        least, _to, most = field.bounds.partition(" to ")
        is_one = field.kind == "choice" and len(field.options) == 1
        is_none = field.kind == "some" and not field.options
        if field.key != "name" and not (least == most or is_one or is_none):
            yield ElectedLine(field.label, elected_text(field, sign), field.bounds, field.clauses)


def election_fields(rules: Rules) -> list[ElectionField]:
    """Return a field for every election of a house, in groups, with the values of the given house as defaults.

    >>> (least,) = [field for field in election_fields(Rules.of("maryland")) if field.key == "wager_cents_min"]
    >>> least.label, least.kind, least.value, least.bounds, least.clauses
    ('Table minimum', 'cents', 500, '$0.01 or more', ('MD-3.B.1',))
    """
    known = {key for labels in _GROUPS.values() for key in labels}
    rest = {key: words(key) for key in House.__struct_fields__ if key not in known and key not in _CHOSEN_ABOVE}
    groups = {**_GROUPS, "More": rest}
    found = [
        field
        for group, labels in groups.items()
        for key, label in labels.items()
        for field in _fields_of(rules, group, key, label)
    ]
    return in_currency(found, rules.rulebook.general.currency)


def elected_text(field: ElectionField, sign: str = DOLLAR) -> str:
    """Return what a house has elected, in words, with the sign of its currency.

    >>> fields = {field.key: elected_text(field) for field in election_fields(Rules.of("maryland"))}
    >>> fields["wager_cents_min"], fields["buy_vigorish_basis_points"], fields["side_wagers.fire"], fields["limits"]
    ('$5', '5 %', 'not offered', 'buy $20 or more; centre $1 to $1,000; lay $20 or more')
    >>> fields["odds"]
    '3x on 4, 10; 4x on 5, 9; 5x on 6, 8'
    """
    return in_currency(_choice_text(field), sign)


def _choice_text(field: ElectionField) -> str:
    value = field.value
    match field.kind:
        case "cents":
            return _dollars(value) if value or field.key != "odds_cents_max" else "only the multiples"
        case "percent":
            return percent_text(value)
        case "choice":
            return next((option.label for option in field.options if option.value == value), _value_text(value))
        case "some":
            return ", ".join(words(str(choice)) for choice in value) or "none"
        case "odds":
            multiples = group_items((multiple, point) for point, multiple in value.items())
            return "; ".join(f"{multiple}x on {', '.join(on)}" for multiple, on in multiples.items())
        case "limits":
            return "; ".join(f"{words(kind)} {_limit(limit)}" for kind, limit in sorted(value.items())) or "none"
        case "payouts":
            return "; ".join(f"{words(kind)} {pays}" for kind, pays in sorted(value.items())) or "none"
        case "kept":
            return "as its house file says"
        case _:
            return str(value)


def _limit(limit: dict[str, int]) -> str:
    least, most = _dollars(limit["min"]), limit.get("max")
    return f"{least} or more" if most is None else f"{least} to {_dollars(most)}"


def _fields_of(rules: Rules, group: str, key: str, label: str) -> Iterator[ElectionField]:
    if is_absent(rules.rulebook, key):
        return
    if key in {"office", "elections"}:  # not every house has them
        own = own_elections(rules.rulebook).items()
        yield from (
            (_preset(rules, group, label), _books(rules, group))
            if key == "office"
            else (_own(rules, group, *item) for item in own)
        )
        return
    yield from _fields_in_house(rules, group, key, label)


def _fields_in_house(rules: Rules, group: str, key: str, label: str) -> Iterator[ElectionField]:
    """Yield the fields of a key that every house has a value for."""
    value = msgspec.to_builtins(getattr(rules.house, key))
    match key:
        case "odds":
            yield _odds(rules, group, label)
        case "limits":
            yield _field(rules, group, key, label, "limits", value, "any wager", _limit_options(rules))
        case "payouts":
            yield _payouts(rules, group, label, value)
        case "side_wagers":
            yield from _side_wagers(rules, group)
        case "readings":
            yield from _readings(rules, group)
        case "procedures":
            if value is not None:
                yield _field(rules, group, key, label, "kept", value, "by the house")
        case "seats":
            seats = rules.game.seats
            most = f"1 to {seats.seats_max}" if seats.seats_max else "1 to 40"
            yield ElectionField(key, group, label, "count", value, most, cites_of(seats.cite))
        case _:
            yield _plain(rules, group, key, label, value)


def _own(rules: Rules, group: str, key: str, election: Election) -> ElectionField:
    """Return the field of an election that the rulebook declares itself."""
    label, value = election.label or words(key), msgspec.to_builtins(rules.choice_of(key))
    kind = {"cents": "cents", "basis_points": "percent"}.get(election.unit, "count")
    found = _field_by_bounds(f"elections.{key}", election, kind, value)
    return replace(found, group=group, label=label, note=election.reading)


def _field_by_bounds(key: str, election: Election, kind: str, value: object) -> ElectionField:
    """Return the field of an election by its bounds: a choice, some names, or a number of a kind."""
    options: tuple[FieldOption, ...] = ()
    if election.choices:
        kind, options = "choice", tuple(FieldOption(choice, _value_text(choice)) for choice in election.choices)
    elif election.subset_of is not None:
        kind = "some"
        options = tuple(FieldOption(int(word) if word.isdigit() else word, words(word)) for word in election.subset_of)
    return ElectionField(key, "", "", kind, value, _bounds(election, kind), cites_of(election.cite), "", options)


def _field(  # noqa: PLR0917 - as a field has them
    rules: Rules,
    group: str,
    key: str,
    label: str,
    kind: str,
    value: object,
    bounds: str,
    options: Iterable[FieldOption] = (),
) -> ElectionField:
    clauses = cites_of(election_of(rules.rulebook, key).cite)
    return ElectionField(key, group, label, kind, value, bounds, clauses, _NOTES.get(key, ""), tuple(options))


def _plain(rules: Rules, group: str, key: str, label: str, value: object) -> ElectionField:
    """Return the field of an election that is a choice, a set, an amount, a rate, a number or a text."""
    election = rules.rulebook.elections.get(key)
    note = " ".join(filter(None, (_NOTES.get(key, ""), election.reading if election else "")))
    clauses = cites_of(election_of(rules.rulebook, key).cite)
    if election and (election.choices or election.subset_of is not None):
        return replace(_field_by_bounds(key, election, "", value), group=group, label=label, note=note)
    kind = "text" if isinstance(value, str) else "cents" if "cents" in key else "count"
    kind = "percent" if key.endswith("basis_points") else kind
    bounds = _bounds(election, kind) if election else "any" if kind == "text" else "0 or more"
    bounds = f"1 to the number of places, {rules.house.seats}" if key == "seat_left_of_stickperson" else bounds
    if key == "odds_cents_max":
        clauses = _clauses(_odds_limits(rules))
    return ElectionField(key, group, label, kind, value, bounds, clauses, note)


def _dollars(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True)


def _value_text(value: object) -> str:
    return _YES_NO[value] if isinstance(value, bool) else words(str(value))


def _bounds(election: Election, kind: str) -> str:
    """Return what may be elected, in the unit of the field."""
    if kind in {"cents", "percent"}:
        shown = _dollars if kind == "cents" else percent_text
        least, most = (None if bound is None else shown(bound) for bound in (election.min, election.max))
        text = f"{least} to {most}" if least and most else f"{least} or more" if least else f"{most} or less"
        return text if least or most else "any"
    text = bounds_text(replace(election, same_as=""), printed=_value_text).replace("_", " ")
    key = election.same_as
    label = next((labels[key] for labels in _GROUPS.values() if key in labels), words(key)).lower()
    return f"{text}, the same as {label}" if key else text


def _odds_limits(rules: Rules) -> list[OddsLimit]:
    return [rule.entry.limit for rule in rules.wagers.values() if isinstance(rule.entry, OddsWager)]


def _clauses(rules: Iterable[Rule]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for rule in rules for clause in cites_of(rule.cite)))


def _odds(rules: Rules, group: str, label: str) -> ElectionField:
    """Return one field for the multiples on all points."""
    limits = _odds_limits(rules)
    bounds = _odds_bounds(limits)
    value = rules.odds_posted()
    points = tuple(FieldOption(point, f"on {point}") for point in value)
    return ElectionField("odds", group, label, "odds", value, bounds, _clauses(limits), "", points)


def _odds_bounds(limits: list[OddsLimit]) -> str:
    """Return the bounds of odds as multiples of the base wager, as a form says them: "1 to 3 times".

    They are bounds that every odds wager of a game allows: the highest of the least and the lowest of the most. Where a
    bound differs by number, the bounds of each odds wager are listed instead.
    """
    if any(isinstance(bound, dict) for limit in limits for bound in (limit.multiple_min, limit.multiple_max)):
        return "; ".join(dict.fromkeys(odds_bounds(limit) for limit in limits))
    least = max((limit.multiple_min or 1 for limit in limits), default=1, key=_multiple)
    mosts = [limit.multiple_max for limit in limits if limit.multiple_max]
    return f"{least} to {min(mosts, key=_multiple)} times" if mosts else f"{least} times or more"


def _multiple(written: object) -> Fraction:
    assert isinstance(written, int | str)
    return multiple_of(written)


def _limit_options(rules: Rules) -> Iterator[FieldOption]:
    """Yield the wagers that can have limits of their own; the centre counts as one wager."""
    yield FieldOption("centre", "Every wager of the centre")
    for kind, rule in rules.wagers.items():
        if not isinstance(rule.entry, SideWager) and not (
            rule.behind and rules.rulebook.general.limits.odds_outside_max
        ):
            yield FieldOption(kind, rule.entry.name)


def _payouts(rules: Rules, group: str, label: str, value: object) -> ElectionField:
    """Return the field for payouts better than the listed ones, with every listed line."""
    found: dict[str, FieldOption] = {}
    for kind, rule in rules.wagers.items():
        if isinstance(rule.entry, Composite | SideWager):
            continue
        names = [kind, *(f"{kind} {number_text(number)}" for number in rule.payouts if number)]
        names += [f"{kind} {total}" for total in range(2, 13)]
        for name in names:
            lines = payout_lines(rules.rulebook, name, rules.house.game)
            if len({line.pays for line in lines}) == 1:
                number = name.partition(" ")[2]
                found[name] = FieldOption(name, f"{rule.entry.name} {number}".strip(), lines[0].pays)
    general = rules.rulebook.general
    clauses = _clauses((general.listed_payouts, general.fixed_payouts))
    bounds = {"least": "as listed or more", "only": "as listed", "default": "others only if approved"}
    said = bounds.get(general.listed_payouts.listed, "as the regulation lists them")
    return ElectionField("payouts", group, label, "payouts", value, said, clauses, "", tuple(found.values()))


def _preset(rules: Rules, group: str, label: str) -> ElectionField:
    """Return the field of the preset by which the office is run where the regulation says nothing."""
    office = rules.house.office
    value = "" if office is msgspec.UNSET else office.preset
    options = (FieldOption("", "none"), *(FieldOption(preset, words(preset)) for preset in installed_presets()))
    bounds = " or ".join(option.label for option in options)
    return ElectionField("office.preset", group, label, "choice", value, bounds, ("practice",), "", options)


def _books(rules: Rules, group: str) -> ElectionField:
    """Return the field of what a house keeps besides, that no text asks it to."""
    office = rules.house.office
    value = [] if office is msgspec.UNSET else [*office.books]
    options = tuple(FieldOption(book, words(book)) for book in installed_books())
    label, bounds = "What its office keeps besides", ", ".join(option.label for option in options)
    return ElectionField("office.books", group, label, "some", value, bounds, ("practice",), "", options)


def _side_wagers(rules: Rules, group: str) -> Iterator[ElectionField]:
    entries = (rule.entry for rule in rules.wagers.values() if isinstance(rule.entry, SideWager))
    for key in dict.fromkeys(entry.offered for entry in entries):
        election = rules.rulebook.elections[key]
        options = tuple(
            FieldOption(choice, "not offered" if choice == "none" else f"pay table {choice}")
            for choice in election.choices
        )
        value, clauses = rules.house.side_wagers.get(key, "none"), cites_of(election.cite)
        bounds = _bounds(election, "choice")
        name, label, note = f"side_wagers.{key}", words(key).capitalize(), election.reading
        yield ElectionField(name, group, label, "choice", value, bounds, clauses, note, options)


def _readings(rules: Rules, group: str) -> Iterator[ElectionField]:
    for kind, rule in rules.wagers.items():
        if isinstance(rule.entry, Run):
            options = tuple(FieldOption(key, words(key), said.reading) for key, said in rule.entry.readings.items())
            value = rules.house.readings.get(kind) or options[0].value
            clauses = _clauses(rule.entry.readings.values())
            label, bounds = f"How {rule.entry.name} is read", f"one of {len(options)} readings of its text"
            yield ElectionField(f"readings.{kind}", group, label, "choice", value, bounds, clauses, "", options)
