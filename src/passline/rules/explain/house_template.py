"""A house file to start from: a house in TOML, with the bounds of every election in comments."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from passline.rules.elections import House, is_absent
from passline.rules.explain.wagers import bounds_text, odds_bounds
from passline.rules.rules import Rules
from passline.rules.schema import Election, OddsWager, Run, SideWager, cites_of, own_elections

_WIDTH = 100
_NOTES = {
    "rules": "the regulation of this house",
    "game": "the game its tables deal",
    "seats": "places at the table",
    "seat_left_of_stickperson": "the first seat to the stickperson's left; seat 1 is at the boxperson's left",
    "odds_cents_max": "the most any odds wager may be, in cents; 0 if only the multiples limit it",
    "limits": 'limits in cents of wagers that differ from the table\'s; "centre" is every wager of the centre, '
    "and without a max the table's limits hold above the min",
    "payouts": 'payouts that differ from the list, such as "field 12" = "3 to 1"',
    "elections": "what this regulation leaves to a house beyond what others do",
    "side_wagers": 'the pay table of each side wager; "none" if it is not offered',
    "readings": "the reading of each side wager whose text is garbled",
    "procedures": "who does what at the table: house rules, because the regulation has none",
}


def house_file(rules: Rules) -> str:
    """Return a house as a commented TOML file, which reads back to the same elections.

    >>> print(*house_file(Rules.of("maryland")).splitlines()[:3], sep=chr(10))
    # A house under Maryland craps and mini-craps, version 1.5. A key that is left out has its default.
    # the regulation of this house
    rules = "maryland"
    """
    title = rules.rulebook.general.title
    lines = [f"# A house under {title}. A key that is left out has its default."]
    tables: list[str] = []
    for field in msgspec.structs.fields(House):
        value = getattr(rules.house, field.name)
        if value is None or value is msgspec.UNSET or is_absent(rules.rulebook, field.name):
            continue
        comments = _comments(_notes(rules, field.name))
        if field.name in _COMPLETE:
            lines_of = list(_COMPLETE[field.name](rules))
            tables += ["", *comments, f"[{field.name}]", *lines_of] if lines_of else []
        elif isinstance(value, dict):
            plain = {key: msgspec.to_builtins(entry) for key, entry in value.items()}
            tables += ["", *comments, *_table(plain, field.name)]
        else:
            lines += [*comments, f"{field.name} = {_toml(value)}"]
    return "\n".join([*lines, *tables]) + "\n"


def _comments(texts: Iterable[str]) -> list[str]:
    return [f"# {line}" for text in texts for line in textwrap.wrap(text, _WIDTH - 2)]


def _side_wagers(rules: Rules) -> Iterator[str]:
    """Yield the pay table of every side wager this game may have, with those that may be elected."""
    entries = (rule.entry for rule in rules.wagers.values() if isinstance(rule.entry, SideWager))
    for key in dict.fromkeys(entry.offered for entry in entries):
        yield from _comments(_bounds(rules.rulebook.elections[key]))
        yield f"{_key(key)} = {_toml(rules.house.side_wagers.get(key, 'none'))}"


def _readings(rules: Rules) -> Iterator[str]:
    """Yield the reading of every side wager whose text has several, with what each of them says."""
    for kind, rule in rules.wagers.items():
        if isinstance(rule.entry, Run):
            readings = rule.entry.readings
            yield from _comments(
                f"{_toml(name)}: {reading.reading} [{', '.join(cites_of(reading.cite))}]"
                for name, reading in readings.items()
            )
            yield f"{_key(kind)} = {_toml(rules.house.readings.get(kind) or next(iter(readings)))}"


def _own(rules: Rules) -> Iterator[str]:
    """Yield the elections that the rulebook declares itself, each with its name and bounds."""
    for key, election in own_elections(rules.rulebook).items():
        yield from _comments(filter(None, (election.label, *_bounds(election))))
        yield f"{_key(key)} = {_toml(rules.choice_of(key))}"


# The tables that list every key there is, even those that the house leaves to the default.
_COMPLETE: dict[str, Callable[[Rules], Iterator[str]]] = {
    "side_wagers": _side_wagers,
    "readings": _readings,
    "elections": _own,
}


def _bounds(election: Election) -> Iterator[str]:
    yield f"{bounds_text(election, printed=_toml)} [{', '.join(cites_of(election.cite))}]"
    if election.reading:
        yield election.reading


def _notes(rules: Rules, key: str) -> Iterator[str]:
    election = rules.rulebook.elections.get(key)
    if key in _NOTES:
        yield _NOTES[key]
    if election:
        yield from _bounds(election)
    if key == "odds":
        yield "the most that odds may be on each point, in multiples of the original wager"
    if key in {"odds", "odds_cents_max"}:
        yield from _odds_notes(rules, key)


def _odds_notes(rules: Rules, key: str) -> Iterator[str]:
    for kind, rule in rules.wagers.items():
        entry = rule.entry
        if not isinstance(entry, OddsWager):
            continue
        limit, clauses = entry.limit, ", ".join(cites_of(entry.limit.cite))
        if key == "odds":
            yield f"{kind}: {odds_bounds(limit)}, by {limit.on} [{clauses}]"
        elif limit.cents_max:
            yield f"{kind}: {limit.cents_max} or less [{clauses}]"


def _table(data: Mapping[str, object], path: str) -> Iterator[str]:
    """Yield the lines of a TOML table, its values before its subtables."""
    yield f"[{path}]"
    for key, value in data.items():
        if not _is_table(value):
            yield f"{_key(key)} = {_toml(value)}"
    for key, value in data.items():
        if isinstance(value, Mapping) and _is_table(value):
            yield ""
            yield from _table(value, f"{path}.{_key(key)}")


def _is_table(value: object) -> bool:
    """Return whether a value is written as a table of its own: if it has subtables, or its line would be long."""
    if not isinstance(value, Mapping):
        return False
    return any(isinstance(part, Mapping) for part in value.values()) or len(_toml(value)) > _WIDTH


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalnum() else _toml(key)


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_toml(part)}" for key, part in value.items()) + " }"
    return msgspec.json.encode(value).decode()  # TOML writes texts, integers, booleans and lists as JSON does
