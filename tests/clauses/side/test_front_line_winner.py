"""Colorado's Super Front Line Winner (47.1-2317.04): the sevens and elevens of a whole hand, the loser 7 included."""

import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from tests.clauses.side.colorado import (
    CENTS,
    SEVEN,
    WAYS,
    Logged,
    counts_of,
    keys_of,
    offered,
    pay_rows,
    row_of,
    stated,
    winnings_of,
    with_limits,
)
from tests.clauses.table import ANN, BOB, SHOOTER, Play, breaches_of, cites, make, rules_of

FRONT = "front_line_winner"
ELEVEN = "5-6"
ROWS = pay_rows(FRONT)
LINES = {row.id for row in ROWS}
SPOTS = [row for row in clauses_of("colorado").values() if "lammer_spot" in row.values]
PUSHING = row_of("CO-2317.04-10-a").values["tables"].split("|")
LOCK = (c.RemoveWager(seat=ANN, wager=FRONT), c.ReduceWager(seat=BOB, wager=FRONT, cents=5_00))


def _table(table: str = "1", **house: object) -> Logged:
    """Open a table at which Ann has a pass wager and Bob a don't pass wager."""
    play = offered(FRONT, table, house)
    play.make(ANN, "pass", 5_00)
    play.make(BOB, "dont_pass", 5_00)
    return play


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
        lines = _table(row.values["table"]).rules.wagers[FRONT].lines
        assert lines[0] == lines[1]
    for count in counts_of(row):
        play = _table(row.values["table"]).wager(FRONT)
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
        play = _table(table).wager(FRONT)
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
        play = _table("2").wager(FRONT)
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
    play = _table().wager(FRONT)
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
        play = _table("10").wager(FRONT)
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
    quiet = _table("1").wager(FRONT)
    quiet.throws(WAYS[4])
    assert {wager.progress[1] for wager in quiet.up(FRONT).values()} == {0}
    row = next(one for one in ROWS if one.values["table"] == "1" and "1" in one.values["count"].split("|"))
    assert row.id in cites(quiet.decided(FRONT, quiet.roll(SEVEN)).values())
    three = _table("7").wager(FRONT)
    three.throws(SEVEN, ELEVEN, WAYS[6])  # two and the loser 7 are three
    assert {type(one) for one in three.decided(FRONT, three.roll(SEVEN)).values()} == {e.WagerReturned}


@pytest.mark.clause("CO-2317.04-9-a")
def test_CO_2317_04_9_a__a_round_runs_from_the_first_come_out_roll_to_the_loser_7() -> None:
    """CO-2317.04-9-a: made points and come-out sevens are inside it; a hand counts nothing of the one before."""
    play = _table("10").wager(FRONT)
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


# --- who may make it, and when ----------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.04-4", "CO-2317.04-5-elig", "CO-2317.04-5-inelig")
def test_CO_2317_04_5__a_line_wager_of_the_same_player_is_asked_for() -> None:
    """CO-2317.04-4, -5-elig, -5-inelig: pass or don't pass, the shooter or not; no other wager, and nobody else's."""
    clauses = {"CO-2317.04-4", "CO-2317.04-5-elig", "CO-2317.04-5-inelig"}
    eligible = row_of("CO-2317.04-5-elig").values["eligible"].split("|")
    for line in eligible:
        play = offered(FRONT, "1")
        play.make(SHOOTER, line, 5_00)
        for other in ("field", "any_seven", "big"):
            play.make(ANN, other, 5_00, 6 if other == "big" else 0)
        assert cites(play.refuse(make(ANN, FRONT, CENTS[ANN]))) == clauses
        play.make(SHOOTER, FRONT, CENTS[SHOOTER])
        play.make(ANN, line, 5_00)
        play.make(ANN, FRONT, CENTS[ANN])
        assert cites(play.refuse(make(BOB, FRONT, CENTS[BOB]))) == clauses
    play = _table()
    play.throws(WAYS[6])
    play.make(SHOOTER, "come", 5_00)
    later = play.fork()
    later.roll(WAYS[9])
    later.make(ANN, FRONT, CENTS[ANN])  # tested when it is made: the line wager is up, and the point on
    play.make(BOB, FRONT, CENTS[BOB])
    play.do(c.RemoveWager(seat=BOB, wager="dont_pass"))
    assert BOB in play.up(FRONT)
    assert "CO-2317.04-PT1-0-3" in cites(play.decided(FRONT, play.roll(SEVEN)).values())


@pytest.mark.clause("CO-2317.04-must")
@pytest.mark.clause("CO-2317.04-6-when", "CO-2317.04-6-a", "CO-2317.04-18-close")
@pytest.mark.parametrize("closing", [SEVEN, ELEVEN])
def test_CO_2317_04_6_when__it_may_be_made_until_the_first_7_or_11(closing: str) -> None:
    """CO-2317.04-6-when, -6-a, -18-close: after any other rolls, point on or off; then none until the loser 7."""
    until = {SEVEN: "7", ELEVEN: "11"}[closing]
    assert until in row_of("CO-2317.04-6-when").values["open_until"].split("_")
    play = _table()
    for roll in ("1-1", "6-6", WAYS[4], WAYS[5], WAYS[4]):
        play.throws(roll)
        if play.find(ANN, "pass") is None and not play.table.position.puck:
            play.make(ANN, "pass", 5_00)
        assert "CO-2317.04-6-when" in cites(play.fork().make(ANN, FRONT, CENTS[ANN]))
    happened = play.throws(closing)
    closed = [one for one in happened if isinstance(one, e.WindowClosed)]
    assert [one.window for one in closed] == ["front_line"]
    assert {"CO-2317.04-6-a", "CO-2317.04-18-close"} <= cites(closed)
    for roll in ("", WAYS[8], WAYS[8], ELEVEN):
        if roll:
            happened = play.throws(roll)
            assert not [one for one in happened if isinstance(one, e.WindowClosed)]  # announced once a hand
        if not play.table.position.puck and play.find(ANN, "pass") is None:
            play.make(ANN, "pass", 5_00)
        assert cites(play.refuse(make(ANN, FRONT, CENTS[ANN]))) >= {"CO-2317.04-6-when"}
    play.sevens_out()
    if play.find(ANN, "pass") is None:
        play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])


@pytest.mark.clause("CO-2317.04-18-close", "CO-2317.04-6-a")
def test_CO_2317_04_18_close__an_11_with_the_point_on_closes_it_too() -> None:
    """CO-2317.04-18-close, -6-a: any 7 or 11, and no other total, whether or not anybody has the wager."""
    clauses = {"CO-2317.04-18-close", "CO-2317.04-6-a"}
    for on in (False, True):
        play = _table()
        play.throws(*([WAYS[4]] if on else []))
        for roll in OUTCOMES:
            after = play.fork()
            closed = [
                one
                for one in after.shoots().roll(roll)
                if isinstance(one, e.WindowClosed) and one.window == "front_line"
            ]
            assert bool(closed) is (roll.total in {7, 11})
            assert not closed or clauses <= cites(closed)


@pytest.mark.clause("CO-2317.04-30-before", "CO-2317.04-6-when")
def test_CO_2317_04_30_before__a_house_may_ask_for_it_before_the_first_come_out_roll() -> None:
    """CO-2317.04-30-before: the stricter window, elected; the wider one of -6-when is the default."""
    assert not rules_of("colorado").house.front_line_before_first_roll
    strict = _table("1", front_line_before_first_roll=True)
    assert "CO-2317.04-30-before" in cites(strict.make(ANN, FRONT, CENTS[ANN]))
    wide = _table("1")
    for play, is_open in ((strict, False), (wide, True)):
        play.throws(WAYS[4])
        command = make(BOB, FRONT, CENTS[BOB])
        if is_open:
            play.do(command)
        else:
            assert "CO-2317.04-30-before" in cites(play.refuse(command))
            play.throws(WAYS[4])
            assert play.refuse(command)
            play.sevens_out()
            play.make(BOB, "pass", 5_00)
            play.do(command)
    (breach,) = breaches_of("colorado", {"front_line_before_first_roll": "yes"})
    assert {"CO-2317.04-30-before", "CO-2317.04-6-when"} <= cites([breach])


@pytest.mark.clause("CO-2317.04-30-again")
def test_CO_2317_04_30_again__after_the_loser_7_it_may_be_made_afresh_for_any_lawful_amount() -> None:
    """CO-2317.04-30-again: not the amount of before, but any within the posted limits; and none outside them."""
    play = with_limits(FRONT, "1", 3_00, 30_00)
    play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, 10_00)
    assert play.decided(FRONT, play.sevens_out())
    play.make(ANN, "pass", 5_00)
    for cents in (2_00, 31_00):
        assert play.refuse(make(ANN, FRONT, cents))
    for cents in (3_00, 4_00, 29_00, 30_00):
        made = play.fork().make(ANN, FRONT, cents)
        assert "CO-2317.04-30-again" in cites(made)


@pytest.mark.clause("CO-2317.04-7-lock")
def test_CO_2317_04_7_lock__once_down_it_is_not_taken_down_raised_or_lowered() -> None:
    """CO-2317.04-7-lock: at once, before any roll, and ever after; for every player."""
    said = row_of("CO-2317.04-7-lock").values
    assert {said["remove"], said["increase"], said["reduce"]} == {"false"}
    play = _table().wager(FRONT)
    for roll in ("", "1-1", WAYS[4], WAYS[4], SEVEN):
        if roll:
            play.throws(roll)
        for command in LOCK:
            assert "CO-2317.04-7-lock" in cites(play.refuse(command))
        if not roll:  # later the refusal may be the window's too
            for seat in (ANN, BOB):
                assert cites(play.refuse(make(seat, FRONT, 5_00))) == {"CO-2317.04-7-lock"}
        else:
            assert play.refuse(make(ANN, FRONT, 5_00))
    assert {seat: wager.cents for seat, wager in play.up(FRONT).items()} == {ANN: CENTS[ANN], BOB: CENTS[BOB]}


@pytest.mark.clause("CO-2317.04-7-lock")
def test_CO_2317_04_7_lock__after_a_surrender_with_a_point_on_each_player_makes_one_more_and_no_other() -> None:
    """CO-2317.04-7-lock: the successor's rolls at the point carried over do not let it be made again and again."""
    play = _table().wager(FRONT)
    play.throws(WAYS[9], ELEVEN)
    play.do(c.SurrenderDice(seat=SHOOTER))
    play.do(c.AcceptDice(seat=ANN))
    late = play.fork()  # the wagers ride with a count of 1, so another may stand beside each
    play.make(ANN, FRONT, 10_00)
    assert cites(play.refuse(make(ANN, FRONT, 10_00))) == {"CO-2317.04-7-lock"}
    for roll in (WAYS[4], WAYS[5], WAYS[4], WAYS[9]):  # the last makes the point carried over
        play.throws(roll)
        late.roll(roll)
        assert "CO-2317.04-7-lock" in cites(play.refuse(make(ANN, FRONT, 10_00)))
    late.make(ANN, "pass", 5_00)
    late.do(make(ANN, FRONT, 10_00))  # nobody had made one for this shooter yet, who has thrown no 7 or 11
    play.throws(WAYS[6])
    for seat in (ANN, BOB):
        assert "CO-2317.04-7-lock" in cites(play.refuse(make(seat, FRONT, 10_00)))


@pytest.mark.clause("CO-2317.04-7-lock")
def test_CO_2317_04_7_lock__beside_what_has_counted_nothing_another_is_made_before_the_first_roll_only() -> None:
    """CO-2317.04-7-lock: made at the point and carried over with it, it is what a new one would be after a roll."""
    play = _table()
    play.throws(WAYS[9])
    play.wager(FRONT)
    play.throws(WAYS[4])
    play.do(c.SurrenderDice(seat=SHOOTER))
    play.do(c.AcceptDice(seat=ANN))
    play.fork().do(make(BOB, FRONT, 10_00))
    play.throws(WAYS[4])
    assert cites(play.refuse(make(BOB, FRONT, 10_00))) == {"CO-2317.04-7-lock"}


@pytest.mark.clause("CO-2317.04-20", "CO-2317.04-14-always")
def test_CO_2317_04_14__the_lammer_agrees_with_wagers_that_ride_to_a_successor() -> None:
    """CO-2317.04-14-always: one lammer: with wagers riding it goes on with them; with none it starts over."""
    for rides in (True, False):
        play = _table()
        if rides:
            play.wager(FRONT)
        play.throws(SEVEN, ELEVEN)
        play.do(c.SurrenderDice(seat=SHOOTER))
        play.do(c.AcceptDice(seat=ANN))
        counts = {wager.progress[1] for wager in play.up(FRONT).values()} or {0}
        assert {play.marker(FRONT).count} == counts == {2 if rides else 0}
        play.throws(SEVEN)
        assert play.marker(FRONT).count == (3 if rides else 1)
        assert play.marker(FRONT).clause == ("CO-2317.04-20" if rides else "CO-2317.04-18")
        play.sevens_out()
        assert play.marker(FRONT).count == 0


@pytest.mark.clause("CO-2317.04-7-resolve")
def test_CO_2317_04_7_resolve__it_stays_until_it_wins_loses_or_pushes() -> None:
    """CO-2317.04-7-resolve: a surrender of the dice ends nothing; it rides with the successor, counting on."""
    play = _table("7").wager(FRONT)
    play.throws(SEVEN, ELEVEN, WAYS[9])
    assert "CO-2317.04-7-resolve" in cites(play.refuse(LOCK[0]))
    happened = play.do(c.SurrenderDice(seat=SHOOTER))
    assert "CO-2317.04-7-resolve" in cites(one for one in happened if isinstance(one, e.DiceSurrendered))
    play.do(c.AcceptDice(seat=ANN))
    assert {wager.progress[1] for wager in play.up(FRONT).values()} == {2}
    assert play.marker(FRONT).count == 2  # the one lammer agrees with the wagers that ride
    play.throws(WAYS[9])
    if play.find(BOB, "pass") is None:
        play.make(BOB, "pass", 5_00)
    play.make(BOB, FRONT, 20_00)  # the new shooter has thrown no 7 or 11 yet
    play.throws(WAYS[4], ELEVEN)
    happened = play.roll(SEVEN)
    told = {
        (one.wager.seat, one.wager.cents): one
        for one in happened
        if isinstance(one, (e.WagerWon, e.WagerLost)) and one.wager.kind == FRONT
    }
    assert {key: type(one).__name__ for key, one in told.items()} == {
        (ANN, CENTS[ANN]): "WagerWon",
        (BOB, CENTS[BOB]): "WagerWon",
        (BOB, 20_00): "WagerLost",
    }
    assert "CO-2317.04-PT7-4" in cites([told[ANN, CENTS[ANN]]])


@pytest.mark.clause("CO-2317.04-3")
def test_CO_2317_04_3__the_ordinary_game_is_as_without_it() -> None:
    """CO-2317.04-3: the same wagers and rolls, with and without it: the same events of all the rest."""
    tables: list[Play] = [_table("1").wager(FRONT), _table("1"), Play(rules_of("colorado"))]
    tables[-1].make(ANN, "pass", 5_00)
    tables[-1].make(BOB, "dont_pass", 5_00)
    told: list[list[str]] = [[] for _ in tables]
    for roll in (SEVEN, ELEVEN, WAYS[4], ELEVEN, WAYS[6], WAYS[4], WAYS[9], SEVEN):
        for play, said in zip(tables, told, strict=True):
            play.shoots().make(ANN, "field", 5_00)
            happened = play.roll(roll)
            said += [str(one) for one in happened if not _is_of_it(one)]
    assert told[0] == told[1] == told[2]
    assert "CO-2317.04-3" in cites(tables[-1].refuse(make(ANN, FRONT, CENTS[ANN])))


def _is_of_it(event: e.Event) -> bool:
    wager = getattr(event, "wager", None)
    return isinstance(event, e.WindowClosed) or (wager is not None and wager.kind == FRONT)


# --- settlement and the lammer ----------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.04-13", "CO-2317.04-29-settle", "CO-2317.04-29-before")
def test_CO_2317_04_29__it_is_settled_at_the_end_of_the_round_before_the_next_shooter_rolls() -> None:
    """CO-2317.04-13, -29-settle, -29-before: paid or taken by the roll that ends it, then the dice go."""
    by_hand = frozenset({"offer", "choose", "confirm", "button"})
    play = Logged(rules_of("colorado", house={"side_wagers": {FRONT: "1"}}, automate=by_hand))
    play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])
    play.shoots()
    happened: tuple[e.Event, ...] = ()
    for first, second in ((2, 2), (5, 6), (3, 4)):
        play.do(c.ThrowDice(seat=SHOOTER))
        play.do(c.LandDice(first=first, second=second, by="dealer"))
        play.do(c.CallRoll(total=first + second, by="stickperson"))
        if (first, second) == (3, 4):
            for command in (c.ThrowDice(seat=SHOOTER), c.AcceptDice(seat=ANN), c.OfferDice(dice=5, by="stickperson")):
                assert play.refuse(command)
            assert ANN in play.up(FRONT)
        happened = play.do(c.Settle(by="dealer"))
        if (first, second) != (3, 4):
            assert not play.decided(FRONT, happened)
            play.do(c.PassDice(by="stickperson"))
    kinds = [type(one) for one in happened]
    decided = play.decided(FRONT, happened)[ANN]
    assert {"CO-2317.04-13", "CO-2317.04-29-settle", "CO-2317.04-29-before"} <= cites([decided])
    assert happened.index(decided) < kinds.index(e.DiceSurrendered)
    assert not play.up(FRONT)


@pytest.mark.clause("CO-2317.04-14-always")
def test_CO_2317_04_14_always__the_count_is_kept_even_if_nobody_has_the_wager() -> None:
    """CO-2317.04-14-always: from each new shooter's first roll, and the wager is announced closed all the same."""
    play = offered(FRONT, "1")
    happened = play.throws(ELEVEN)
    assert "CO-2317.04-14-always" in cites(one for one in happened if isinstance(one, e.WindowClosed))
    play.throws(SEVEN)
    assert play.marker(FRONT).count == 2
    play.do(c.SurrenderDice(seat=SHOOTER))
    play.do(c.AcceptDice(seat=ANN))
    assert play.marker(FRONT).count == 0
    assert "CO-2317.04-14-always" in cites(one for one in play.throws(SEVEN) if isinstance(one, e.WindowClosed))
    assert play.marker(FRONT).count == 1


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in SPOTS])
def test_the_lammer_moves_to_the_spot_of_the_count(row: Clause) -> None:
    """CO-2317.04-18 to -28: one spot for each 7 or 11 of the round, named by its own clause."""
    count, spot = int(row.values["count"]), int(row.values["lammer_spot"])
    for rolls in ((SEVEN,), (ELEVEN,), (SEVEN, ELEVEN)):
        play = _table().wager(FRONT)
        happened: tuple[e.Event, ...] = ()
        for index in range(count):
            happened = play.throws(rolls[index % len(rolls)])
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        spots = {one.id for one in SPOTS}
        assert cites(progressed) & spots == {row.id}
        marker = play.marker(FRONT)
        assert (marker.count, spots & set(marker.clause.split(", "))) == (spot, {row.id})
    nobodys = _table()
    nobodys.throws(*(ELEVEN,) * count)
    assert nobodys.marker(FRONT).count == spot
    nobodys.do(c.SurrenderDice(seat=SHOOTER))
    nobodys.do(c.AcceptDice(seat=ANN))
    assert nobodys.marker(FRONT).count == 0, "of this round alone"


def test_a_void_throw_moves_no_lammer_and_closes_nothing() -> None:
    """An 11 and a 7 called no roll count for nobody, and the wager may still be made."""
    by_hand = frozenset({"offer", "choose", "confirm", "button"})
    play = Logged(rules_of("colorado", house={"side_wagers": {FRONT: "1"}}, automate=by_hand))
    play.make(ANN, "pass", 5_00)
    play.make(BOB, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])
    play.shoots()
    for first, second in ((5, 6), (3, 4)):
        play.do(c.ThrowDice(seat=SHOOTER))
        play.do(c.LandDice(first=first, second=second, by="dealer"))
        play.do(c.CallNoRoll(reason="in_cup", by="boxperson"))
    assert (play.marker(FRONT).count, play.up(FRONT)[ANN].progress) == (0, ())
    play.make(BOB, FRONT, CENTS[BOB])
