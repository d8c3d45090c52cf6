"""Cash of one house in several offices: who is the same patron in each, and what other offices took from them.

Accounts belong to the whole house. Patrons have numbers of their own in each office: two are the same person if they
have an account, or have shown a document, in common, but not because of an equal name. Somebody who entered a
tournament without an account is the patron of that name in the office that held it, or else in the only office that has
one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.judges.writing import written_key
from passline.acts.patrons import ENTRANT, linked_patrons
from passline.acts.rules import ActRules
from passline.acts.state import CASH_REPORT, ActState
from passline.office.views.cash import CashPart, PatronCash, cash_by_patron

NOBODY = "act/"
"""What stands before the number of an act with cash of nobody who is named."""
_PATRON, _DOCUMENT = "patron/", "document/"
_IN = "|"  # between an office and a patron that it has numbered


class OtherCash(Struct, frozen=True):
    """Another office of the house: its state, and cash that it took or paid."""

    state: ActState
    parts: tuple[CashPart, ...] = ()


def counts_house_cash(rules: ActRules) -> bool:
    """Return whether an office adds up the cash that the whole house took from a patron; older pages do not."""
    value = rules.pages.values.get(CASH_REPORT)
    return value is not None and value.house_wide


def parts_elsewhere(others: Mapping[str, OtherCash]) -> list[CashPart]:
    """Return the cash of other offices, each part with its office, without cash for which nobody is named."""
    return [
        replace(
            part, who=key_elsewhere(office, part.who, known), where=f"{part.where}, office of {office}", office=office
        )
        for office, other in others.items()
        for known in [linked_patrons(other.state)]
        for part in other.parts
        if not part.who.startswith(NOBODY)
    ]


def key_elsewhere(office: str, who: str, linked: Mapping[str, str] | None = None) -> str:
    """Return the key here of somebody known in another office: a patron's key includes the office that numbered them.

    `linked` has the patrons of that office behind entrants of tournaments.
    """
    who = linked.get(who, who) if linked and who.startswith(ENTRANT) else who
    return f"{office}{_IN}{who}" if who.startswith(_PATRON) else who


def links_in_house(state: ActState, others: Mapping[str, ActState]) -> dict[str, str]:
    """Return this office's patron behind each account and patron of this office and the others."""
    own, same = linked_patrons(state), _Same()
    linked = {"": own, **{office: linked_patrons(known) for office, known in others.items()}}
    times = Counter(who for links in linked.values() for who in links if who.startswith(ENTRANT))
    for office, known in {"": state, **others}.items():
        for who, end in linked[office].items():
            if times[who] <= 1 or not office:  # a name that several offices know is their own patron's in each
                same.join(_name_in_house(office, who), _name_in_house(office, end))
        for patron in known.of_kind("patron"):
            if document := written_key(str(patron.facts.get("identification") or "")):
                same.join(_name_in_house(office, f"{_PATRON}{patron.id}"), f"{_DOCUMENT}{document}")
    found, theirs = dict[str, str](), tuple(f"{office}{_IN}" for office in others)
    for group in same.groups():
        people = [who for who in group if not who.startswith(_DOCUMENT)]
        ours = {own.get(who, who) for who in people if not who.startswith(theirs)}
        name = min(ours or people, key=lambda who: (not who.startswith(_PATRON), who))
        found |= {who: name for who in people if who != name}
    return own | found


def _name_in_house(office: str, who: str) -> str:
    return key_elsewhere(office, who) if office else who


class _Same:
    """Names of which some are the same person's."""

    def __init__(self) -> None:
        self._groups: dict[str, set[str]] = {}

    def join(self, first: str, other: str) -> None:
        """Note that two names belong to the same person."""
        group = self._groups.get(first, {first}) | self._groups.get(other, {other})
        for name in group:
            self._groups[name] = group

    def groups(self) -> list[set[str]]:
        """Return the names of each person."""
        return list({id(group): group for group in self._groups.values()}.values())


def cash_in_house(
    state: ActState, day: date, parts: Iterable[CashPart], others: Mapping[str, OtherCash]
) -> list[PatronCash]:
    """Return the cash of every patron of an office in a gaming day, including what other offices took from them.

    One report is due for it, in the office that noted it first.
    """
    states = {office: other.state for office, other in others.items()}
    linked = links_in_house(state, states)
    found = cash_by_patron(state, day, [*parts, *parts_elsewhere(others)], linked)
    here = (line for line in found if any(not part.office for part in line.parts))
    return [line if line.report else _reported_once(line, day, states, linked) for line in here]


def _reported_once(
    line: PatronCash, day: date, others: Mapping[str, ActState], linked: Mapping[str, str]
) -> PatronCash:
    """Return the cash of a patron of whom no report is known here; if another office has one, with how it stands."""
    for office, state in others.items():
        for report in state.of_kind(CASH_REPORT) if line.is_above else ():
            who = key_elsewhere(office, str(report.facts.get("patron")))
            if report.facts.get("gaming_day") == day.isoformat() and linked.get(who, who) == line.patron:
                return replace(
                    line, is_above=False, report=f"{report.state}, office of {office}", is_reported_elsewhere=True
                )
    return line
