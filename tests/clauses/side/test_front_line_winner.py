"""Colorado's Super Front Line Winner (47.1-2317.04): the sevens and elevens of a whole hand, the loser 7 included."""

import pytest

from passline.dice import OUTCOMES
from passline.game import events as e
from passline.rules.clauses import Clause
from tests.clauses.side.colorado import (
    CENTS,
    SEVEN,
    WAYS,
    Logged,
    counts_of,
    keys_of,
    pay_rows,
    row_of,
    stated,
    winnings_of,
)
from tests.clauses.side.front_line import ELEVEN, FRONT, front_line_table
from tests.clauses.table import ANN, BOB, breaches_of, cites

ROWS = pay_rows(FRONT)
LINES = {row.id for row in ROWS}
PUSHING = row_of("CO-2317.04-10-a").values["tables"].split("|")


def _counts(play: Logged, count: int) -> tuple[e.Event, ...]:
    """Play a hand of so many sevens and elevens, in every phase: the last is the loser 7."""
    rolls = (SEVEN, ELEVEN, SEVEN, ELEVEN)
    for index in range((count - 1) // 2):
        play.throws(rolls[index % len(rolls)])
    play.throws(WAYS[9])
    for _ in range((count - 1) // 2, count - 1):
        play.throws(ELEVEN)
    return play.roll(SEVEN)


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in ROWS])
def test_it_is_settled_by_the_line_of_its_table(row: Clause) -> None:
    """Every line of tables 1 to 10: so many sevens and elevens, and neither the line above nor the one below."""
    if "0" in row.values["count"].split("|"):  # no hand ends with none, as the loser 7 counts: read from the table
        lines = front_line_table(row.values["table"]).rules.wagers[FRONT].lines
        assert lines[0] == lines[1]
    for count in counts_of(row):
        play = front_line_table(row.values["table"]).wager(FRONT)
        ends = _counts(play, count)
        decided = play.decided(FRONT, ends)
        assert set(decided) == {ANN, BOB}
        for seat, event in decided.items():
            result = row.values.get("result", "win")
            assert cites([event]) & LINES == {row.id}
            assert type(event) is {"win": e.WagerWon, "lose": e.WagerLost, "push": e.WagerReturned}[result]
            assert event.wager.cents == CENTS[seat]
            if isinstance(event, e.WagerWon):
                won = winnings_of(row, CENTS[seat])
                assert (str(event.pays), event.cents, event.winnings) == (stated(row), CENTS[seat], won)


@pytest.mark.clause("CO-2317.04-10", "CO-2317.04-12", "CO-2317.04-10-a")
@pytest.mark.parametrize("table", keys_of(FRONT))
def test_CO_2317_04_12__fewer_than_three_lose_three_pushes_by_election_four_is_the_smallest_payout(table: str) -> None:
    """CO-2317.04-10, -10-a, -12: one and two lose, three is up to the table, four is the first count that wins."""
    least = int(row_of("CO-2317.04-10").values["min_pay_count"])
    push_at = int(row_of("CO-2317.04-10-a").values["push_at"])
    below = int(row_of("CO-2317.04-12").values["lose_below"])
    told: dict[int, type] = {}
    paid: dict[int, int] = {}
    for count in range(1, least + 3):
        play = front_line_table(table).wager(FRONT)
        before = play.rack(ANN)
        decided = play.decided(FRONT, _counts(play, count))[ANN]
        assert {"CO-2317.04-10", "CO-2317.04-12"} <= cites([decided])
        told[count] = type(decided)
        if isinstance(decided, e.WagerWon):
            paid[count] = decided.winnings
        elif isinstance(decided, e.WagerReturned):
            assert play.rack(ANN) - before - _line_gains(play, ANN) == CENTS[ANN]
    at_three = e.WagerReturned if table in PUSHING else e.WagerLost
    assert told == {
        **dict.fromkeys(range(1, below), e.WagerLost),
        push_at: at_three,
        **dict.fromkeys(range(least, least + 3), e.WagerWon),
    }
    assert paid[least] == min(paid.values())
    assert "CO-2317.04-10-a" in cites(breaches_of("colorado", {"side_wagers": {FRONT: f"{table}+push"}}))


def _line_gains(play: Logged, seat: int) -> int:
    """What a player's line wager brought back since it was made."""
    won = [
        one for one in play.log if isinstance(one, e.WagerWon) and one.wager.seat == seat and one.wager.kind != FRONT
    ]
    return sum(one.cents + one.winnings for one in won)


@pytest.mark.clause("CO-2317.04-11", "CO-2317.04-28-stay", "CO-2317.04-13")
def test_CO_2317_04_11__eleven_is_the_most_and_it_waits_for_the_loser_7() -> None:
    """CO-2317.04-11, -13, -28-stay: at eleven the most, beyond it no more; the lammer stays; paid at the 7."""
    top = int(row_of("CO-2317.04-11").values["max_count"])
    won: dict[int, int] = {}
    for count in (top - 1, top, top + 1, top + 4):
        play = front_line_table("2").wager(FRONT)
        for _ in range(count - 1):
            assert not play.decided(FRONT, play.throws(ELEVEN))
        assert play.marker(FRONT).count == min(count - 1, top)
        play.throws(WAYS[5])
        decided = play.decided(FRONT, play.roll(SEVEN))[BOB]
        assert isinstance(decided, e.WagerWon)
        assert "CO-2317.04-13" in cites([decided])
        assert ("CO-2317.04-11" in cites([decided])) is (count >= top)
        won[count] = decided.winnings
    assert won[top - 1] < won[top] == won[top + 1] == won[top + 4]
    play = front_line_table().wager(FRONT)
    play.throws(*(ELEVEN,) * (top - 1))
    eleventh = [one for one in play.throws(ELEVEN) if isinstance(one, e.WagerProgressed)]
    assert "CO-2317.04-28-stay" in cites(eleventh)
    assert not [one for one in play.throws(ELEVEN) if isinstance(one, e.WagerProgressed)]
    marker = play.marker(FRONT)
    assert (marker.count, "CO-2317.04-28-stay" in marker.clause.split(", ")) == (top, True)
    play.sevens_out()
    assert play.marker(FRONT).count == 0


@pytest.mark.clause("CO-2317.04-9", "CO-2317.04-9-b", "CO-2317.04-9-c")
def test_CO_2317_04_9__sevens_and_elevens_count_in_every_phase() -> None:
    """CO-2317.04-9, -9-b, -9-c: on come-out rolls and with the point on, of all 36 rolls; the 7 that ends it always."""
    counting = {int(one) for one in row_of("CO-2317.04-9").values["count"].split("|")}
    for on in (False, True):
        play = front_line_table("10").wager(FRONT)
        play.throws(WAYS[4], *(() if on else (WAYS[4],)))
        for roll in OUTCOMES:
            after = play.fork()
            happened = after.shoots().roll(roll)
            progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
            is_loser_7 = on and roll.total == 7
            assert bool(progressed) is (roll.total in counting and not is_loser_7)
            if progressed:
                assert {"CO-2317.04-9", "CO-2317.04-9-b", "CO-2317.04-9-c"} <= cites(progressed)
                assert {one.after.progress[1] for one in progressed} == {1}
    quiet = front_line_table("1").wager(FRONT)
    quiet.throws(WAYS[4])
    assert {wager.progress[1] for wager in quiet.up(FRONT).values()} == {0}
    row = next(one for one in ROWS if one.values["table"] == "1" and "1" in one.values["count"].split("|"))
    assert row.id in cites(quiet.decided(FRONT, quiet.roll(SEVEN)).values())
    three = front_line_table("7").wager(FRONT)
    three.throws(SEVEN, ELEVEN, WAYS[6])  # two and the loser 7 are three
    assert {type(one) for one in three.decided(FRONT, three.roll(SEVEN)).values()} == {e.WagerReturned}


@pytest.mark.clause("CO-2317.04-9-a")
def test_CO_2317_04_9_a__a_round_runs_from_the_first_come_out_roll_to_the_loser_7() -> None:
    """CO-2317.04-9-a: made points and come-out sevens are inside it; a hand counts nothing of the one before."""
    play = front_line_table("10").wager(FRONT)
    happened = play.throws(SEVEN, ELEVEN, WAYS[8], WAYS[8], SEVEN)
    assert not play.decided(FRONT, happened)
    assert "CO-2317.04-9-a" in cites(one for one in happened if isinstance(one, e.WagerProgressed))
    assert play.marker(FRONT).count == 3
    decided = play.decided(FRONT, play.sevens_out())
    assert "CO-2317.04-PT10-4" in cites(decided.values())
    assert play.marker(FRONT).count == 0
    play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])
    play.throws(ELEVEN, WAYS[8])
    assert "CO-2317.04-PT10-0-2" in cites(play.decided(FRONT, play.roll(SEVEN)).values())
