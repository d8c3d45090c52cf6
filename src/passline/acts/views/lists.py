"""Lists of an office, to be exported: things of a kind, stocks, and the acts of a day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import json

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.rules import ActRules
from passline.acts.schema import PRACTICE, Act
from passline.acts.state import ActState
from passline.documents.sheet import Cell, SheetTable
from passline.money import dollars

Names = Mapping[str, str]
"""What people are called, by their accounts."""
_NOBODY: Names = {}
_PERSON = "person"


def things_table(
    rules: ActRules, state: ActState, kind: str, states: Iterable[str] = (), names: Names = _NOBODY
) -> SheetTable:
    """Return the things of a kind with all that is known of them; people with their names."""
    known = state.of_kind(kind, states)
    facts = list(dict.fromkeys(fact for thing in known for fact in thing.facts))
    is_person = kind == _PERSON
    return SheetTable(
        title=rules.pages.things[kind].name if kind in rules.pages.things else kind,
        heads=(kind, *("name",) * is_person, "state", "since", *(fact.replace("_", " ") for fact in facts)),
        rows=tuple(
            (
                thing.id,
                *(names.get(thing.id),) * is_person,
                thing.state.replace("_", " "),
                _local(state.facility, thing.since),
                *(_cell(thing.facts.get(fact), names) for fact in facts),
            )
            for thing in known
        ),
    )


def stocks_table(rules: ActRules, state: ActState) -> SheetTable:
    """Return what is where: a row for each stock, place and denomination."""
    return SheetTable(
        title="Stocks",
        heads=("stock", "place", "denomination $", "units", "amount $"),
        rows=tuple(
            (
                rules.pages.stocks[stock].name if stock in rules.pages.stocks else stock,
                place,
                int(denomination),
                count,
                int(denomination) * count,
            )
            for stock, places in state.stocks.items()
            for place, units in sorted(places.items())
            for denomination, count in sorted(units.items(), key=lambda unit: int(unit[0]))
        ),
    )


def acts_table(
    rules: ActRules, facility: Facility | None, acts: Iterable[RecordedAct], names: Names = _NOBODY
) -> SheetTable:
    """Return acts with who did them, who signed, and what they said."""
    return SheetTable(
        title="Acts",
        heads=("no.", "recorded", "occurred", "act", "about", "by", "signed by", "status", "what it says", "clause"),
        widths=(0.4, 1.35, 1.35, 1.7, 1.1, 1.3, 1.8, 0.8, 3.2, 0.9),
        rows=tuple(
            (
                act.done.number,
                _local(facility, act.at),
                _local(facility, act.done.occurred) if act.done.occurred != act.at else "",
                rule.name if (rule := rules.act(act.done.act)) else act.done.act,
                " ".join(
                    (act.done.kind.replace("_", " "), *(names.get(thing, thing) for thing in act.done.things))
                ).strip(),
                f"{act.done.name}, {act.done.role}",
                signers_of(act),
                act.marked_status,
                "; ".join(
                    filter(None, (act.reason, fields_in_words(act.done.fields, rule, names), correction_in_words(act)))
                ),
                cited_clause(act.done.clause),
            )
            for act in acts
        ),
    )


def signers_of(act: RecordedAct) -> str:
    """Return who signed an act, each with the part, and whom it waits for."""
    signed = [
        f"{signature.name}, {signature.role} ({signature.part.replace('_', ' ')})" for signature in act.signatures
    ]
    if act.status == "waits":
        there = {signature.part for signature in act.signatures}
        signed += [f"waits for {part.replace('_', ' ')}" for part in act.done.waits if part not in there]
    return "; ".join(signed)


def correction_in_words(act: RecordedAct) -> str:
    """Return what an act has put right, with what was said before; or by which acts it was put right itself."""
    if act.correction is not None:
        was = "; ".join(
            f"{key.replace('_', ' ')}: {value_in_words(value) if value else 'nothing'}"
            for key, value in act.correction.was.items()
        )
        return f"before, by act {act.correction.last}: {was}"
    return f"corrected by act {' and '.join(map(str, act.corrected_by))}" if act.corrected_by else ""


def cited_clause(clause: str) -> str:
    """Return a clause as lists name it: nothing where no text asks for it."""
    return "" if clause == PRACTICE else clause


def fields_in_words(fields: Mapping[str, Any], act: Act | None = None, names: Names = _NOBODY) -> str:
    """Return the fields of an act in words, long ones cut short: the entry in the log has them whole.

    >>> fields_in_words({"reason": "spilt", "chips": {"500": 40}, "seen": {"oval": True, "legs": False}})
    'reason: spilt; chips: 40 x $5.00; seen: oval, not legs'
    """
    money = {key for key, field in act.fields.items() if field.type == "cents"} if act else set()
    return "; ".join(
        f"{key.replace('_', ' ')}: {f'${dollars(value)}' if key in money else value_in_words(value, names)}"
        for key, value in fields.items()
    )


def value_in_words(value: Any, names: Names = _NOBODY) -> str:  # noqa: ANN401 - of any kind
    """Return a value of a field in words, accounts by the names of their people."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict() if value and all(isinstance(item, bool) for item in value.values()):
            return ", ".join(f"{'' if item else 'not '}{key.replace('_', ' ')}" for key, item in value.items())
        case dict() if value and all(key.isdecimal() and isinstance(item, int) for key, item in value.items()):
            units = sorted(value.items(), key=lambda unit: int(unit[0]))
            return ", ".join(f"{count} x ${dollars(int(unit))}" for unit, count in units)
        case dict() if all(isinstance(item, str | int) for item in value.values()) and len(value) < _MANY:
            return ", ".join(f"{names.get(key, key)} {item}" for key, item in value.items()) or "nothing"
        case dict():
            return "as the log has it"
        case list() | tuple():
            return ", ".join(value_in_words(item, names) for item in value)
        case str() if value in names:
            return names[value]
        case str() if len(value) == _DIGEST and set(value) <= set("0123456789abcdef"):
            return f"{value[:12]}..."
        case _:
            return _cut(str(value))


_DIGEST = 64
_LONG = 200
_MANY = 20


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def _cell(value: Any, names: Names) -> Cell:  # noqa: ANN401 - a fact of any kind
    match value:
        case None | "":
            return None
        case bool():
            return "yes" if value else "no"
        case str():
            return names.get(value, value)
        case int():
            return value
        case list() | tuple() if all(isinstance(item, str | int) for item in value):
            return ", ".join(names.get(str(item), str(item)) for item in value)
        case _:
            return json.encode(value, order="deterministic").decode()


def _local(facility: Facility | None, at: str) -> str:
    return f"{facility.local(at):%Y-%m-%d %H:%M}" if facility and at else at
