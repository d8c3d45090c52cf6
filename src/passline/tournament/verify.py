"""Verifies the streams of tournaments: every command is decided again, every lot drawn again, all points compared.

A round's points must be those that the table itself recorded at its end, and a lot must have been committed to by the
key that the entry before named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from passline.authority.duties import name_of
from passline.money import POINT_CENTS
from passline.office.verify import OfficeCheck, house_faults
from passline.people.accounts import Account, People
from passline.rules.pages.texts import RulebookError, unpacked_pages
from passline.store.entry import Entry
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE
from passline.streams.redecide import Case
from passline.tables.events import RoundFinished, TableEvent, TableOpened
from passline.tables.house_check import HouseCheck
from passline.tables.verify import LogCheck
from passline.tournament import commands as c
from passline.tournament.cash import TournamentCash
from passline.tournament.commands import TournamentCommand
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.decide import may_sign
from passline.tournament.rules import TOURNAMENT_RULES
from passline.tournament.state import TournamentState

_SHOWN = 12  # characters of a digest
_LATELY_SECONDS = 7 * 86_400  # for so long whoever could sign is still asked for


class TournamentCheck(HouseCheck[TournamentState]):
    """Decides the streams of tournaments again, entry by entry."""

    course = TournamentCourse()
    prefix = TOURNAMENT_STREAM

    def __init__(self, log: LogCheck) -> None:
        super().__init__(TOURNAMENT_CODEC, log)
        self._hashes: dict[tuple[str, int], str] = {}  # of the entries that prepared rounds, by stream and version
        self._finished: dict[tuple[str, int, str], RoundFinished] = {}  # by tournament, round and table
        self._cash: dict[str, TournamentCash] = {}  # by stream

    def faults_of_people(self, case: Case[TournamentState]) -> Iterator[str]:
        """Yield who could not have given or signed the command."""
        is_server = case.entry.actor == THE_HOUSE.account

        signed = (self.course.as_sent(case.command),)

        def is_fit(account: Account) -> bool:
            return may_sign(case.before, case.command, account.id, account.roles)

        return self.log.people.unfit_people(
            case.entry, case.command, is_server=is_server, may_sign=is_fit, signed=signed
        )

    def faults_beyond(self, case: Case[TournamentState], _after: TournamentState) -> Iterator[str]:
        """Yield a fault where a command contradicts other entries of the log."""
        entry, command, id_ = case.entry, case.command, case.entry.stream.removeprefix(TOURNAMENT_STREAM)
        tournament = self._cash.setdefault(entry.stream, TournamentCash())
        parts = list(tournament.take(entry, case.events))
        for check in self.log.also:
            if isinstance(check, OfficeCheck):
                check.take_cash(tournament.rules, parts, entry)
        match command:
            case c.PlanTournament():
                if command.plan.get("id") != id_:
                    yield f"the plan of {command.plan.get('id')} is in the stream of {id_}"
                self._note_pages(entry, str(command.plan.get("rules", "")), command.pages)
            case _ if getattr(command, "is_alone", False):
                yield from self._not_alone(case)
            case c.EnterPlayer():
                yield from self._unlike_people(case.before, command, case.entry.actor)
            case c.PrepareRound() | c.EndRound():
                self._hashes[entry.stream, entry.version] = case.stored.hash.hex()
            case c.DrawSeats() | c.DrawCut() if self._hashes.get((entry.stream, command.prepared)) != command.hash:
                yield "the lot was drawn with another hash than that of the entry that fixed who is drawn"
            case c.ReportPoints():
                yield from self._unlike_table(id_, command, case.before)
            case _:
                pass

    def _note_pages(self, entry: Entry, rules: str, packed: str) -> None:
        """Note pages that differ from those installed here, since whoever runs the server could have left rules out."""
        kept = unpacked_pages(rules, packed).digest
        try:
            installed = TOURNAMENT_RULES.installed_pages(rules).digest
        except RulebookError:
            installed = "none"
        if kept != installed:
            here = f"the installed pages of {rules}'s tournaments are {installed[:_SHOWN]}"
            self.log.dealt_by.note_foreign(f"{here}; from entry {entry.sequence} on one is held by {kept[:_SHOWN]}")

    def _not_alone(self, case: Case[TournamentState]) -> Iterator[str]:
        """Yield a fault where somebody acted without a signature as if nobody else could have signed."""
        people = self.log.people.people
        if people is not None and (
            others := other_signers(people, case.before, case.command, case.entry.actor, case.entry.at)
        ):
            names = ", ".join(account.name for account in others)
            yield f"{name_of(case.command)} is not signed, as if {case.entry.actor} were alone: {names} could sign"

    def _unlike_people(self, before: TournamentState | None, command: c.EnterPlayer, actor: str) -> Iterator[str]:
        """Yield a fault where an employee entered as if they were none, or ruled of themselves who they are not."""
        rules = TOURNAMENT_RULES.find(before.pages) if before else None
        people = self.log.people.people
        if rules is None or rules.pages.entry.employees is None or people is None:
            return
        known = people.accounts.get(command.account)
        if known is not None and known.is_employee and not command.is_employee:
            yield f"{known.name} entered, who is employed here"
        desk = people.accounts.get(actor)
        if command.is_somebody_else and desk is not None and desk.name == command.resembles:
            yield f"that {command.name} is not {desk.name} was said by {desk.name}: another must look"

    def _unlike_table(self, tournament: str, command: c.ReportPoints, before: TournamentState | None) -> Iterator[str]:
        """Yield a fault where reported points differ from those that the table recorded."""
        finished = self._finished.get((tournament, command.number, command.table))
        if finished is None:
            yield f"{command.table} has not finished round {command.number}"
            return
        held = before.round if before else None
        seats = {str(seat.seat): str(seat.entry) for seat in held.seats if seat.table == command.table} if held else {}
        there = {seats.get(seat, ""): cents // POINT_CENTS for seat, cents in finished.stacks.items()}
        if there != command.points or finished.house // POINT_CENTS != command.house:
            yield f"the points of {command.table} in round {command.number} are not those that it recorded itself"

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Note how a table's round ended; yield a fault for a table that plays a round which no tournament has."""
        for event in events:
            if isinstance(event, RoundFinished):
                table = entry.stream.partition("/")[2]
                self._finished[event.tournament, event.round, table] = event
            elif isinstance(event, TableOpened) and event.points is not None:
                state = self.state(TOURNAMENT_STREAM + event.points.tournament)
                held = state.round if state else None
                if held is None or held.number != event.points.round or event.table not in held.tables:
                    yield f"the table opened for round {event.points.round} of a tournament that does not play there"


def other_signers(
    people: People, state: TournamentState | None, command: TournamentCommand, asker: str, at: str
) -> list[Account]:
    """Return everybody besides whoever asks who could sign a command: with a PIN, and fit for it, now or lately.

    Whoever was sent away a few days ago still counts: nobody gets rid of all others to be alone.
    """

    def is_fit(account: Account) -> bool:
        was_lately = bool(account.former_until) and at < later(account.former_until, _LATELY_SECONDS)
        now = frozenset[str]() if account.is_disabled else account.roles
        roles = now | (account.former_roles if was_lately else frozenset())
        return bool(roles) and may_sign(state, command, account.id, roles)

    return [account for account in people.accounts.values() if account.id != asker and account.pin and is_fit(account)]


log_faults = partial(house_faults, also=(TournamentCheck,))
"""Yields every entry of a log that could not have happened as it says: of tables, people, offices, tournaments."""
