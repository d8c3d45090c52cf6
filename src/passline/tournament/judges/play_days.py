"""Days of play: how long after its first round a tournament may go on, by the days of the facility."""

from __future__ import annotations

from datetime import date, timedelta

from passline.acts.calendar.deadlines import months_later
from passline.refusal import Refusal
from passline.tournament.judges.scene import FORM, TournamentScene

_DAY = timedelta(days=1)  # no place is further from UTC


def day_of(scene: TournamentScene, given: str) -> date | Refusal:
    """Return the day of a command at the facility: the one that the server gives with it, or else that of UTC."""
    today = date.fromisoformat(scene.at[:10])
    if not given:
        return today
    try:
        day = date.fromisoformat(given)
    except ValueError:
        return Refusal(FORM, f"day: {given!r} is not a day")
    if abs(day - today) > _DAY:
        return Refusal(FORM, f"day: {given} is more than a day from {today}, the date in UTC")
    return day


def last_play_day(scene: TournamentScene) -> date | None:
    """Return the last day on which a round may begin, counted from the first round; None: nothing bounds it yet."""
    length = scene.pages.length
    first = next((held.day or held.started[:10] for held in scene.state.rounds if held.started), "")
    if length is None or not length.stops_play or not first:
        return None
    return months_later(date.fromisoformat(first), length.months)
