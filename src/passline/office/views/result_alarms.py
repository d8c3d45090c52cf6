"""Finds the results of the current month that luck does not explain, and who dealt them, in the views."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from passline.acts.commands import NoteResult
from passline.acts.noted import RESULT_ALARM, RESULT_NOTED, result_key
from passline.acts.rules import ActRules
from passline.acts.state import ActState
from passline.bookkeeping.account import Scope
from passline.bookkeeping.reading import find_accounts_between, find_hands_between, find_play_accounts
from passline.bookkeeping.result_watch import WATCHED_SCOPES, ResultAlarm, result_alarms
from passline.streams.projection_store import ViewReader


class AlarmedResult(Struct, frozen=True):
    """A result that luck does not explain, and the accounts of the crews that dealt it."""

    alarm: ResultAlarm
    people: tuple[str, ...]

    @property
    def note(self) -> NoteResult:
        """The command by which the server tells the office of it."""
        alarm = self.alarm
        return NoteResult(
            scope=alarm.scope,
            subject=alarm.subject,
            month=alarm.month,
            won=alarm.won,
            low=alarm.low,
            high=alarm.high,
            rolls=alarm.rolls,
            bound=alarm.bound,
            people=self.people,
        )


def find_alarmed_results(views: ViewReader, rules: ActRules, state: ActState, day: date) -> list[AlarmedResult]:
    """Return the alarms that no office has noted yet, for the month of a gaming day and of the day before it."""
    return [
        AlarmedResult(alarm, crew_of(views, rules.name, alarm.scope, alarm.subject, month))
        for month in sorted({f"{day:%Y-%m}", f"{day - timedelta(days=1):%Y-%m}"})
        for alarm in find_result_alarms(views, rules, state, month)
        if state.mark(RESULT_NOTED, result_key(scope=alarm.scope, subject=alarm.subject, month=month)) is None
    ]


def find_result_alarms(views: ViewReader, rules: ActRules, state: ActState, month: str) -> list[ResultAlarm]:
    """Return all results of a month that luck does not explain, whether or not they were noted."""
    scopes = (find_play_accounts(views, rules.name, scope, "month", month) for scope in WATCHED_SCOPES)
    return result_alarms((account for found in scopes for account in found), _months_between(rules, state))


def _months_between(rules: ActRules, state: ActState) -> int:
    """Return in how many months luck alone may open an incident once."""
    return max(rules.figure(state, RESULT_ALARM) or 1, 1)


def crew_of(views: ViewReader, office: str, scope: Scope, subject: str, month: str) -> tuple[str, ...]:
    """Return the accounts of the crews that dealt a result of a month, as far as they are on record."""
    match scope:
        case "crew":
            crews = {subject}
        case "table":
            hands = find_hands_between(views, office, since=month, until=f"{month}~", table=subject)
            crews = {hand.crew for hand in hands}
        case "shift":
            shifts = find_accounts_between(views, office, "crew", "shift", since=month, until=f"{month}~")
            crews = {account.subject for account in shifts if account.span.partition(" ")[2] == subject}
        case _:
            crews = {account.subject for account in find_play_accounts(views, office, "crew", "month", month)}
    return tuple(sorted({person for crew in crews for person in crew.split(",") if person}))
