"""Colorado's Super Front Line Winner (47.1-2317.04): who may make it, when, and how long it stays."""

import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from tests.clauses.side.colorado import CENTS, SEVEN, WAYS, offered, row_of, with_limits
from tests.clauses.side.front_line import ELEVEN, FRONT, front_line_table
from tests.clauses.table import ANN, BOB, SHOOTER, Play, breaches_of, cites, make, rules_of

LOCK = (c.RemoveWager(seat=ANN, wager=FRONT), c.ReduceWager(seat=BOB, wager=FRONT, cents=5_00))


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
    play = front_line_table()
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
    play = front_line_table()
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
        play = front_line_table()
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
    strict = front_line_table("1", front_line_before_first_roll=True)
    assert "CO-2317.04-30-before" in cites(strict.make(ANN, FRONT, CENTS[ANN]))
    wide = front_line_table("1")
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
    play = front_line_table().wager(FRONT)
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
    play = front_line_table().wager(FRONT)
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
    play = front_line_table()
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
        play = front_line_table()
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
    play = front_line_table("7").wager(FRONT)
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
    tables: list[Play] = [front_line_table("1").wager(FRONT), front_line_table("1"), Play(rules_of("colorado"))]
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
