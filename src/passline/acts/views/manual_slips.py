"""Manual slips as they are printed before an outage: forms of the pages, with lines to write and to sign on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from passline.acts.papers.form_codes import EntryMark, FormCode
from passline.acts.papers.houses import currency_of
from passline.acts.printed_schema import Form
from passline.acts.rules import ActRules
from passline.acts.schema import Act, Field
from passline.acts.slip_numbers import number_list
from passline.acts.state import ActState, KnownThing, thing_key
from passline.acts.views.forms import SIGNED_WITH, FormMatter, copy_names
from passline.acts.views.wording import name_beside_dollars
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, SignatureLine, Styled, sheet_in

_USE = "For use while nothing can be recorded: its number is told, or voided and handed back"
_COPIES = ("Original: to accounting, with the batch", "Duplicate: stays where it was written")
_BY_HAND = "name and time"
_ROWS = 6  # of a table to write in, where no denomination is known
_COLUMNS_MAX = 14  # denominations more than that are written by hand


def slip_kinds(rules: ActRules) -> list[str]:
    """Return the kinds of things that manual slips are."""
    return list(dict.fromkeys(act.thing for act in rules.pages.acts.values() if act.prints))


def slip_key(slip: KnownThing) -> str:
    """Return the name under which a slip is kept, as kind/id."""
    return thing_key(slip.kind, slip.id)


def find_slip(rules: ActRules, state: ActState, number: str) -> KnownThing | None:
    """Return a manual slip by its number; None: there is none, or it was filed."""
    found = (state.things.get(thing_key(kind, number)) for kind in slip_kinds(rules))
    return next((slip for slip in found if slip is not None), None)


def slips_missing(rules: ActRules, state: ActState) -> list[KnownThing]:
    """Return the manual slips that were neither entered nor voided after an outage and have not been found since."""
    batches = (act.batch for act in rules.pages.acts.values() if act.batch)
    found = {slip.id: slip for batch in batches for slip in state.of_kind(batch.slip, (batch.missing,))}
    return [found[number] for number in sorted(found)]


def missing_words(rules: ActRules, state: ActState) -> list[str]:
    """Return which manual slips are missing, a sentence for each outage that left some and each place they were at."""
    groups: dict[tuple[str, str], list[KnownThing]] = {}
    for slip in slips_missing(rules, state):
        groups.setdefault((str(slip.facts.get("outage", "")), handed_to(slip)), []).append(slip)
    return [
        f"manual {'slip' if len(slips) == 1 else 'slips'} {number_list(slips)}, {place}, missing since outage {outage}"
        for (outage, place), slips in groups.items()
    ]


def handed_to(slip: KnownThing) -> str:
    """Return, in words, the place that a manual slip was handed out to."""
    if table := slip.facts.get("table"):
        return f"handed to table {table}"
    return f"handed to {slip.facts['area']}" if slip.facts.get("area") else "handed to nobody"


def manual_sheets(matter: FormMatter, slip: KnownThing, entry: EntryMark | None) -> tuple[PrintedSheet, ...]:
    """Return a manual slip, one sheet for each of its copies."""
    form = matter.rules.pages.forms[str(slip.facts["form"])]
    acts = [matter.rules.pages.acts[key] for key in form.acts]
    facts, tables = _to_fill_in(matter, form, acts, slip)
    sheet = PrintedSheet(
        title=form.name,
        number=slip.id,
        about="manual slip",
        owner=matter.facility.name,
        regulation=matter.regulation,
        facts=tuple(facts),
        tables=tuple(tables),
        signatures=tuple(_lines_to_sign(form, acts)),
        signed_with=SIGNED_WITH,
        stamp=slip.state if slip.state in {"void", "used"} else "",
        code=str(FormCode(entry.sequence, entry.hash.hex(), slip.id)) if entry else "",
        foot=(matter.facility.name, f"{form.name} {slip.id}", _USE),
        form="slip" if form.is_slip or form.is_log else "portrait",
        by_hand=True,
    )
    copies = copy_names(form) if form.copies else _COPIES
    return tuple(replace(sheet_in(sheet, currency_of(matter.rules.name)), copy=name) for name in copies)


def _to_fill_in(
    matter: FormMatter, form: Form, acts: Sequence[Act], slip: KnownThing
) -> tuple[list[tuple[str, str]], list[SheetTable]]:
    """Return the lines and tables of a slip that are filled in by hand."""
    known = {key: field for act in acts for key, field in act.fields.items()}
    facts = [("gaming day", ""), ("date and time", "")]
    if form.is_log or not form.thing:
        about = _about(acts)
        facts += [(about, str(slip.facts.get("table") or "") if about == "table" else "")] if about else []
    tables, headed = list[SheetTable](), dict[str, list[tuple[str, str]]]()
    if form.is_log and len(acts) > 1:
        rows = tuple(((Styled("", "box"), Styled(act.name)),) for act in acts)
        tables.append(SheetTable(title="what was done: tick one", rows=rows))
    for key, name, under in _entries(form, known):
        field = known.get(key)
        if field is not None and field.type == "units":
            tables.append(_units_table(matter, key, name))
        elif field is not None and field.type == "shares":
            heads = ("name", "share $", "received, signature")
            empty: tuple[tuple[Cell, ...], ...] = ((None, None, None),) * _ROWS
            tables.append(SheetTable(title=name_beside_dollars(name), heads=heads, rows=empty, widths=(1.4, 0.8, 1.6)))
        elif under:
            headed.setdefault(under, []).append((name, ""))
        else:
            given = slip.facts.get("table") if key == "table" else None
            facts.append((_label(matter, name, field), str(given or "")))
    tables += (SheetTable(title=title, rows=tuple(rows), widths=(1.2, 1), abreast=2) for title, rows in headed.items())
    return facts, tables


def _about(acts: Sequence[Act]) -> str:
    """Return what kind of thing is named on a form of an act."""
    kinds = {act.thing for act in acts if act.thing and not act.new}
    return next(iter(kinds)).replace("_", " ") if len(kinds) == 1 else ""


def _entries(form: Form, known: dict[str, Field]) -> Iterator[tuple[str, str, str]]:
    """Yield what is written on a form: the key of its field, what it is called, and its heading."""
    if not form.parts:
        yield from ((key, field.name, "") for key, field in known.items() if key != "gaming_day")
    for part in form.parts.values():
        key = part.source.partition(".")[2].partition(".")[0]
        if key in known or not part.source or part.under:
            yield key, part.name, part.under


def _label(matter: FormMatter, name: str, field: Field | None) -> str:
    """Return what a line is called, with what there is to choose from."""
    if field is None:
        return name_beside_dollars(name)
    if field.type in {"yes", "no", "flag"}:
        return f"{name}: yes / no"
    choices = [shift.name for shift in matter.facility.shifts] if field.of_shifts else [*field.of]
    if field.type == "choice" and 0 < len(choices) <= 4:  # noqa: PLR2004 - as many as fit on a line
        return f"{name}: {' / '.join(choice.replace('_', ' ') for choice in choices)}"
    return name_beside_dollars(name)


def _units_table(matter: FormMatter, key: str, name: str) -> SheetTable:
    """Return a table to write units in, with the denominations that the house has of that stock."""
    stocks = [places for stock, places in matter.state.stocks.items() if stock == key or stock in name]
    units = sorted({int(unit) for places in stocks for held in places.values() for unit in held})
    fit = units[:_COLUMNS_MAX] if len(units) <= _COLUMNS_MAX else []
    rows: list[tuple[Cell, ...]] = [(unit, None, None) for unit in fit] or [(None, None, None) for _ in range(_ROWS)]
    return SheetTable(
        title=name,
        heads=("denomination $", "pieces", "amount $"),
        rows=(*rows, ("total", None, None)),
        totals=(len(rows),),
        figures=(0, 1),
        widths=(1, 0.8, 1.2),
    )


def _lines_to_sign(form: Form, acts: Iterable[Act]) -> Iterator[SignatureLine]:
    """Yield a line for everybody who signs: of a log, on which one act is written, once for each who may have to."""
    wanted = dict[str, None]()
    for act in acts:
        own = "who did it" if form.is_log else act.name
        signs = (sign.name for sign in act.signs.values() if not (sign.of_papers or sign.nobodys))
        wanted |= dict.fromkeys((own, *signs))
    remark = _BY_HAND if form.is_slip or form.is_log else ""
    yield from (SignatureLine(name, (), remark) for name in wanted)
