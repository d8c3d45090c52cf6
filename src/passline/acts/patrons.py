"""Patrons: which accounts and walk-ins are one person, and who is kept away from the games."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from passline.acts.state import ActState, KnownThing, thing_key

ENTRANT = "entrant/"
"""What stands before the name of somebody who entered a tournament without an account."""
BAR, ADMIT = "bar_patron", "admit_patron"
"""The acts that keep a patron away from the games, and let one in again."""
_PATRON = "patron"
_UNTIL = "until"


def linked_patrons(state: ActState) -> dict[str, str]:
    """Return the patron behind each account and walk-in; of two that claim one, the later."""
    marks = state.marks.get("link_patron", {})
    patrons = sorted(
        (patron for patron in state.of_kind(_PATRON) if thing_key(_PATRON, patron.id) in marks),
        key=lambda one: marks[thing_key(_PATRON, one.id)].number,
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
    why: str
    since: str  # when it was recorded
    until: str = ""  # the last day; empty: until somebody admits them
    act: int = 0


def exclusions(state: ActState, today: date) -> list[Exclusion]:
    """Return who is kept away from the games on a day, in the order in which that was recorded."""
    barred = state.marks.get(BAR, {})
    known = (state.thing(_PATRON, key.partition("/")[2]) for key in barred if key)
    found = [_exclusion(state, patron) for patron in known if patron is not None and is_excluded(state, patron, today)]
    return sorted(found, key=lambda exclusion: exclusion.act)


def is_excluded(state: ActState, patron: KnownThing, today: date) -> bool:
    """Return whether a patron is kept away: was barred, not admitted since, and the last day is not over."""
    barred, admitted = (state.mark(act, thing_key(_PATRON, patron.id)) for act in (BAR, ADMIT))
    if barred is None or (admitted is not None and admitted.number > barred.number):
        return False
    until = str(patron.facts.get(_UNTIL) or "")
    return not until or date.fromisoformat(until) >= today


def _exclusion(state: ActState, patron: KnownThing) -> Exclusion:
    mark = state.mark(BAR, thing_key(_PATRON, patron.id))
    assert mark is not None, "whoever is excluded was barred"
    said = {key: str(patron.facts.get(key) or "") for key in ("name", "list", "by_whom", "reason", _UNTIL)}
    return Exclusion(
        patron.id, said["name"], said["list"], said["by_whom"], said["reason"], mark.at, said[_UNTIL], mark.number
    )


def excluded_accounts(state: ActState, found: list[Exclusion]) -> Mapping[str, Exclusion]:
    """Return the exclusion of each account that is known to be one person with somebody who is kept away."""
    ends = linked_patrons(state)
    by_end = {ends.get(f"{_PATRON}/{out.patron}", f"{_PATRON}/{out.patron}"): out for out in found}
    accounts = ((who.partition("/")[2], end) for who, end in ends.items() if who.startswith("account/"))
    return {account: by_end[end] for account, end in accounts if end in by_end}
