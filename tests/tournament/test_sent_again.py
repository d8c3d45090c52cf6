"""A command to a tournament that is sent again gets the answer of the first time, whatever a server fills in now."""

from __future__ import annotations

from passline.refusal import Refused
from passline.streams.course import Ask
from passline.tournament import commands as c
from tests.tournament.director import DIRECTOR
from tests.tournament.engine_cases import HEATS, one_event
from tests.tournament.evening import Evening


def test_a_round_that_was_started_before_midnight_is_not_refused_after_it() -> None:
    evening = Evening(one_event())
    evening.players(1, 2)
    evening.seat(HEATS, "t-1")
    first, again = (
        evening.stream.ask(Ask("start", c.StartRound(day=day), DIRECTOR)) for day in ("2026-12-01", "2026-12-02")
    )
    assert not isinstance(first, Refused)
    assert again == first
