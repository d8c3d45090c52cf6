"""The forms of a gaming day, in the order of its file: slips, inventories, drops, counts, tips, logs, incidents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.printed_schema import Form
from passline.acts.rules import ActRules
from passline.acts.state import CASH_REPORT, INCIDENT, KnownThing, thing_key
from passline.acts.views.forms import act_form, is_act_of, log_form, thing_form
from passline.acts.views.lists import things_in_words
from passline.documents.sheet import Cell, PrintedSheet, SheetTable
from passline.office.views.day_report import OfficeDay, OfficePast, is_shown

_FILE_COPY = "Copy for the day's file"


class DayForm(Struct, frozen=True):
    """One form of a gaming day: its page's name for it, its number, and what it is about."""

    form: str
    number: str  # of the thing, of the act, or the gaming day
    title: str
    about: str
    status: str


def forms_of_day(day: OfficeDay) -> list[DayForm]:
    """Return every form of a gaming day that is shown in its file, in order."""
    return [
        form
        for key, rule in day.rules.pages.forms.items()
        if not _is_within_another(day.rules, key, rule) and is_shown(day.rules, rule.thing)
        for form in _forms_of(day, key, rule)
    ]


def _is_within_another(rules: ActRules, key: str, form: Form) -> bool:
    """Return whether another form of the same thing has all that this one has, as a slip has its request."""
    if not form.thing:
        return False
    others = (other for name, other in rules.pages.forms.items() if name != key and other.thing == form.thing)
    return any({*form.acts} < {*other.acts} for other in others)


def _forms_of(day: OfficeDay, key: str, form: Form) -> Iterator[DayForm]:
    if form.is_log:
        lines = sum(is_act_of(day.rules, form, act) for act in day.own_acts())
        if lines:
            yield DayForm(key, day.day.isoformat(), form.name, f"{lines} {'line' if lines == 1 else 'lines'}", "")
        return
    if form.thing:
        for thing in _things_of(day, form.thing):
            about = str(thing.facts.get("table") or thing.facts.get("about") or thing.facts.get("patron") or "")
            state = thing.state.replace("_", " ")
            yield DayForm(key, thing.id, form.name, day.words.subject(about), state)
        return
    for act in day.own_acts():
        if is_act_of(day.rules, form, act):
            yield DayForm(key, str(act.done.number), form.name, things_in_words(act, day.words), act.marked_status)


def _things_of(day: OfficeDay, kind: str) -> list[KnownThing]:
    """Return the things of a kind that anything was done to in the day, or that came of it."""
    ids = [thing for act in day.own_acts() if act.done.kind == kind for thing in act.done.things]
    for _, event in day.events:
        if isinstance(event, e.IncidentOpened) and kind == INCIDENT:
            ids.append(event.id)
        elif isinstance(event, e.CashReached) and kind == CASH_REPORT:
            ids.append(event.report)
    found = (day.thing(kind, id_) for id_ in dict.fromkeys(ids))
    return sorted((thing for thing in found if thing is not None), key=lambda thing: (len(thing.id), thing.id))


def form_sheets(past: OfficePast, form: DayForm) -> tuple[PrintedSheet, ...]:
    """Return a form of a gaming day as it is printed, one sheet for each of its copies."""
    day, rule = past.day, past.day.rules.pages.forms[form.form]
    if rule.is_log:
        return log_form(day, form.form, day.day, day.own_acts())
    if rule.thing:
        thing = day.thing(rule.thing, form.number)
        assert thing is not None
        subject = thing_key(thing.kind, thing.id)
        return thing_form(day, form.form, thing, past.acts_about(subject), past.entry_of(subject))
    act = day.acts[int(form.number)]
    return act_form(day, form.form, act, past.entry_of(f"act/{act.done.number}"))


def file_copies(past: OfficePast, forms: Sequence[DayForm]) -> list[PrintedSheet]:
    """Return the forms for the file of a day, each once: slips first, then the others, each of which begins a page."""
    sheets = []
    for form in forms:
        first, *others = form_sheets(past, form)
        sheets.append(replace(first, copy=_FILE_COPY) if others else first)
    return sheets


def forms_table(day: OfficeDay, all_forms: Sequence[DayForm]) -> SheetTable:
    """Return the list of forms in the file of a day, with any number that is missing in a series."""
    rows: list[tuple[Cell, ...]] = []
    known: dict[str, list[DayForm]] = {}
    for form in all_forms:
        known.setdefault(form.form, []).append(form)
    for key, forms in known.items():
        rule = day.rules.pages.forms[key]
        kind = day.rules.pages.things.get(rule.thing)
        numbers = [form.number for form in forms]
        void = sum(form.status.startswith(("void", "taken back")) for form in forms)
        missing = ", ".join(_gaps(numbers)) or "none" if kind and kind.series else ""
        rows.append((rule.name, _span(day, forms), len(forms), void or None, missing))
    return SheetTable(
        title="Forms in this file",
        heads=("form", "numbers", "how many", "void or taken back", "numbers missing between"),
        widths=(2.4, 2.4, 0.7, 1, 2),
        rows=tuple(rows),
        nothing="No form.",
    )


def _span(day: OfficeDay, forms: Sequence[DayForm]) -> str:
    """Return the numbers of forms of a kind: of a series from the first to the last, else of their acts or lines."""
    rule, first, last = day.rules.pages.forms[forms[0].form], forms[0].number, forms[-1].number
    if rule.is_log:
        return forms[0].about
    if not rule.thing:
        return f"acts {first} to {last}" if len(forms) > 1 else f"act {first}"
    if rule.thing == CASH_REPORT:
        return ", ".join(form.about for form in forms)
    return f"{first} to {last}" if len(forms) > 1 else first


def _gaps(numbers: Sequence[str]) -> list[str]:
    """Return the numbers of a series that are missing between the first and the last.

    >>> _gaps(["F-000001", "F-000002", "F-000004"]), _gaps(["I-1", "I-2"])
    (['F-000003'], [])
    """
    series, _, first = numbers[0].rpartition("-")
    there = {int(number.rpartition("-")[2]) for number in numbers if number.rpartition("-")[2].isdecimal()}
    if not there:
        return []
    return [f"{series}-{number:0{len(first)}}" for number in range(min(there), max(there)) if number not in there]
