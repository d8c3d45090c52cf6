"""Cash that compliance looks into: just below a report, without a name, or recorded for another gaming day.

Each is found in what the log has of cash anyway. The log does not say that it was found: see
`office/compliance_file.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.acts.judges.writing import written_key
from passline.acts.papers.houses import currency_of
from passline.acts.patrons import linked_patrons
from passline.acts.rules import ActRules
from passline.acts.state import CASH_REPORT, ActState
from passline.money import dollar_amount, in_currency
from passline.office.views.cash import CashPart, corrected_parts
from passline.office.views.house_cash import OtherCash, links_in_house, parts_elsewhere

UNNAMED_CASH = "unnamed_cash"
"""The value of the office from which cash of nobody who is named is looked into."""
_SHARE, _TIMES, _DAYS = "structuring_share", "structuring_times", "structuring_days"
_WAYS: tuple[tuple[str, str, Callable[[CashPart], int]], ...] = (
    ("in", "brought", lambda part: part.cents_in),
    ("out", "taken", lambda part: part.cents_out),
)


class CashMatter(Struct, frozen=True):
    """Something about a patron's cash that compliance looks into."""

    id: str  # the gaming day, what it is and whose: found again, it is the same
    kind: str  # structuring, unnamed or another_day
    patron: str
    day: str  # on which the last of it was entered
    why: str
    parts: tuple[CashPart, ...]


def days_looked_at(rules: ActRules, state: ActState) -> int:
    """Return how many gaming days are looked at together."""
    return max(rules.figure(state, _DAYS) or 1, 1)


def cash_matters(
    rules: ActRules,
    state: ActState,
    day: date,
    parts: Iterable[CashPart],
    waiting: Iterable[CashPart] = (),
    *,
    others: Mapping[str, OtherCash] | None = None,
) -> list[CashMatter]:
    """Return the matters of a gaming day; `parts` has the cash of this day and of the days looked at with it.

    `waiting` has cash of acts that wait to be signed: recorded for another day, it is a matter whether they are signed
    or not. `others` are other offices of the house: their cash counts for patrons who also have cash in this office.
    """
    facility = state.facility
    assert facility is not None
    elsewhere = {office: other.state for office, other in (others or {}).items()}
    linked = links_in_house(state, elsewhere) if elsewhere else _linked_by_document(state)
    first = day - timedelta(days=days_looked_at(rules, state) - 1)
    parts = [*parts, *parts_elsewhere(others or {})]
    by_patron: dict[str, list[CashPart]] = {}
    for part in corrected_parts(parts):
        if first <= facility.gaming_day(part.entry_at) <= day:
            by_patron.setdefault(linked.get(part.who, part.who), []).append(part)
    found = [
        *_near_report(rules, state, day, by_patron),
        *_of_nobody_known(rules, state, day, by_patron),
        *_of_another_day(facility, day, linked, [*(part for own in by_patron.values() for part in own), *waiting]),
    ]
    sign = currency_of(rules.name)
    return [
        replace(matter, why=in_currency(matter.why, sign))
        for matter in found
        if any(not part.office for part in matter.parts)
    ]


def _linked_by_document(state: ActState) -> dict[str, str]:
    """Return the patron behind each account and walk-in; who has shown the same document is one, struck off or not."""
    linked, shown = linked_patrons(state), dict[str, str]()
    for patron in state.of_kind("patron"):
        if document := written_key(str(patron.facts.get("identification") or "")):
            who = f"patron/{patron.id}"
            linked |= {who: shown.setdefault(document, linked.get(who, who))}
    return {who: linked.get(end, end) for who, end in linked.items()}


def _near_report(rules: ActRules, state: ActState, day: date, by_patron: dict[str, list[CashPart]]) -> list[CashMatter]:
    """Return patrons who stayed just below the figure of a report too many times, in one way, until this day.

    A gaming day counts as many times as single amounts in it, or once if only its sum, lie just below.
    """
    above, times = state.values.get(CASH_REPORT), rules.figure(state, _TIMES)
    share, facility = rules.figure(state, _SHARE), state.facility
    if above is None or not times or share is None or facility is None:
        return []
    low, found = max(-(-above * share // 100), 1), list[CashMatter]()
    for patron, own in by_patron.items():
        for way, verb, cents in _WAYS:
            days: dict[date, list[CashPart]] = {}
            for part in own:
                if cents(part):
                    days.setdefault(facility.gaming_day(part.entry_at), []).append(part)
            near = {on: _times_near(list(map(cents, those)), low, above) for on, those in days.items()}
            if near.get(day) and sum(near.values()) >= times:
                counted = tuple(part for on, those in sorted(days.items()) if near[on] for part in those)
                why = (
                    f"{sum(near.values())} times from {_dollars(low)} to {_dollars(above)} {verb} in"
                    f" {days_looked_at(rules, state)} gaming days"
                )
                found.append(_matter(day, "structuring", patron, why, counted, way))
    return found


def _times_near(amounts: Sequence[int], low: int, above: int) -> int:
    """Return how many times the amounts of a day lie just below a figure: singly, or else all of them together."""
    return sum(low <= cents <= above for cents in amounts) or int(low <= sum(amounts) <= above)


def _of_nobody_known(
    rules: ActRules, state: ActState, day: date, by_patron: dict[str, list[CashPart]]
) -> list[CashMatter]:
    """Return much cash of nobody who is named or whose document was seen, and many times just below that."""
    much, facility = rules.figure(state, UNNAMED_CASH), state.facility
    share, times = rules.figure(state, _SHARE), rules.figure(state, _TIMES)
    if much is None or facility is None:
        return []
    found = list[CashMatter]()
    for way, verb, cents in _WAYS:
        near: list[CashPart] = []
        for patron, own in by_patron.items():
            if _is_known(state, patron):
                continue
            those = [part for part in own if cents(part) and facility.gaming_day(part.entry_at) == day]
            total = sum(map(cents, those))
            if total and total >= much:
                why = f"{_dollars(total)} {verb} by nobody whose name or document is known"
                found.append(_matter(day, "unnamed", patron, why, those, way))
            elif share is not None and total and total >= -(-much * share // 100):
                near += those
        if times and len(near) >= times:
            why = f"{len(near)} times just below {_dollars(much)} {verb} by nobody whose name or document is known"
            found.append(_matter(day, "unnamed", "nobody", why, near, way))
    return found


def _is_known(state: ActState, patron: str) -> bool:
    """Return whether a patron has an account, or a document that was seen."""
    kind, _, id_ = patron.partition("/")
    known = state.thing(kind, id_) if kind == "patron" else None
    return kind == "account" or (known is not None and bool(known.facts.get("identification")))


def _of_another_day(
    facility: Facility, day: date, linked: dict[str, str], parts: Iterable[CashPart]
) -> Iterator[CashMatter]:
    """Yield cash that was told for another gaming day than that of its entry; of an act once, whenever it is signed."""
    for part in parts:
        told, patron = facility.gaming_day(part.at), linked.get(part.who, part.who)
        if told != day == facility.gaming_day(part.entry_at):
            why = f"{_dollars(abs(part.cents))} was told for {told}"
            matter = _matter(day, "another_day", patron, why, [part], part.at)
            yield replace(matter, id=f"another_day.act.{part.act}") if part.act else matter


def _matter(day: date, kind: str, patron: str, why: str, parts: Sequence[CashPart], what: str) -> CashMatter:  # noqa: PLR0917
    id_ = f"{day}.{kind}.{what}.{patron.replace('/', '-').replace(' ', '-')}"
    return CashMatter(id_, kind, patron, day.isoformat(), why, tuple(parts))


def _dollars(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True)
