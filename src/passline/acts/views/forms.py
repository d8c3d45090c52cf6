"""Forms as they are printed from the log: each described on a page, and all of them made here.

A form of a thing is numbered as the thing is; one of an act has the act's number; a log has a line for each of its
acts in a gaming day. Each bears a code of the entry behind it: the number of the entry and its hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.judges.cash import is_cash
from passline.acts.papers.form_codes import EntryMark, FormCode
from passline.acts.papers.houses import currency_of, regulation_title
from passline.acts.printed_schema import Form, FormPart
from passline.acts.rules import ActRules
from passline.acts.schema import PRACTICE, Field
from passline.acts.state import ActState, KnownThing
from passline.acts.views.lists import doer_of, part_in_words, signers_in_short, things_in_words
from passline.acts.views.slip_lines import lines_table
from passline.acts.views.wording import NOBODY, Names, Wording, money_in_words, name_beside_dollars, time_zone_in_words
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, SignatureLine, sheet_in
from passline.rules.schema import clause_text

SIGNED_WITH = ("signature", "name", "role", "licence no.", "date and time")
"""What stands beside each signature under a form."""
_SIGNERS = ("by", "signed by", "initials")
_SHIFT_FIELDS = ("shift", "gaming_day")  # which stand at the head of a form
_CASH = {"cash_in": "house", "cash_out": "patron"}  # whom it goes to
_BEFORE_PARTS = 4  # columns of a log: number, time, act, thing


class FormMatter(Struct, frozen=True, kw_only=True):
    """What forms are printed from: the office at some time, and the names of people."""

    rules: ActRules
    state: ActState
    facility: Facility
    names: Names = NOBODY

    @property
    def words(self) -> Wording:
        """What words of acts depend on."""
        return Wording(rules=self.rules, names=self.names, facility=self.facility, state=self.state)

    @property
    def regulation(self) -> str:
        """The regulation as papers name it."""
        return regulation_title(self.rules.name)

    def local(self, at: str) -> str:
        """Return a moment as local time."""
        return self.facility.minute(at) if at else ""


def thing_form(
    matter: FormMatter, key: str, thing: KnownThing, acts: Sequence[RecordedAct], entry: EntryMark | None
) -> tuple[PrintedSheet, ...]:
    """Return the form of a thing, one sheet for each of its copies; `acts` are those that were done to it."""
    form = matter.rules.pages.forms[key]
    own = [act for act in acts if act.done.kind == thing.kind and act.status != "taken back"]
    fields: dict[str, Field] = {}
    for name in (*form.acts, *(act.done.act for act in own)):
        rule = matter.rules.act(name)
        fields |= rule.fields if rule else {}
    opened = own[0].done.occurred if own else thing.since
    kind, first = matter.rules.pages.things.get(thing.kind), own[0].done.number if own else 0
    is_numbered = kind is not None and bool(kind.series)
    day = f"{matter.facility.gaming_day(opened)}, {matter.facility.shift_of(opened).name} shift"
    patron = thing.facts.get("patron")
    about = matter.words.subject(patron) if isinstance(patron, str) else matter.words.thing_name(thing.kind, thing.id)
    facts = [
        *([] if is_numbered else [("of", about)]),
        ("gaming day", day),
        ("state", thing.state.replace("_", " ")),
    ]
    lines, tables = _entries(matter, form, _Values(thing=thing, acts=own, fields=fields))
    waits = [name for name in form.acts if name not in {act.done.act for act in own}]
    has_ended = kind is not None and thing.state in kind.final
    signatures = [line for act in own for line in _signatures(matter, act)]
    signatures += [] if has_ended else [line for name in waits for line in _blank(matter, name)]
    unnumbered = f"no. {first}" if first else f"entry {entry.sequence}" if entry else ""
    return _copies(
        matter,
        form,
        number=thing.id if is_numbered else unnumbered,
        facts=(*facts, *lines),
        tables=tables,
        signatures=signatures,
        stamp=thing.state if thing.state in form.stamps else "",
        entry=entry,
        foot=(f"gaming day {day}", *_foot(matter, own, first)),
    )


def act_form(matter: FormMatter, key: str, act: RecordedAct, entry: EntryMark | None) -> tuple[PrintedSheet, ...]:
    """Return the form of an act, one sheet for each of its copies."""
    form, done = matter.rules.pages.forms[key], act.done
    rule = matter.rules.act(done.act)
    thing = matter.state.thing(done.kind, done.things[0]) if done.kind and done.things else None
    about = things_in_words(act, matter.words)
    shift = done.fields.get("shift") or matter.facility.shift_of(done.occurred).name
    day = done.fields.get("gaming_day") or matter.facility.gaming_day(done.occurred)
    facts = [("of", about)] if about else []
    facts += [("gaming day", f"{day}, {shift} shift"), ("occurred", matter.local(done.occurred))]
    facts += [("told late", f"recorded {matter.local(act.at)}")] if done.is_late else []
    facts += [("corrected", f"by act {' and '.join(map(str, act.corrected_by))}")] if act.corrected_by else []
    fields = {key: field for key, field in rule.fields.items() if key not in _SHIFT_FIELDS} if rule else {}
    values = _Values(thing=thing, acts=[act], fields=fields)
    lines, tables = _entries(matter, form, values)
    found = act.result.variances if act.result else ()
    differ = [("variance", matter.words.variance(each)) for each in found]
    return _copies(
        matter,
        form,
        number=f"no. {done.number}",
        facts=(*facts, *lines, *differ),
        tables=tables,
        signatures=[*_signatures(matter, act), *_lines_to_sign(matter, act)],
        stamp="taken back" if act.status == "taken back" else "corrected" if act.corrected_by else "",
        entry=entry,
        foot=(f"gaming day {day}, {shift} shift", *_foot(matter, [act], done.number)),
    )


def log_form(matter: FormMatter, key: str, day: date, acts: Sequence[RecordedAct]) -> tuple[PrintedSheet, ...]:
    """Return a log: a line for each of its acts in a gaming day, with money added up, and who reviews it."""
    form, facility = matter.rules.pages.forms[key], matter.facility
    own = [act for act in acts if is_act_of(matter.rules, form, act)]
    rows = [_log_row(matter, form, day, act) for act in own]
    superseded = {act.correction.last for act in own if act.correction}
    stands = [act.status == "done" and act.done.number not in superseded for act in own]
    money = {
        place for place, part in enumerate(form.parts.values(), start=_BEFORE_PARTS) if _is_money(matter, form, part)
    }
    named = (
        f"{part.name} $" if place in money else part.name
        for place, part in enumerate(form.parts.values(), _BEFORE_PARTS)
    )
    heads = ("no.", "occurred", "what", "of", *named, *_SIGNERS)
    widths = (0.5, 0.8, 1.6, 1.2, *(0.9 if place + _BEFORE_PARTS in money else 1.6 for place in range(len(form.parts))))
    widths = (*widths, 1.3, 1.7, 0.7)
    used = [place for place, head in enumerate(heads) if head == _SIGNERS[-1] or any(row[place] for row in rows)]
    totals = _log_total([row for row, is_so in zip(rows, stands, strict=True) if is_so], money, len(heads))
    totals = totals if len(rows) > 1 and money & {*used} else []
    begins = f"Gaming day {day:%A}, {day.day} {day:%B %Y}, which begins at {facility.day_begins}"
    sheet = PrintedSheet(
        title=form.name,
        number=day.isoformat(),
        owner=facility.name,
        regulation=matter.regulation,
        dated="; ".join(filter(None, (begins, _citation(form)))),
        tables=(
            SheetTable(
                title="",
                heads=tuple(heads[place] for place in used),
                rows=tuple(tuple(row[place] for place in used) for row in (*rows, *totals)),
                totals=(len(rows),) if totals else (),
                widths=tuple(widths[place] for place in used),
                nothing="No entry in this gaming day.",
            ),
        ),
        signatures=(SignatureLine("who has reviewed it"),) if rows else (),
        signed_with=SIGNED_WITH,
        foot=(facility.name, f"{form.name}, gaming day {day}", time_zone_in_words(facility)),
        form="landscape",
    )
    return (sheet_in(sheet, currency_of(matter.rules.name)),)


def is_act_of(rules: ActRules, form: Form, act: RecordedAct) -> bool:
    """Return whether a form has a line or a sheet for an act."""
    rule = rules.act(act.done.act)
    return act.done.act in form.acts or (form.is_of_corrections and rule is not None and bool(rule.corrects))


def _is_money(matter: FormMatter, form: Form, part: FormPart) -> bool:
    """Return whether an entry of a log is an amount in each of its acts that has it."""
    name = part.source.partition(".")[2]
    fields = [rule.fields[name] for act in form.acts if (rule := matter.rules.act(act)) and name in rule.fields]
    return part.is_money or part.source in _CASH or (bool(fields) and all(field.type == "cents" for field in fields))


def _log_total(rows: Sequence[tuple[Cell, ...]], money: AbstractSet[int], columns: int) -> list[tuple[Cell, ...]]:
    """Return the row that adds up the money of a log: of what stands, as corrected."""
    sums = {place: sum(cell for row in rows if isinstance(cell := row[place], int)) for place in money}
    return [tuple("total" if place == 1 else sums.get(place, "") for place in range(columns))]


def _log_row(matter: FormMatter, form: Form, day: date, act: RecordedAct) -> tuple[Cell, ...]:
    rule, done = matter.rules.act(act.done.act), act.done
    values = _Values(thing=None, acts=[act], fields=rule.fields if rule else {})
    told = f" (taken back: {act.reason})" if act.status == "taken back" else ", told late" if done.is_late else ""
    told += f" (corrected by act {' and '.join(map(str, act.corrected_by))})" if act.corrected_by else ""
    cells = (
        _cents(_value(matter, part, values)) or None if _is_money(matter, form, part) else _line(matter, part, values)
        for part in form.parts.values()
    )
    local = matter.facility.local(done.occurred)
    return (
        done.number,
        f"{local:%H:%M}" if local.date() == day else f"{local:%d %b %H:%M}".lstrip("0"),
        f"{rule.name if rule else done.act.replace('_', ' ')}{told}",
        matter.words.thing_names(done.kind, done.things),
        *cells,
        doer_of(act),
        signers_in_short(act, matter.rules),
        "",
    )


class _Values(Struct, frozen=True, kw_only=True):
    """What the entries of a form are taken from."""

    thing: KnownThing | None
    acts: Sequence[RecordedAct]
    fields: Mapping[str, Field]

    def of_field(self, key: str) -> Any:  # noqa: ANN401 - as the log has it
        """Return the newest value of a field of its acts."""
        return next((act.done.fields[key] for act in reversed(self.acts) if key in act.done.fields), None)


def _entries(matter: FormMatter, form: Form, values: _Values) -> tuple[list[tuple[str, str]], tuple[SheetTable, ...]]:
    """Return the entries of a form: lines, and tables for units by denomination and for what has a heading."""
    parts = form.parts or {
        key: FormPart(name=field.name, source=f"field.{key}", cite=PRACTICE)
        for key, field in values.fields.items()
        if values.of_field(key) is not None
    }
    lines, tables = list[tuple[str, str]](), list[SheetTable]()
    headed: dict[str, list[tuple[str, str]]] = {}
    for part in parts.values():
        value, field = _value(matter, part, values), values.fields.get(part.source.partition(".")[2])
        if field is not None and field.type == "units" and isinstance(value, dict):
            tables.append(_units_table(part.name, value))
        elif field is not None and field.type == "shares" and isinstance(value, dict):
            tables.append(_shares_table(name_beside_dollars(part.name), value, matter.names))
        elif field is not None and field.type == "lines":
            tables.append(lines_table(matter.rules, matter.names, matter.local, part.name, value or ()))
        elif part.under:
            headed.setdefault(part.under, []).append((part.name, _line(matter, part, values)))
        elif (words := _line(matter, part, values)) or not part.source:
            lines.append((name_beside_dollars(part.name), words))
    if form.total:
        lines.append(("together", money_in_words(sum(_cents(values.of_field(key)) for key in form.total))))
    tables += (
        SheetTable(title=title, rows=tuple(entries), widths=(1.2, 1), abreast=2) for title, entries in headed.items()
    )
    return lines, tuple(tables)


def _cents(value: object) -> int:
    """Return what units come to, or cents as they are."""
    if isinstance(value, dict):
        return sum(int(unit) * int(count) for unit, count in value.items())
    return value if isinstance(value, int) else 0


def _value(matter: FormMatter, part: FormPart, values: _Values) -> Any:  # noqa: ANN401 - as the log has it
    kind, _, what = part.source.partition(".")
    match kind:
        case "field":
            return values.of_field(what)
        case "fact" if values.thing is not None:
            name, _, further = what.partition(".")
            value = values.thing.facts.get(name)
            if not further or not isinstance(value, str):
                return value if not further else None
            named = matter.state.things.get(value) or matter.state.thing(name, value)
            return named.facts.get(further) if named else None
        case "cash_in" | "cash_out" if values.acts:
            return _cash_of(matter, values.acts[-1], _CASH[kind])
        case "was" | "now" if values.acts:
            correction = values.acts[-1].correction
            return (correction.was if kind == "was" else correction.now) if correction else None
        case "by":
            return next((act.done.name for act in reversed(values.acts) if act.done.act == what), None)
        case "day":
            return matter.facility.gaming_day(values.acts[-1].done.occurred).isoformat() if values.acts else None
        case "facility":
            return matter.facility.name
        case _:
            return None


def _cash_of(matter: FormMatter, act: RecordedAct, to: str) -> Any:  # noqa: ANN401 - units or cents, as the log has it
    """Return the cash that an act brought to the house, or to a patron; none if it was no cash."""
    rule, fields = matter.rules.act(act.done.act), act.done.fields
    if rule is None or rule.cash is None or rule.cash.to != to or not is_cash(rule.cash, fields):
        return None
    return fields.get(rule.cash.field)


def _line(matter: FormMatter, part: FormPart, values: _Values) -> str:
    """Return an entry in words; empty where it is to be written by hand, or nothing is known."""
    kind, _, name = part.source.partition(".")
    value, field = _value(matter, part, values), values.fields.get(name)
    if value is None or value in ("", [], {}, PRACTICE):
        return part.otherwise if values.acts else ""
    if part.is_money:
        return money_in_words(_cents(value))
    if kind in {"was", "now"}:
        return matter.words.fields(values.acts[-1].done.act, value)
    if (kind, name) == ("fact", "about"):
        return matter.words.subject(str(value))
    if (kind, name) == ("fact", "why"):
        return matter.words.reason(str(value))
    if (kind, name) == ("fact", "act"):
        return f"act {value}" if value else ""
    if field is None and isinstance(value, str):
        return matter.names.get(value, value)
    return matter.words.field(field, value)


def _units_table(title: str, units: Mapping[str, int]) -> SheetTable:
    """Return units by denomination, added up."""
    rows = [
        (int(unit), count, int(unit) * count) for unit, count in sorted(units.items(), key=lambda unit: int(unit[0]))
    ]
    total: tuple[Cell, ...] = ("total", None, sum(row[2] for row in rows))
    return SheetTable(
        title=title,
        heads=("denomination $", "pieces", "amount $"),
        rows=(*rows, total),
        totals=(len(rows),),
        figures=(0, 1),
        widths=(1, 0.8, 1.2),
    )


def _shares_table(title: str, shares: Mapping[str, int], names: Names) -> SheetTable:
    rows: list[tuple[Cell, ...]] = [(names.get(who, who), cents, "") for who, cents in shares.items()]
    return SheetTable(
        title=title,
        heads=("name", "share $", "received, signature"),
        rows=(*rows, ("total", sum(shares.values()), "")),
        totals=(len(rows),),
        widths=(1.4, 0.8, 1.6),
    )


def _signatures(matter: FormMatter, act: RecordedAct) -> Iterator[SignatureLine]:
    """Yield a line for whoever did an act, and for each who signed it."""
    rule, number = matter.rules.act(act.done.act), act.done.number
    wants = rule.name if rule else act.done.act.replace("_", " ")
    where = f"slip {act.done.slip}" if act.done.slip else f"the log, act {number}"
    at = act.done.occurred if act.done.slip else act.at
    yield _signature_of(matter, wants, (act.done.by, act.done.name, act.done.role), at, where)
    for signature in act.signatures:
        wants = part_in_words(matter.rules, act, signature.part)
        at = act.done.occurred if act.done.slip else signature.at
        yield _signature_of(matter, wants, (signature.by, signature.name, signature.role), at, where)


def _signature_of(matter: FormMatter, wants: str, who: tuple[str, str, str], at: str, where: str) -> SignatureLine:
    account, name, role = who
    known = matter.state.thing("person", account)
    licence = str(known.facts.get("licence", "")) if known else ""
    given = ("", name, role.replace("_", " "), licence, matter.local(at))
    return SignatureLine(wants, given, f"signed {'on' if where.startswith('slip') else 'in'} {where}")


def _lines_to_sign(matter: FormMatter, act: RecordedAct) -> Iterator[SignatureLine]:
    signed = {signature.part for signature in act.signatures}
    if act.status == "waits":
        missing = (part for part in act.done.waits if part not in signed)
        yield from (SignatureLine(part_in_words(matter.rules, act, part)) for part in missing)


def _blank(matter: FormMatter, name: str) -> Iterator[SignatureLine]:
    """Yield the lines of an act that is still to come."""
    rule = matter.rules.pages.acts[name]
    yield SignatureLine(rule.name)
    yield from (SignatureLine(sign.name) for sign in rule.signs.values())


def _foot(matter: FormMatter, acts: Sequence[RecordedAct], first: int) -> tuple[str, ...]:
    """Return what stands at the foot: the acts it was made from, and what was told later than it happened."""
    numbers = ", ".join(str(act.done.number) for act in acts)
    late = [act for act in acts if matter.local(act.done.occurred) != matter.local(act.at)]
    told = (
        f"act {act.done.number} occurred {matter.local(act.done.occurred)}, told {matter.local(act.at)}{_slip_of(act)}"
        for act in late
    )
    printed = f"printed from the log, act {numbers}" if first else "printed from the log"
    return (time_zone_in_words(matter.facility), printed, *told)


def _slip_of(act: RecordedAct) -> str:
    return f" from manual slip {act.done.slip}" if act.done.slip else ""


def _copies(
    matter: FormMatter,
    form: Form,
    *,
    number: str,
    facts: Iterable[tuple[str, str]],
    tables: tuple[SheetTable, ...],
    signatures: Sequence[SignatureLine],
    stamp: str,
    entry: EntryMark | None,
    foot: tuple[str, ...],
) -> tuple[PrintedSheet, ...]:
    code = str(FormCode(entry.sequence, entry.hash.hex(), number.replace("no. ", "ACT-"))) if entry else ""
    sheet = PrintedSheet(
        title=form.name,
        number=number,
        owner=matter.facility.name,
        regulation=matter.regulation,
        dated="" if form.is_slip else _citation(form),
        facts=tuple(facts),
        tables=tables,
        signatures=tuple(signatures),
        signed_with=SIGNED_WITH,
        stamp=stamp,
        code=code,
        foot=(matter.facility.name, f"{form.name} {number}", *foot),
        form="slip" if form.is_slip else "portrait",
    )
    return tuple(replace(sheet_in(sheet, currency_of(matter.rules.name)), copy=name) for name in copy_names(form))


def copy_names(form: Form) -> list[str]:
    """Return what each part of a form is called and where it goes; one without a name where it has no parts."""
    return [f"{copy.name[:1].upper()}{copy.name[1:]}: {copy.goes}" for copy in form.copies.values()] or [""]


def _citation(form: Form) -> str:
    clause = clause_text(form.cite)
    return "" if clause == PRACTICE else clause


def forms_of_thing(rules: ActRules, kind: str) -> list[str]:
    """Return the forms that there are of a kind of thing."""
    return [key for key, form in rules.pages.forms.items() if form.thing == kind]


def forms_of_act(rules: ActRules, act: str) -> list[str]:
    """Return the forms that there are of each act of a name."""
    return [key for key, form in rules.pages.forms.items() if not form.thing and not form.is_log and act in form.acts]
