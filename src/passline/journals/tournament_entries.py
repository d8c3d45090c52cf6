"""Postings of tournaments: fees, buy-ins, pools, vouchers and prizes, as their own double entry moves them."""

from __future__ import annotations

from collections.abc import Iterator

from passline.journals.office_entries import JournalPosting, LedgerAccount, OfficeEntries
from passline.store.entry import Entry
from passline.tournament import events as e
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.evolve import evolve_tournament, money_moves
from passline.tournament.state import TournamentState

_COURSE = TournamentCourse()


class TournamentEntries:
    """The postings of a tournament, entry by entry of its stream."""

    def __init__(self, stream: str) -> None:
        self._name = stream.removeprefix(TOURNAMENT_STREAM)
        self._state = TournamentState()
        self._over = 0  # by how much the last count of fees was over what was expected

    @property
    def regulation(self) -> str:
        """The regulation that it is held by, as far as it was read."""
        return self._state.planned.rules if self._state.planned else ""

    def take(self, entry: Entry, office: OfficeEntries) -> Iterator[JournalPosting]:
        """Yield the postings of an entry, in the journals of its office."""
        events = TOURNAMENT_CODEC.events(entry)
        _COURSE.learn_rules(entry, events)
        for event in events:
            lines = tuple(self._lines(event))
            self._state = evolve_tournament(self._state, event)
            if lines:
                moment = event.occurred if isinstance(event, e.PlayerEntered) else entry.at
                day, shift, refers = office.place_of(moment)
                what = f"tournament {self._name}"
                act = f"entry {entry.sequence}"
                group = f"entry-{entry.sequence}" if refers else f"tournament-{self._name}"
                yield JournalPosting(day, shift, group, what, act, refers, lines)

    def _lines(self, event: e.TournamentEvent) -> Iterator[tuple[LedgerAccount, int]]:
        for account, cents in money_moves(self._state, event):
            kind, _, pool = account.partition("/")
            if cents:
                yield LedgerAccount(f"tournament.{kind}", pool and f"{self._name}-{pool}"), -cents
        if isinstance(event, e.FeesCounted) and (more := event.counted - event.expected - self._over):
            self._over += more
            yield LedgerAccount("tournament.cash"), more
            yield LedgerAccount("tournament.variance"), -more
