"""Patrons: which accounts and walk-ins are one person, and who is kept away from the games."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from passline.acts.moving_schema import Apart
from passline.acts.records_apart import records_of, standing_records
from passline.acts.schema import PRACTICE
from passline.acts.state import ActState, KnownThing, thing_key

ENTRANT = "entrant/"
"""What stands before the name of somebody who entered a tournament without an account."""
BAR, ADMIT = "bar_patron", "admit_patron"
"""The acts that keep a patron away from the games, and let one in again."""
_PATRON = "patron"
_UNTIL = "until"
_BARS = Apart(kept_in="bars", by=("by_whom", "agency"), cite=PRACTICE)
_SAID = ("list", "by_whom", "agency", "reason", _UNTIL)


def linked_patrons(state: ActState) -> dict[str, str]:
    """Return the patron behind each account and walk-in; of two that claim one, the later."""
    marks = state.marks.get("link_patron", {})
    patrons = sorted(
        (patron for patron in state.of_kind(_PATRON) if thing_key(_PATRON, patron.id) in marks),
        key=lambda patron: marks[thing_key(_PATRON, patron.id)].number,
    )
    direct: dict[str, str] = {}
    for patron in patrons:
        claimed = [f"account/{account}" for account in patron.facts.get("accounts") or ()]
        claimed += [f"{_PATRON}/{other}" for other in patron.facts.get("walk_ins") or ()]
        direct |= dict.fromkeys(claimed, f"{_PATRON}/{patron.id}")
    names: dict[str, list[str]] = {}
    for patron in state.of_kind(_PATRON):
        names.setdefault(entrant_key(str(patron.facts.get("name", ""))), []).append(f"{_PATRON}/{patron.id}")
    direct |= {entrant: known[0] for entrant, known in names.items() if len(known) == 1}
    return {who: _end(who, direct) for who in direct}


def names_of_patrons(state: ActState) -> dict[str, str]:
    """Return what each patron on record is called, by patron/number."""
    patrons = state.of_kind(_PATRON)
    return {thing_key(_PATRON, patron.id): str(patron.facts.get("name", patron.id)) for patron in patrons}


def entrant_key(name: str) -> str:
    """Return how somebody is known who entered a tournament without an account: one patron of that name is the same.

    >>> entrant_key(" Ann  Smith")
    'entrant/ann smith'
    """
    return f"{ENTRANT}{' '.join(name.casefold().split())}"


def accounts_of_patron(state: ActState, patron: str) -> tuple[str, ...]:
    """Return the accounts that are known to be one person with a patron, by the patron's number."""
    linked, who = linked_patrons(state), f"{_PATRON}/{patron}"
    last = linked.get(who, who)
    return tuple(
        account.removeprefix("account/")
        for account, end in linked.items()
        if end == last and account.startswith("account/")
    )


def _end(who: str, direct: dict[str, str]) -> str:
    """Return the last patron of a chain of links; of a circle, the first by name."""
    seen = [who]
    while seen[-1] in direct:
        following = direct[seen[-1]]
        if following in seen:
            return min(seen[seen.index(following) :])
        seen.append(following)
    return seen[-1]


def same_patrons(state: ActState, patron: str) -> tuple[str, ...]:
    """Return the numbers of all patrons on record who are one person with a patron, that one first."""
    linked, who = linked_patrons(state), f"{_PATRON}/{patron}"
    last = linked.get(who, who)
    same = (other for other, end in linked.items() if end == last and other.startswith(f"{_PATRON}/"))
    return tuple(dict.fromkeys(name.partition("/")[2] for name in (who, last, *same)))


class Exclusion(Struct, frozen=True):
    """That somebody is kept away from the games: who, since when, until when, and who wants it."""

    patron: str
    name: str
    list: str
    by_whom: str
    agency: str
    why: str
    until: str = ""  # the last day; empty: until somebody admits them
    since: str = ""  # when it was recorded
    act: int = 0


def exclusions(state: ActState, today: date) -> list[Exclusion]:
    """Return who is kept away from the games on a day, in the order in which that was recorded.

    Somebody whom several keep away is named once for each of them.
    """
    barred = state.marks.get(BAR, {})
    known = (state.thing(_PATRON, key.partition("/")[2]) for key in barred if key)
    found = [out for patron in known if patron is not None for out in _exclusions_of(state, patron, today)]
    return sorted(found, key=lambda exclusion: exclusion.act)


def _exclusions_of(state: ActState, patron: KnownThing, today: date) -> list[Exclusion]:
    """Return who keeps a patron away: for each, when that was recorded and why."""
    done, undone = (state.mark(act, thing_key(_PATRON, patron.id)) for act in (BAR, ADMIT))
    records = standing_records(records_of(_BARS, _SAID, patron, done, undone), _UNTIL, today)
    name, found = str(patron.facts.get("name") or ""), list[Exclusion]()
    for said in records.values():
        listed, by_whom, agency, why, until = (str(said.get(key) or "") for key in _SAID)
        found.append(Exclusion(patron.id, name, listed, by_whom, agency, why, until, said["at"], said["act"]))
    return found


def excluded_accounts(state: ActState, found: list[Exclusion]) -> Mapping[str, Exclusion]:
    """Return the exclusion of each account that is known to be one person with somebody who is kept away."""
    ends = linked_patrons(state)
    by_end = {ends.get(f"{_PATRON}/{out.patron}", f"{_PATRON}/{out.patron}"): out for out in found}
    accounts = ((who.partition("/")[2], end) for who, end in ends.items() if who.startswith("account/"))
    return {account: by_end[end] for account, end in accounts if end in by_end}
