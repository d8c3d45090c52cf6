"""Colorado's Fire Bet (47.1-2317.01): distinct points, settled at the sixth or at the loser 7."""

from itertools import permutations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause
from tests.clauses.side.colorado import (
    CENTS,
    POINTS,
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
)
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites

ROWS = pay_rows("fire")
LINES = {row.id for row in ROWS}
NATURALS_AND_CRAPS = (SEVEN, "5-6", "1-1", "1-2", "6-6")


def _fire(table: str = "FB-1", **house: object) -> Logged:
    return offered("fire", table, house)


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in ROWS])
def test_a_fire_bet_is_settled_by_the_line_of_its_table(row: Clause) -> None:
    """Every line of FB-1 to FB-4: so many distinct points, and neither the line above nor the one below."""
    for points in counts_of(row):
        table = _fire(row.values["table"]).wager("fire")
        before = {seat: table.rack(seat) for seat in (ANN, BOB)}
        happened = table.makes(*POINTS[:points])
        if points < len(POINTS):
            assert not table.decided("fire", happened)
            happened = table.sevens_out()
        decided = table.decided("fire", happened)
        assert set(decided) == {ANN, BOB}
        for seat, event in decided.items():
            assert cites([event]) & LINES == {row.id}
            if row.values.get("result") == "lose":
                assert isinstance(event, e.WagerLost)
                assert (event.cents, table.rack(seat)) == (CENTS[seat], before[seat])
                continue
            won = winnings_of(row, CENTS[seat])
            assert isinstance(event, e.WagerWon)
            assert (str(event.pays), event.cents, event.winnings) == (stated(row), CENTS[seat], won)
            assert table.rack(seat) - before[seat] == CENTS[seat] + won


@pytest.mark.clause("CO-2317.01-7-count", "CO-2317.01-7-distinct")
def test_CO_2317_01_7_distinct__each_point_counts_once_and_no_other_number_does() -> None:
    """CO-2317.01-7-count, -7-distinct: of the six points each once; repeats, come points and other totals nothing."""
    pool = [int(one) for one in row_of("CO-2317.01-7-distinct").values["pool"].split("|")]
    assert sorted(pool) == sorted(POINTS)
    table = _fire("FB-3").wager("fire")
    for number, point in enumerate(pool, 1):
        if number == len(pool):
            break
        happened = table.makes(point)
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        assert {one.wager.seat for one in progressed} == {ANN, BOB}
        assert {"CO-2317.01-7-count", "CO-2317.01-7-distinct"} <= cites(progressed)
        bits = sum(1 << one for one in pool[:number])
        assert {wager.progress for wager in table.up("fire").values()} == {(1, bits)}
        table.makes(point, point)  # repeating a made point neither adds nor subtracts
        assert {wager.progress for wager in table.up("fire").values()} == {(1, bits)}
    table.throws(WAYS[4])
    table.make(ANN, "come", 5_00)
    table.throws(WAYS[pool[-1]], WAYS[pool[-1]])  # the come point is won, and the line's point is not made
    assert {wager.progress for wager in table.up("fire").values()} == {(1, bits)}
    for wager in table.decided("fire", table.sevens_out()).values():
        assert "CO-2317.01-12-FB3-5" in cites([wager])


@pytest.mark.clause("CO-2317.01-8")
def test_CO_2317_01_8__the_points_may_be_made_in_any_order() -> None:
    """CO-2317.01-8: four points, then all six, whatever comes first."""
    for order in [*permutations((4, 6, 9, 10))][::5]:
        table = _fire("FB-4").wager("fire")
        assert "CO-2317.01-8" in cites(one for one in table.makes(*order) if isinstance(one, e.WagerProgressed))
        decided = table.decided("fire", table.sevens_out())
        assert {"CO-2317.01-12-FB4-4"} == cites(decided.values()) & LINES
    for order in [*permutations(POINTS)][::103]:
        table = _fire("FB-4").wager("fire")
        assert "CO-2317.01-12-FB4-6" in cites(table.decided("fire", table.makes(*order)).values())


@pytest.mark.clause("CO-2317.01-9-comeout")
def test_CO_2317_01_9_comeout__come_out_wins_and_losses_leave_it_alone() -> None:
    """CO-2317.01-9-comeout: a come-out 7 does not end it, nor does it count; before its first point and after three."""
    table = _fire("FB-3").wager("fire")
    for made in ((), (4, 5, 6)):
        table.makes(*made)
        count = table.marker("fire").count
        for roll in NATURALS_AND_CRAPS:
            happened = table.throws(roll)
            assert not table.decided("fire", happened)
            assert table.marker("fire").count == count == len(made)
            assert {seat: wager.cents for seat, wager in table.up("fire").items()} == {ANN: CENTS[ANN], BOB: CENTS[BOB]}
    table.throws(WAYS[8])
    assert "CO-2317.01-12-FB3-3" in cites(table.decided("fire", table.roll(SEVEN)).values())
    counted = _fire().wager("fire").makes(4)
    assert "CO-2317.01-9-comeout" in cites(one for one in counted if isinstance(one, e.WagerProgressed))


@pytest.mark.clause("CO-2317.01-must")
@pytest.mark.clause("CO-2317.01-9-end", "CO-2317.01-10-when")
def test_CO_2317_01_9_end__only_a_loser_7_or_the_sixth_point_ends_it() -> None:
    """CO-2317.01-9-end, -10-when: nothing is paid before; the sixth point pays at once, and no later 7 pays again."""
    ends = row_of("CO-2317.01-9-end").values["ends"].split("|")
    assert ends == ["seven_out", "6_points"]
    table = _fire("FB-4").wager("fire")
    for point in POINTS[:-1]:
        assert not table.decided("fire", table.makes(point))
    short = table.fork()
    short.shoots().roll(WAYS[6])
    decided = table.decided("fire", short.roll(SEVEN))
    assert {"CO-2317.01-10-when", "CO-2317.01-12-FB4-5"} <= cites(decided.values())
    assert "CO-2317.01-9-end" not in cites(decided.values())
    happened = table.throws(WAYS[10])
    assert not table.decided("fire", happened)  # set, not made
    decided = table.decided("fire", table.throws(WAYS[10]))
    assert {"CO-2317.01-9-end", "CO-2317.01-12-FB4-6"} <= cites(decided.values())
    assert "CO-2317.01-10-when" not in cites(decided.values())
    assert not table.up("fire")
    assert not table.decided("fire", table.sevens_out())


@pytest.mark.clause("CO-2317.01-9-end")
@pytest.mark.parametrize("how", ["surrender", "order"])
def test_CO_2317_01_9_end__it_rides_with_the_next_shooter(how: str) -> None:
    """CO-2317.01-9-end: dice given up, or ordered passed, in mid-point end nothing; a new one beside it starts at 0."""
    table = _fire("FB-3").wager("fire", (ANN,))
    table.makes(4, 5)
    table.throws(WAYS[6])
    give = c.SurrenderDice(seat=SHOOTER) if how == "surrender" else c.OrderDicePassed(reason="delay", by="boxperson")
    happened = table.do(give)
    assert "CO-2317.01-9-end" in cites(one for one in happened if isinstance(one, e.DiceSurrendered))
    assert table.up("fire")[ANN].progress[1].bit_count() == 2
    table.do(c.AcceptDice(seat=ANN))
    table.throws(WAYS[6])  # the third point, made by the successor
    for seat in (ANN, BOB):
        table.make(seat, "fire", CENTS[BOB])
    table.makes(8)
    happened = table.sevens_out()
    told = {
        (one.wager.seat, one.wager.cents): type(one).__name__
        for one in happened
        if isinstance(one, (e.WagerWon, e.WagerLost)) and one.wager.kind == "fire"
    }
    assert told == {(ANN, CENTS[ANN]): "WagerWon", (ANN, CENTS[BOB]): "WagerLost", (BOB, CENTS[BOB]): "WagerLost"}
    (won,) = [one for one in happened if isinstance(one, e.WagerWon) and one.wager.kind == "fire"]
    assert (str(won.pays), won.winnings) == ("30 for 1", 29 * CENTS[ANN])


def test_a_void_throw_neither_counts_nor_ends_a_fire_bet() -> None:
    """A throw called no roll that would have made the point, and one that would have been the loser 7."""
    table = offered("fire", "FB-3", automate=frozenset({"offer", "choose", "confirm", "button", "settle", "pass"}))
    table.wager("fire").shoots()
    before = table.up("fire")

    def throws(first: int, second: int, *, is_void: bool = False) -> None:
        table.do(c.ThrowDice(seat=SHOOTER))
        table.do(c.LandDice(first=first, second=second, by="dealer"))
        if is_void:
            table.do(c.CallNoRoll(reason="in_cup", by="boxperson"))
        else:
            table.do(c.CallRoll(total=first + second, by="stickperson"))

    throws(2, 2, is_void=True)
    assert table.up("fire") == before
    throws(2, 2)
    before = table.up("fire")
    for faces in ((2, 2), (3, 4)):
        throws(*faces, is_void=True)
        assert table.up("fire") == before
    throws(1, 3)
    assert table.marker("fire").lit == (4,)


@pytest.mark.clause("CO-2317.01-10-when")
def test_CO_2317_01_10_when__three_passes_are_no_test_of_their_own() -> None:
    """CO-2317.01-10-when: three passes of one number are one point; three points pay only where a table says so."""
    passes = int(row_of("CO-2317.01-10-when").values["min_passes"])
    for table, points, pays in (
        ("FB-3", (6,) * passes, ""),
        ("FB-1", POINTS[:passes], ""),
        ("FB-3", POINTS[:passes], "7 for 1"),
    ):
        play = _fire(table).wager("fire")
        play.makes(*points)
        decided = play.decided("fire", play.sevens_out())
        assert "CO-2317.01-10-when" in cites(decided.values())
        assert {str(one.pays) if isinstance(one, e.WagerWon) else "" for one in decided.values()} == {pays}


@pytest.mark.clause("CO-2317.01-10-order", "CO-2317.01-10-numeric")
def test_CO_2317_01_10_numeric__fire_bets_are_paid_last_in_the_order_of_the_seats() -> None:
    """CO-2317.01-10-order, -10-numeric: after every other taking and paying, by position, whoever made theirs first."""
    table = _fire("FB-3")
    table.wager("fire", (BOB, SHOOTER, ANN))
    table.makes(4, 5, 6)
    table.make(BOB, "dont_pass", 5_00)
    table.throws(WAYS[8])
    table.make(ANN, "place_win", 6_00, 6)
    table.make(SHOOTER, "any_seven", 5_00)
    happened = [one for one in table.roll(SEVEN) if isinstance(one, (e.WagerWon, e.WagerLost))]
    told = [(type(one).__name__, one.wager.seat, one.wager.kind) for one in happened]
    assert told[-3:] == [("WagerWon", seat, "fire") for seat in (SHOOTER, ANN, BOB)]
    assert {kind for _what, _seat, kind in told[:-3]} == {"pass", "place_win", "dont_pass", "any_seven"}
    assert {"CO-2317.01-10-order", "CO-2317.01-10-numeric"} <= cites(happened[-3:])
    verbs = [what for what, _seat, _kind in told[:-3]]
    assert verbs == sorted(verbs)


@pytest.mark.clause("CO-2317.01-10-order")
def test_CO_2317_01_10_order__no_house_with_it_pays_before_it_takes() -> None:
    """CO-2317.01-10-order: the order that a house may elect without it is refused with it, on any pay table."""
    assert not breaches_of("colorado", {"settlement": "pay_then_take"})
    for table in keys_of("fire"):
        house = {"settlement": "pay_then_take", "side_wagers": {"fire": table}}
        assert [(one.clause, one.key) for one in breaches_of("colorado", house)] == [
            ("CO-2317.01-10-order", "settlement")
        ]
    none = {"settlement": "pay_then_take", "side_wagers": {"fire": "none", "front_line_winner": "1"}}
    assert not breaches_of("colorado", none)


@pytest.mark.clause("CO-2317.01-10-order")
def test_CO_2317_01_10_order__a_losing_fire_bet_is_cleared_before_winners_are_paid() -> None:
    """CO-2317.01-10-order: losers first, those of the Fire Bet among them."""
    table = _fire("FB-3").wager("fire")
    table.make(SHOOTER, "any_seven", 5_00)
    table.throws(WAYS[8])
    table.make(SHOOTER, "any_seven", 5_00)
    happened = [one for one in table.roll(SEVEN) if isinstance(one, (e.WagerWon, e.WagerLost))]
    assert [(type(one).__name__, one.wager.kind) for one in happened] == [
        ("WagerLost", "pass"),
        ("WagerLost", "fire"),
        ("WagerLost", "fire"),
        ("WagerWon", "any_seven"),
    ]
    assert all("CO-2317.01-10-order" in cites([one]) for one in happened if one.wager.kind == "fire")


@pytest.mark.clause("CO-2317.01-11")
@pytest.mark.parametrize("points", [4, 5, 6])
def test_CO_2317_01_11__only_the_highest_level_is_paid(points: int) -> None:
    """CO-2317.01-11: one payment, of the level reached, and nothing for those below it."""
    table = _fire("FB-3").wager("fire")
    before = table.rack(ANN), table.rack(BOB)
    happened = table.makes(*POINTS[:points])
    if points < len(POINTS):
        happened = table.sevens_out()
    won = [one for one in table.log if isinstance(one, e.WagerWon) and one.wager.kind == "fire"]
    assert [one.wager.seat for one in won] == [ANN, BOB]
    assert all(one in happened and "CO-2317.01-11" in cites([one]) for one in won)
    (row,) = [one for one in ROWS if (one.values["table"], one.values["points"]) == ("FB-3", str(points))]
    gained = (table.rack(ANN) - before[0], table.rack(BOB) - before[1])
    assert gained == tuple(CENTS[seat] + winnings_of(row, CENTS[seat]) for seat in (ANN, BOB))


# --- locks ------------------------------------------------------------------------------------------------------------


def _take_down(seat: int) -> c.RemoveWager:
    return c.RemoveWager(seat=seat, wager="fire")


@pytest.mark.clause("CO-2317.01-4-takedown")
def test_CO_2317_01_4_takedown__it_may_come_down_until_the_initial_point_is_set() -> None:
    """CO-2317.01-4-takedown: before any roll and after come-out naturals and craps; from the first point on, never."""
    table = _fire().wager("fire")
    for roll in ("", *NATURALS_AND_CRAPS):
        if roll:
            table.throws(roll)
        after = table.fork()
        for seat in (ANN, BOB):
            (removed,) = after.do(_take_down(seat))
            assert isinstance(removed, e.WagerRemoved)
            assert after.rack(seat) == table.rack(seat) + CENTS[seat]
    less = c.ReduceWager(seat=BOB, wager="fire", cents=5_00)
    table.fork().do(less)
    table.throws(WAYS[9])
    for roll in ("", "1-1", WAYS[9], SEVEN, WAYS[6]):  # with the point on, and on later come-out rolls
        if roll:
            table.throws(roll)
        for command in (_take_down(ANN), _take_down(BOB), less):
            assert cites(table.refuse(command)) == {"CO-2317.01-4-takedown"}


@pytest.mark.clause("CO-2317.01-4-takedown")
def test_CO_2317_01_4_takedown__a_successors_wager_waits_for_his_own_initial_point() -> None:
    """CO-2317.01-4-takedown: one that was carried over stays locked; one made for the new shooter is free till then."""
    table = _fire().wager("fire", (ANN,))
    table.throws(WAYS[9])
    table.do(c.SurrenderDice(seat=SHOOTER))
    table.do(c.AcceptDice(seat=ANN))
    table.throws(WAYS[9])
    table.make(BOB, "fire", CENTS[BOB])
    assert table.refuse(_take_down(ANN))
    table.fork().do(_take_down(BOB))
    table.throws(WAYS[9])
    assert table.refuse(_take_down(BOB))


@pytest.mark.clause("CO-2317.01-4-off")
def test_CO_2317_01_4_off__it_may_not_be_called_off() -> None:
    """CO-2317.01-4-off: refused once the initial point is set, and it is settled all the same."""
    table = _fire("FB-3").wager("fire")
    table.throws(WAYS[4])
    for made in (4, 5, 6):
        for seat in (ANN, BOB):
            refusals = table.refuse(c.CallWager(seat=seat, wager="fire", call="off"))
            assert "CO-2317.01-4-off" in cites(refusals)
        table.makes(made) if table.table.position.puck == 0 else table.throws(WAYS[made])
    assert "CO-2317.01-12-FB3-3" in cites(table.decided("fire", table.sevens_out()).values())


# --- the lammers ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.01-6-lammer")
def test_CO_2317_01_6_lammer__a_lammer_marks_each_point_made() -> None:
    """CO-2317.01-6-lammer: on the number, once, when its point is made and not when it is set; whoever has a wager."""
    for bettors in ((), (ANN, BOB)):
        table = _fire().wager("fire", bettors)
        assert table.marker("fire").lit == ()
        for number, point in enumerate((9, 4, 10), 1):
            table.throws(WAYS[point])
            assert table.marker("fire").count == number - 1
            table.throws(WAYS[point])
            marker = table.marker("fire")
            assert (marker.count, marker.lit) == (number, tuple(sorted((9, 4, 10)[:number])))
            assert "CO-2317.01-6-lammer" in marker.clause.split(", ")
            table.makes(9)
            assert table.marker("fire").count == max(number, 1)


@pytest.mark.clause("CO-2317.01-6-until")
def test_CO_2317_01_6_until__lammers_are_added_until_a_loser_7_or_the_sixth() -> None:
    """CO-2317.01-6-until: at the top they stay and no more come; a loser 7 clears them; a surrender does not."""
    until = row_of("CO-2317.01-6-until").values["track_until"].split("|")
    assert until == ["seven_out", "top_level"]
    table = _fire()
    table.makes(*POINTS[:3])
    assert "CO-2317.01-6-until" in table.marker("fire").clause.split(", ")
    table.throws(SEVEN)
    assert table.marker("fire").lit == POINTS[:3]
    table.do(c.SurrenderDice(seat=SHOOTER))
    assert table.marker("fire").lit == POINTS[:3]
    table.do(c.AcceptDice(seat=ANN))
    table.makes(*POINTS[3:])
    for roll in ("", WAYS[4], WAYS[4], SEVEN, WAYS[8]):
        if roll:
            table.throws(roll)
        assert (table.marker("fire").count, table.marker("fire").lit) == (len(POINTS), POINTS)
    table.roll(SEVEN)
    assert (table.marker("fire").count, table.marker("fire").lit) == (0, ())
    table.makes(5)
    assert table.marker("fire").lit == (5,)
