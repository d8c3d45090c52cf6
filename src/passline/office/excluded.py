"""Who is kept away from the games by any office of a house: found by account, by patron and by a similar name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from passline.acts.patrons import Exclusion, excluded_accounts, exclusions, same_patrons
from passline.acts.state import ActState
from passline.documents.sheet import SheetTable
from passline.people.accounts import are_alike


class Exclusions(Struct, frozen=True):
    """Everybody who is kept away from the games now."""

    known: tuple[Exclusion, ...] = ()
    accounts: Mapping[str, Exclusion] = {}

    def why(self, account: str) -> str:
        """Return why an account is kept away from the games; empty: it is not."""
        found = self.accounts.get(account)
        return exclusion_words(found) if found else ""

    def like(self, name: str) -> Exclusion | None:
        """Return the exclusion of somebody whose name is similar to this one; None: there is none."""
        return next((found for found in self.known if found.name and are_alike(found.name, name)), None)


def exclusion_words(found: Exclusion) -> str:
    """Return an exclusion in words.

    >>> exclusion_words(Exclusion("P1", "Ann", "self-excluded", "patron", "", "asked"))
    'is kept away from the games (patron P1, self-excluded)'
    """
    return f"is kept away from the games (patron {found.patron}{f', {found.list}' if found.list else ''})"


def excluded_of(states: Iterable[ActState], at: str) -> Exclusions:
    """Return everybody whom any of these offices keeps away at a moment."""
    known, accounts = list[Exclusion](), dict[str, Exclusion]()
    for state in states:
        assert state.facility is not None, "an office that bars somebody is set up"
        found = exclusions(state, state.facility.today(at))
        known += found
        accounts |= excluded_accounts(state, found)
    return Exclusions(tuple(known), accounts)


def exclusion_of_patron(state: ActState, patron: str, at: str) -> Exclusion | None:
    """Return the exclusion of a patron of an office, or of whoever is known to be the same person."""
    assert state.facility is not None
    same = {*same_patrons(state, patron)}
    return next((out for out in exclusions(state, state.facility.today(at)) if out.patron in same), None)


def exclusions_table(state: ActState, at: str) -> SheetTable:
    """Return the list of who is kept away from the games, for the desk and for an agency."""
    facility = state.facility
    assert facility is not None
    return SheetTable(
        title="Exclusions",
        heads=("patron", "name", "list", "who wants it", "agency", "why", "since", "until", "act"),
        rows=tuple(
            (
                out.patron,
                out.name,
                out.list,
                out.by_whom,
                out.agency,
                out.why,
                f"{facility.local(out.since):%Y-%m-%d %H:%M}",
                out.until,
                out.act,
            )
            for out in exclusions(state, facility.today(at))
        ),
        nothing="Nobody is kept away.",
    )
