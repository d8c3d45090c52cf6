"""Lists of an office, to be exported: things of a kind, stocks, and the acts of a day."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import json

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.judges.past import PAST
from passline.acts.rules import ActRules
from passline.acts.schema import PRACTICE
from passline.acts.state import ActState
from passline.acts.views.wording import NOBODY, Names, Wording, name_beside_dollars
from passline.documents.sheet import Cell, SheetTable

_PERSON = "person"


def things_table(
    rules: ActRules, state: ActState, kind: str, states: Iterable[str] = (), names: Names = NOBODY
) -> SheetTable:
    """Return the things of a kind with all that is known of them; people with their names."""
    known = state.of_kind(kind, states)
    facts = list(dict.fromkeys(fact for thing in known for fact in thing.facts if fact != PAST))
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
    rules: ActRules,
    facility: Facility | None,
    acts: Iterable[RecordedAct],
    names: Names = NOBODY,
    state: ActState | None = None,
) -> SheetTable:
    """Return acts with who did them, who signed, and what they said."""
    words = Wording(rules=rules, names=names, facility=facility, state=state)
    return SheetTable(
        title="Acts",
        heads=("no.", "recorded", "occurred", "act", "about", "by", "signed by", "status", "what it says", "clause"),
        widths=(0.45, 0.95, 0.95, 1.7, 1.2, 1.3, 2.8, 0.7, 3.2, 1.05),
        rows=tuple(
            (
                act.done.number,
                words.local(act.at),
                words.local(act.done.occurred) if act.done.occurred != act.at else "",
                rule.name if (rule := rules.act(act.done.act)) else act.done.act.replace("_", " "),
                things_in_words(act, words),
                doer_of(act),
                signers_of(act, rules),
                act.marked_status,
                "; ".join(
                    filter(
                        None, (act.reason, words.fields(act.done.act, act.done.fields), correction_in_words(act, words))
                    )
                ),
                cited_clause(act.done.clause),
            )
            for act in acts
        ),
    )


def things_in_words(act: RecordedAct, words: Wording) -> str:
    """Return what an act was done to: the kind as the pages call it, and which."""
    done = act.done
    kind = words.kind_name(done.kind) if done.kind and done.kind != _PERSON else ""
    return " ".join(filter(None, (kind, words.thing_names(done.kind, done.things))))


def doer_of(act: RecordedAct) -> str:
    """Return who did an act, and in which capacity."""
    return f"{act.done.name}, {act.done.role.replace('_', ' ')}"


def part_in_words(rules: ActRules, act: RecordedAct, part: str) -> str:
    """Return the capacity in which somebody signs an act, in the words of its page."""
    rule = rules.act(act.done.act)
    sign = rules.signature(rule, part) if rule else None
    return sign.name if sign else part.replace("_", " ")


def signers_of(act: RecordedAct, rules: ActRules) -> str:
    """Return who signed an act, each in which capacity, and whom it waits for."""
    if not act.done.waits and not act.signatures:
        return ""
    signed = [
        f"{signature.name}, {signature.role.replace('_', ' ')} ({part_in_words(rules, act, signature.part)})"
        for signature in act.signatures
    ]
    if act.status == "waits":
        there = {signature.part for signature in act.signatures}
        signed += [f"waits for {part_in_words(rules, act, part)}" for part in act.done.waits if part not in there]
    return "; ".join(signed)


def signers_in_short(act: RecordedAct, rules: ActRules) -> str:
    """Return who signed an act, where all acts of a list are signed alike; and whom it waits for."""
    if act.status == "waits":
        return signers_of(act, rules)
    return "; ".join(f"{signature.name}, {signature.role.replace('_', ' ')}" for signature in act.signatures)


def correction_in_words(act: RecordedAct, words: Wording) -> str:
    """Return what an act has put right, with what was said before; or by which acts it was put right itself."""
    if act.correction is not None:
        rule = words.rules.act(act.done.act) if words.rules else None
        fields = rule.fields if rule else {}
        was = "; ".join(
            f"{name_beside_dollars(fields[key].name) if key in fields else key.replace('_', ' ')}: "
            f"{words.field(fields.get(key), value) if value else 'nothing'}"
            for key, value in act.correction.was.items()
        )
        return f"before, by act {act.correction.last}: {was}"
    return f"corrected by act {' and '.join(map(str, act.corrected_by))}" if act.corrected_by else ""


def cited_clause(clause: str) -> str:
    """Return a clause as lists name it: nothing where no text asks for it."""
    return "" if clause == PRACTICE else clause


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
    return facility.minute(at) if facility and at else at


def late_mark(act: RecordedAct) -> str:
    """Return the mark of an act that was told late, or from a manual slip."""
    slip = f", from manual slip {act.done.slip}" if act.done.slip else ""
    return f"{', told late' if act.done.is_late else ''}{slip}"


def correction_words(act: RecordedAct) -> str:
    """Return which act a correction puts right and why, or by which acts one was put right."""
    if "corrects" in act.done.fields:
        return f", corrects act {act.done.fields['corrects']}: {act.done.fields.get('reason', '')}"
    return f", corrected by act {' and '.join(map(str, act.corrected_by))}" if act.corrected_by else ""
