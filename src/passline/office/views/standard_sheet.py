"""How an office meets a standard: each item with the evidence of its own log and elections, as a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

from passline.acts.papers.houses import regulation_title
from passline.acts.rules import ActRules
from passline.acts.schema import Act
from passline.acts.state import OFFICE, ActState
from passline.acts.views.wording import NOBODY, Names, value_in_words
from passline.documents.as_html import as_html
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, SignatureLine, Styled, Words
from passline.office.standards import (
    Standard,
    StandardItem,
    entry_name,
    every_page,
    page_entry,
    standard_names,
    standard_of,
)

Status = Literal["held", "no entry yet", "not set", "not elected", "not covered"]
"""How an item stands: held; possible, but nothing shows it yet; or not held."""
_STATUSES: tuple[Status, ...] = ("held", "no entry yet", "not set", "not elected", "not covered")
_ELSEWHERE = "it stands on no page of this office: its house has not elected it"


class OfficeKnown(Struct, frozen=True, kw_only=True):
    """The office that evidence is taken from."""

    rules: ActRules
    state: ActState
    names: Names = NOBODY


class ItemStanding(Struct, frozen=True, kw_only=True):
    """One item of a standard, and how the program or an office meets it."""

    key: str
    area: str
    says: str
    status: Status
    held_by: tuple[str, ...]
    evidence: tuple[str, ...]  # of the office: its newest acts and its settings
    tests: tuple[str, ...]
    why: str = ""  # why it is not covered, or how it is read
    source: str = ""


def standings_of(standard: Standard, known: OfficeKnown | None = None) -> tuple[ItemStanding, ...]:
    """Return how each item of a standard is met: by the program, or by an office if one is given."""
    return tuple(_standing_of(standard, key, item, known) for key, item in standard.items.items())


def _standing_of(standard: Standard, key: str, item: StandardItem, known: OfficeKnown | None) -> ItemStanding:
    found = [_evidence(known, entry) for entry in item.entries] if known and not item.not_covered else []
    return ItemStanding(
        key=key,
        area=item.area,
        says=item.says,
        status="not covered" if item.not_covered else _status([status for status, _ in found]),
        held_by=tuple(_holders(item, known)),
        evidence=tuple(words for _, words in found if words),
        tests=item.tests,
        why=item.not_covered or item.reading,
        source=standard.sources[str(item.cite)],
    )


def _status(found: list[Status]) -> Status:
    """Return how an item stands by its entries: one act that was done shows it, whatever the others say."""
    if "not elected" in found or "not set" in found:
        return "not elected" if "not elected" in found else "not set"
    return "no entry yet" if "no entry yet" in found and "held" not in found else "held"


def _holders(item: StandardItem, known: OfficeKnown | None) -> Iterator[str]:
    """Yield by what an item is held, in words."""
    pages = known.rules.pages if known else every_page()
    for entry in item.entries:
        yield entry_name(pages if page_entry(pages, entry) is not None else every_page(), entry)
    yield from (page.replace("{name}", known.rules.name) if known else page for page in item.pages)
    yield from (f"passline {command}" for command in item.commands)
    if item.always:
        yield f"in every house: {item.always}"


def _evidence(known: OfficeKnown, entry: str) -> tuple[Status, str]:
    """Return what an office shows of an entry of its pages."""
    rules, state = known.rules, known.state
    found = page_entry(rules.pages, entry)
    name = entry_name(rules.pages, entry) if found is not None else ""
    section, key, *_ = entry.split(".")
    if found is None:
        return "not elected", _ELSEWHERE
    if section == "values":
        return _evidence_of_value(known, key, name)
    if isinstance(act := rules.pages.acts.get(key) if section == "acts" else None, Act):
        own = f"correct_{key}" if entry.endswith(".corrected") else key
        mark = state.mark(own, OFFICE)
        if mark is None:
            return "no entry yet", f"{act.name}: not done yet"
        by = known.names.get(mark.by, mark.by)
        at = state.facility.minute(mark.occurred or mark.at) if state.facility else mark.at
        return "held", f"{act.name}: act {mark.number}, {at}{f', {by}' if by else ''}"
    if section == "things":
        number = state.numbers.get(getattr(found, "series", ""), 0) or len(state.of_kind(key))
        return "held", f"{name}: {number:,} on record"
    return "held", ""


def _evidence_of_value(known: OfficeKnown, key: str, name: str) -> tuple[Status, str]:
    value = known.rules.pages.values[key]
    said: Any = known.state.values.get(key)
    if said is not None:
        return "held", f"{name}: {value_in_words(said)}"
    delivered = value.default or value.otherwise
    if delivered is not None:
        return "held", f"{name}: {delivered}, as delivered"
    return ("held", f"{name}: as delivered") if value.optional else ("not set", f"{name}: nobody has said")


def standard_sheet(
    standard: Standard,
    standings: Iterable[ItemStanding],
    known: OfficeKnown | None = None,
    *,
    at: str = "",
    of: str = "",
) -> PrintedSheet:
    """Return the sheet of a standard: how many items are met, and each item with what meets it, evidence and tests."""
    found = list(standings)
    counts = Counter(standing.status for standing in found)
    covered = sum(count for status, count in counts.items() if status != "not covered")
    facts = [("The program covers", f"{covered} of {len(found)} items")]
    if known is not None:
        shown = ", ".join(f"{counts[status]} {status}" for status in _STATUSES if counts[status])
        facts.append(("This office", shown))
    facts += [(f"Source ({key})", words) for key, words in standard.sources.items()]
    facility = known.state.facility if known else None
    return PrintedSheet(
        title=f"Standard: {standard.name}",
        owner=facility.name if facility else "",
        regulation=of,
        dated=f"As of {at}" if at else "",
        facts=tuple(facts),
        tables=(*_item_tables(found, known), _open_table(found)),
        signatures=(SignatureLine("who has gone through it"),) if known else (),
        small_print=standard.about,
        foot=tuple(filter(None, (facility.name if facility else "", f"Standard: {standard.name}"))),
        form="landscape",
    )


def _item_tables(found: list[ItemStanding], known: OfficeKnown | None) -> Iterator[SheetTable]:
    covered = [standing for standing in found if standing.status != "not covered"]
    evidence = known is not None
    areas = list(dict.fromkeys(standing.area for standing in covered))
    yield SheetTable(
        title="Items that the program covers",
        heads=("no.", "asked", *(("here", "evidence") if evidence else ()), "held by", "shown by the tests"),
        widths=(0.35, 2.2, 0.8, 2.6, 2.6, 3) if evidence else (0.35, 2.4, 3, 3.4),
        rows=tuple(_row(found.index(standing) + 1, standing, with_evidence=evidence) for standing in covered),
        groups=tuple(
            (next(row for row, standing in enumerate(covered) if standing.area == area), area) for area in areas
        ),
        fixed=2,
    )


def _row(number: int, standing: ItemStanding, *, with_evidence: bool) -> tuple[Cell, ...]:
    asked: Words = standing.says
    if standing.why:
        asked = (Styled(f"{standing.says}\n"), Styled(standing.why, "faint"))
    here: tuple[Cell, ...] = ()
    if with_evidence:
        status: Words = (Styled(standing.status, "plain" if standing.status == "held" else "strong"),)
        here = (status, "\n".join(standing.evidence))
    tests = "\n".join(map(_test_in_words, standing.tests))
    return (str(number), asked, *here, "\n".join(standing.held_by), (Styled(tests, "faint"),))


def _test_in_words(test: str) -> str:
    """Return a test by its file, and what it says."""
    file, _, name = test.partition("::")
    return f"{file.removeprefix('tests/')}: {name.removeprefix('test_').replace('_', ' ')}"


def standard_text(standard: Standard, standings: Iterable[ItemStanding], known: OfficeKnown | None = None) -> str:
    """Return the sheet of a standard as lines for a terminal: each item, and below it what meets it."""
    found = list(standings)
    sheet = standard_sheet(standard, found, known)
    lines = [sheet.title, "=" * len(sheet.title)]
    lines += (f"Office: {sheet.owner}, {regulation_title(known.rules.name)}",) if known else ()
    lines += (f"{name}: {words}" for name, words in sheet.facts)
    for number, standing in enumerate(found, 1):
        status = "held by the program" if known is None and standing.status == "held" else standing.status
        lines += ["", f"{number}. {standing.says}: {status}"]
        lines += (f"   {words}" for words in (*filter(None, (standing.why,)), *standing.held_by))
        lines += (f"   -> {words}" for words in standing.evidence)
        lines += (f"   {test}" for test in standing.tests)
    return "\n".join([*lines, ""])


def _open_table(found: list[ItemStanding]) -> SheetTable:
    rows = [standing for standing in found if standing.status == "not covered"]
    return SheetTable(
        title="Not covered, because",
        heads=("no.", "area", "asked", "why not"),
        widths=(0.35, 1, 3, 4),
        rows=tuple((str(found.index(row) + 1), row.area, row.says, row.why) for row in rows),
        nothing="Every item is covered.",
        fixed=3,
    )


def standards_page(rules: ActRules, state: ActState, names: Names, when: str) -> str:
    """Return every standard as one page of HTML: how an office met each at a moment."""
    known = OfficeKnown(rules=rules, state=state, names=names)
    found = ((standard := standard_of(name), standings_of(standard, known)) for name in standard_names())
    sheets = [standard_sheet(standard, standings, known, at=when) for standard, standings in found]
    return as_html(f"{state.facility.name if state.facility else rules.name}, standards, {when}", *sheets)


def standards_table(standards: Iterable[tuple[str, Standard, tuple[ItemStanding, ...]]]) -> SheetTable:
    """Return the standards as a list: how many items each has, in all and by status."""
    rows: list[tuple[Cell, ...]] = []
    for key, standard, standings in standards:
        counts = Counter(standing.status for standing in standings)
        rows.append((key, standard.name, len(standings), *(counts[status] for status in _STATUSES)))
    heads = ("standard", "name", "items", *(status.replace(" ", "_") for status in _STATUSES))
    return SheetTable(title="Standards", heads=heads, rows=tuple(rows))
