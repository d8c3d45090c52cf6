"""Colorado's Sharp Shooter (47.1-2317.02): points made, repeats counting, settled at the tenth or at the loser 7."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause
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
)
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites, make

ROWS = pay_rows("sharp_shooter")
LINES = {row.id for row in ROWS}
TEN = int(row_of("CO-2317.02-7").values["max_points"])
LEAST = int(row_of("CO-2317.02-6").values["min_points"])
POINTS = (6, 8, 8, 4, 6, 10, 5, 9, 9, 6)  # repeats among them, so a count of distinct points would show


def _sharp(table: str = "SS-01", **house: object) -> Logged:
    return offered("sharp_shooter", table, house)


def _line(table: str, points: int) -> Clause:
    (row,) = [one for one in ROWS if one.values["table"] == table and one.values["points"] == str(points)]
    return row


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in ROWS])
def test_a_sharp_shooter_is_settled_by_the_line_of_its_table(row: Clause) -> None:
    """Every line of SS-01 to SS-06: so many points made, and neither the line above nor the one below."""
    for points in counts_of(row):
        table = _sharp(row.values["table"]).wager("sharp_shooter")
        before = {seat: table.rack(seat) for seat in (ANN, BOB)}
        happened = table.makes(*POINTS[:points])
        if points < TEN:
            assert not table.decided("sharp_shooter", happened)
            happened = table.sevens_out()
        decided = table.decided("sharp_shooter", happened)
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


@pytest.mark.clause("CO-2317.02-6")
def test_CO_2317_02_6__repeats_count_and_come_out_naturals_do_not() -> None:
    """CO-2317.02-6: points made, the same one over again too; three pay, two do not; more pay more, table by table."""
    for repeats in range(1, 5):
        table = _sharp().wager("sharp_shooter")
        happened = table.makes(*(8,) * repeats)
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        assert "CO-2317.02-6" in cites(progressed)
        table.throws(SEVEN, "5-6", "1-1", "6-6", SEVEN)
        assert {wager.progress[1] for wager in table.up("sharp_shooter").values()} == {repeats}
        kinds = {type(one) for one in table.decided("sharp_shooter", table.sevens_out()).values()}
        assert kinds == {e.WagerWon if repeats >= LEAST else e.WagerLost}
    for name in {row.values["table"] for row in ROWS}:
        won = [winnings_of(_line(name, points), 1_00) for points in range(LEAST, TEN + 1)]
        assert won == sorted(set(won))


@pytest.mark.clause("CO-2317.02-6")
def test_CO_2317_02_6__come_points_do_not_count() -> None:
    """CO-2317.02-6: the shooter's points are the line's; a come wager that makes its own adds nothing."""
    table = _sharp().wager("sharp_shooter")
    table.throws(WAYS[4])
    for _ in range(3):
        table.make(ANN, "come", 5_00)
        table.throws(WAYS[9], WAYS[9])
    assert {wager.progress[1] for wager in table.up("sharp_shooter").values()} == {0}
    table.throws(WAYS[4])
    assert {wager.progress[1] for wager in table.up("sharp_shooter").values()} == {1}


@pytest.mark.clause("CO-2317.02-must")
@pytest.mark.clause("CO-2317.02-7")
def test_CO_2317_02_7__the_tenth_point_pays_the_top_and_ends_it() -> None:
    """CO-2317.02-7: at nine it waits, at ten it is paid at once; no new one for this shooter, and nothing twice."""
    table = _sharp("SS-06").wager("sharp_shooter")
    happened = table.makes(*POINTS[: TEN - 1])
    assert not table.decided("sharp_shooter", happened)
    table.throws(WAYS[5])
    near_miss = table.fork()
    decided = table.decided("sharp_shooter", near_miss.roll(SEVEN))
    assert cites(decided.values()) & LINES == {_line("SS-06", TEN - 1).id}
    assert "CO-2317.02-7" not in cites(decided.values())
    decided = table.decided("sharp_shooter", table.throws(WAYS[5]))
    assert set(decided) == {ANN, BOB}
    assert {"CO-2317.02-7", _line("SS-06", TEN).id} <= cites(decided.values())
    assert not table.up("sharp_shooter")
    assert table.refuse(make(ANN, "sharp_shooter", CENTS[ANN]))
    assert not table.decided("sharp_shooter", table.makes(4))
    assert not table.decided("sharp_shooter", table.sevens_out())
    table.make(ANN, "sharp_shooter", CENTS[ANN])


@pytest.mark.clause("CO-2317.02-8-when")
def test_CO_2317_02_8_when__it_is_paid_after_the_loser_7() -> None:
    """CO-2317.02-8-when: after three passes or more nothing is paid until the 7 that ends the hand; at two it loses."""
    passes = int(row_of("CO-2317.02-8-when").values["min_passes"])
    for made in range(passes - 1, passes + 2):
        table = _sharp("SS-02").wager("sharp_shooter")
        for point in POINTS[:made]:
            assert not table.decided("sharp_shooter", table.makes(point))
        assert not table.decided("sharp_shooter", table.throws(SEVEN))  # a come-out 7 is no loser 7
        decided = table.decided("sharp_shooter", table.sevens_out())
        assert all("CO-2317.02-8-when" in cites([one]) for one in decided.values())
        assert {type(one) for one in decided.values()} == {e.WagerWon if made >= passes else e.WagerLost}


@pytest.mark.clause("CO-2317.02-8-order")
def test_CO_2317_02_8_order__losing_wagers_are_cleared_before_it_is_paid() -> None:
    """CO-2317.02-8-order: every loser of the roll is taken before a Sharp Shooter, or anything else, is paid."""
    for table_name in keys_of("sharp_shooter"):
        house = {"settlement": "pay_then_take", "side_wagers": {"sharp_shooter": table_name}}
        assert [(one.clause, one.key) for one in breaches_of("colorado", house)] == [
            ("CO-2317.02-8-order", "settlement")
        ]
    table = _sharp("SS-02").wager("sharp_shooter")
    table.makes(*POINTS[:4])
    table.throws(WAYS[8])
    table.make(BOB, "place_win", 6_00, 6)
    table.make(ANN, "any_seven", 5_00)
    happened = [one for one in table.roll(SEVEN) if isinstance(one, (e.WagerWon, e.WagerLost))]
    kinds = [one.wager.kind for one in happened]
    verbs = [type(one).__name__ for one in happened]
    assert verbs == sorted(verbs)
    assert kinds[-2:] == ["sharp_shooter"] * 2
    assert set(kinds[:-2]) == {"pass", "place_win", "any_seven"}
    assert all("CO-2317.02-8-order" in cites([one]) for one in happened[-2:])


@pytest.mark.clause("CO-2317.02-gap-lock")
def test_CO_2317_02_gap_lock__nothing_locks_it() -> None:
    """CO-2317.02-gap-lock: it comes down whole or in part until the deciding roll, with a point on and after points."""
    table = _sharp().wager("sharp_shooter")
    for roll in ("", SEVEN, WAYS[5], WAYS[5], WAYS[8], "1-1"):
        if roll:
            table.throws(roll)
        after = table.fork()
        (removed,) = after.do(c.RemoveWager(seat=ANN, wager="sharp_shooter"))
        assert isinstance(removed, e.WagerRemoved)
        assert "CO-2317.02-gap-lock" in cites([removed])
        assert after.rack(ANN) - table.rack(ANN) == CENTS[ANN]
        (reduced,) = after.do(c.ReduceWager(seat=BOB, wager="sharp_shooter", cents=10_00))
        assert "CO-2317.02-gap-lock" in cites([reduced])
        assert after.rack(BOB) - table.rack(BOB) == 10_00
    by_hand = frozenset({"offer", "choose", "confirm", "button"})
    thrown = offered("sharp_shooter", "SS-01", automate=by_hand).wager("sharp_shooter").shoots()
    thrown.do(c.ThrowDice(seat=SHOOTER))
    assert thrown.refuse(c.RemoveWager(seat=ANN, wager="sharp_shooter"))


@pytest.mark.clause("CO-2317.02-gap-lock")
def test_CO_2317_02_gap_lock__what_was_left_up_keeps_its_count() -> None:
    """CO-2317.02-gap-lock: a part taken down leaves the rest with its points; no lock may be elected without a rule."""
    table = _sharp("SS-01").wager("sharp_shooter")
    table.makes(*POINTS[:3])
    table.do(c.ReduceWager(seat=BOB, wager="sharp_shooter", cents=10_00))
    decided = table.decided("sharp_shooter", table.sevens_out())[BOB]
    assert isinstance(decided, e.WagerWon)
    assert (decided.cents, decided.winnings) == (5_00, winnings_of(_line("SS-01", 3), 5_00))


@pytest.mark.clause("CO-2317.02-5")
def test_CO_2317_02_5__a_lammer_keeps_the_count_of_points() -> None:
    """CO-2317.02-5: one more each time a point is made, repeats too; to the tenth and no further; cleared by the 7."""
    table = _sharp()
    for number, point in enumerate(POINTS, 1):
        table.throws(WAYS[point])
        assert table.marker("sharp_shooter").count == number - 1
        table.throws(WAYS[point])
        marker = table.marker("sharp_shooter")
        assert (marker.count, "CO-2317.02-5" in marker.clause.split(", ")) == (number, True)
    table.makes(4)
    assert table.marker("sharp_shooter").count == TEN
    table.sevens_out()
    assert table.marker("sharp_shooter").count == 0
    bettor = _sharp().wager("sharp_shooter")
    assert "CO-2317.02-5" in cites(one for one in bettor.makes(4) if isinstance(one, e.WagerProgressed))


def test_it_rides_with_the_next_shooter_as_the_fire_bet_does() -> None:
    """A surrender of the dice ends nothing: points of the successor count on, and a new one starts at none."""
    table = _sharp("SS-01").wager("sharp_shooter", (ANN,))
    table.makes(6, 6)
    table.do(c.SurrenderDice(seat=SHOOTER))
    table.do(c.AcceptDice(seat=ANN))
    assert table.marker("sharp_shooter").count == 2
    table.make(BOB, "sharp_shooter", CENTS[BOB])
    table.makes(6)
    decided = table.decided("sharp_shooter", table.sevens_out())
    assert {seat: type(one).__name__ for seat, one in decided.items()} == {ANN: "WagerWon", BOB: "WagerLost"}
