"""Maryland's Fire Bet: distinct points over a hand, settled at a loser 7 and never before."""

from itertools import combinations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.markers import markers_after
from passline.rules.clauses import Clause
from passline.rules.rules import Rules
from tests.clauses.side.maryland import MD, POINTS, TOTALS, Side, cases, decided, pays_of, won
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites, make, rules_of, settled

STAKES = {ANN: 5_00, BOB: 3_00}
LEAST = int(MD["MD-3.A.40.a"].values["win_min_unique"])
MOST_LOST = int(MD["MD-3.A.40.b"].values["lose_max_unique"])
WINDOW = ("MD-3.A.40", "MD-11.A.1")
LOCK = ("MD-4.D.3.remove", "MD-4.D.3.change", "MD-11.A.3.stay")


def _table(table: str = "A") -> Side:
    """A table at which two players have Fire Bets of different amounts."""
    side = Side.of({"fire": table})
    for seat, cents in STAKES.items():
        side.make(seat, "fire", cents)
    return side


def _lost(happened: list[e.Event]) -> None:
    """Both Fire Bets are lost, whole, by the clause that says so."""
    for seat, cents in STAKES.items():
        [one] = settled(happened, seat, "fire")
        assert isinstance(one, e.WagerLost)
        assert one.cents == cents
        assert {"MD-3.A.40.b", "MD-11.A.5"} <= cites([one])


@pytest.mark.parametrize("row", cases("fire"))
def test_a_fire_bet_is_paid_by_the_line_of_its_points(row: Clause) -> None:
    """MD-5.F.1.a to MD-5.F.2.c: so many distinct points and then a loser 7; one point less is another line, or none."""
    points = int(row.values["points"])
    side = _table(row.values["table"])
    assert not decided(side.make_points(*POINTS[:points]), "fire")
    happened = side.lose()
    for seat, cents in STAKES.items():
        paid = won(happened, seat, "fire")
        assert (paid.cents, paid.winnings) == (cents, cents * pays_of(row))
        assert {row.id, "MD-11.A.5"} <= cites([paid])
        assert str(paid.pays) == f"{pays_of(row)} to 1"
    below = _table(row.values["table"])
    below.make_points(*POINTS[: points - 1])
    missed = decided(below.lose(), "fire")
    assert len(missed) == 2
    assert row.id not in cites(missed)


@pytest.mark.clause("MD-3.A.40.a", "MD-3.A.40.b")
@pytest.mark.parametrize("table", ["A", "B"])
@pytest.mark.parametrize("points", range(7))
def test_MD_3_A_40_a__four_distinct_points_win_and_three_lose(table: str, points: int) -> None:
    """MD-3.A.40.a, MD-3.A.40.b: the least that wins and the most that loses are next to each other."""
    assert LEAST == MOST_LOST + 1
    side = _table(table)
    side.make_points(*POINTS[:points])
    happened = side.lose()
    if points < LEAST:
        _lost(happened)
    else:
        assert all(won(happened, seat, "fire").winnings > 0 for seat in STAKES)


@pytest.mark.clause("MD-3.A.40.a")
def test_MD_3_A_40_a__a_point_counts_when_it_is_made_not_when_it_is_rolled() -> None:
    """MD-3.A.40.a: points thrown while another is on, or set and not made, do not count."""
    side = _table()
    side.throw(4, 5, 6, 8, 9, 10, 2, 3, 11, 12)
    assert all(side.up(seat, "fire").progress == (1, 0) for seat in STAKES)
    counted = side.throw(4)
    assert [one.after.progress for one in counted if isinstance(one, e.WagerProgressed)] == [(1, 1 << 4)] * 2
    assert {"MD-3.A.40.a", "MD-11.B.2", "MD-11.B.3", "MD-11.A.4"} == cites(
        one for one in counted if isinstance(one, e.WagerProgressed)
    )
    _lost(side.lose())


@pytest.mark.clause("MD-3.A.40.a", "MD-11.B.3")
@pytest.mark.parametrize("points", list(combinations(POINTS, LEAST)), ids=str)
def test_MD_11_B_3__any_four_points_in_any_order_win(points: tuple[int, ...]) -> None:
    """MD-11.B.3: every choice of four points, upwards and downwards, pays the line for four."""
    for order in (points, points[::-1]):
        side = _table()
        made = side.make_points(*order)
        assert "MD-11.B.3" in cites([one for one in made if isinstance(one, e.WagerProgressed)][-1:])
        assert "MD-5.F.1.a" in cites([won(side.lose(), ANN, "fire")])


@pytest.mark.clause("MD-11.B")
@pytest.mark.clause("MD-11.B.2")
def test_MD_11_B_2__a_point_made_again_does_not_count() -> None:
    """MD-11.B.2: three distinct points and one of them three times more are three."""
    side = _table()
    made = side.make_points(*POINTS[:MOST_LOST])
    assert "MD-11.B.2" in cites([one for one in made if isinstance(one, e.WagerProgressed)][-1:])
    before = side.up(ANN, "fire")
    again = side.make_points(POINTS[0], POINTS[0], POINTS[0])
    assert side.up(ANN, "fire") == before
    assert not [one for one in again if isinstance(one, (e.WagerProgressed, e.SurveillanceNotified))]
    _lost(side.lose())


@pytest.mark.clause("MD-11.A")
@pytest.mark.clause("MD-11.A.5", "MD-5.F")
def test_MD_11_A_5__it_waits_for_the_loser_7_even_after_all_six_points() -> None:
    """MD-11.A.5, MD-5.F: nothing is paid on the way, a come-out 7 does nothing, and it is paid once, for the most."""
    side = _table()
    happened = side.throw(7, 11, 2, 3, 12, 7)
    for point in POINTS:
        happened += side.make_points(point)
        happened += side.throw(7)  # a come-out 7
        assert {wager.cents for wager in side.table.position.layout if wager.kind == "fire"} == set(STAKES.values())
    happened += side.make_points(4)
    assert not decided(happened, "fire")
    paid = decided(side.lose(), "fire")
    assert len(paid) == len(STAKES)
    assert all("MD-11.A.5" in cites([one]) for one in paid)
    assert side.find(ANN, "fire") is None
    assert not decided(side.lose(), "fire")


@pytest.mark.clause("MD-11.A.5")
def test_MD_11_A_5__a_7_that_clears_come_wagers_is_no_loser_7() -> None:
    """MD-11.A.5: the Fire Bets stay through the clearing, whatever it throws, and count nothing."""
    side = _table().clear()
    before = side.up(BOB, "fire")
    assert before.progress == (1, 1 << 6)
    assert not decided(side.throw(4, 4, 7), "fire")
    assert side.up(BOB, "fire") == before


@pytest.mark.clause("MD-11.A.5")
def test_MD_11_A_5__the_fire_bets_are_settled_after_the_usual_wagers() -> None:
    """MD-11.A.5: at the loser 7 the line loses first, then the Fire Bets are paid in the order of the seats."""
    side = _table()
    side.make_points(*POINTS[:4])
    happened = [one for one in side.lose() if isinstance(one, (e.WagerLost, e.WagerWon))]
    assert [(one.wager.kind, one.wager.seat) for one in happened] == [("pass", 1), ("fire", ANN), ("fire", BOB)]


@pytest.mark.clause("MD-11.A.2")
@pytest.mark.parametrize("after", ["point", "made", "order"])
def test_MD_11_A_2__a_successor_carries_on_and_settles(after: str) -> None:
    """MD-11.A.2: willingly or by order, mid-point or not; the successor's points add to the same set."""
    side = _table("B")
    side.make_points(4, 5)
    if after == "point":
        side.throw(6)
    if after == "order":
        ordered = side.do(c.OrderDicePassed(by="boxperson", reason="delay"))
        given_up = next(one for one in ordered if isinstance(one, e.DiceSurrendered))
    else:
        given_up = side.surrender()
    assert "MD-11.A.2" in cites([given_up])
    assert side.up(ANN, "fire").progress == (1, 1 << 4 | 1 << 5)
    if after == "point":
        side.throw(6)
    else:
        side.make_points(6)
    side.surrender()  # and once more
    side.make_points(5, 8)
    happened = side.lose()
    assert {seat: won(happened, seat, "fire").winnings for seat in STAKES} == {ANN: 195_00, BOB: 117_00}
    assert "MD-5.F.2.a" in cites([won(happened, ANN, "fire")])


@pytest.mark.clause("MD-11.A.2", "MD-3.A.40")
def test_MD_11_A_2__a_new_one_beside_it_has_its_own_window_and_count() -> None:
    """MD-11.A.2, MD-3.A.40: mid-point it waits for the successor's first come-out roll; both are settled at once."""
    side = _table()
    side.make_points(4, 5, 6)
    side.throw(8)
    side.surrender()
    refused = side.refuse(make(ANN, "fire", 1_00))
    assert cites(refused) == set(WINDOW)
    assert "once the puck is OFF" in refused[0].why
    side.throw(8)
    side.make(ANN, "fire", 1_00)
    assert side.up(ANN, "fire").progress == (1, 0b1_0111_0000)
    assert (side.up(ANN, "fire", 1).cents, side.up(ANN, "fire", 1).progress) == (1_00, ())
    assert cites(side.refuse(make(ANN, "fire", 1_00))) == {"MD-4.D.3.change"}
    side.make_points(9)
    assert side.up(ANN, "fire").progress == (1, 0b11_0111_0000)
    assert side.up(ANN, "fire", 1).progress == (1, 1 << 9)
    assert set(WINDOW) <= cites(side.refuse(make(ANN, "fire", 1_00)))
    old, new = sorted(settled(side.lose(), ANN, "fire"), key=lambda one: -one.wager.cents)
    assert isinstance(old, e.WagerWon)
    assert old.winnings == 5_00 * 249
    assert isinstance(new, e.WagerLost)
    assert new.cents == 1_00


@pytest.mark.clause("MD-11.A")
@pytest.mark.clause(*WINDOW)
@pytest.mark.parametrize("total", TOTALS)
def test_MD_3_A_40__the_first_come_out_roll_closes_the_window(total: int) -> None:
    """MD-3.A.40, MD-11.A.1: whatever it was; until then it is open, and a void throw leaves it open."""
    side = Side.of({"fire": "A"})
    side.shoots()
    made = side.make(ANN, "fire", 2_00)
    assert cites(made) == set(WINDOW)
    side.void(total)
    side.make(BOB, "fire", 3_00)
    closed = [one for one in side.throw(total) if isinstance(one, e.WindowClosed)]
    assert [one.window for one in closed] == ["new_hand"]
    assert set(WINDOW) <= cites(closed)
    assert cites(side.refuse(make(SHOOTER, "fire", 1_00))) == set(WINDOW)
    if side.table.position.puck:
        side.throw(side.table.position.puck)
    assert cites(side.refuse(make(SHOOTER, "fire", 1_00))) == set(WINDOW)
    side.lose()
    assert not side.table.position.closed
    side.make(SHOOTER, "fire", 1_00)


@pytest.mark.clause("MD-3.A.40")
def test_MD_3_A_40__who_takes_the_dice_of_one_without_a_line_wager_is_a_new_shooter() -> None:
    """MD-3.A.40: the window opens when he accepts them, and stays closed while the dice only go round."""
    side = Side.of({"fire": "A"})
    side.throw(6)
    side.make(SHOOTER, "come", 10_00)
    side.throw(5, 6)
    side.do(c.DeclineLineWager(seat=SHOOTER))
    assert cites(side.refuse(make(BOB, "fire", 1_00))) == set(WINDOW)
    side.do(c.AcceptDice(seat=ANN))
    side.make(BOB, "fire", 1_00)
    cleared = Side.of({"fire": "A"}).clear()
    assert "new_hand" in cleared.table.position.closed
    assert "MD-10.B.2" in cites(cleared.refuse(make(BOB, "fire", 1_00)))


@pytest.mark.clause(*LOCK)
def test_MD_4_D_3_change__a_fire_bet_is_never_reduced_increased_or_removed() -> None:
    """MD-4.D.3.change, MD-4.D.3.remove, MD-11.A.3.stay: from the moment it is made until the loser 7."""
    side = _table()
    steps = [(), (7,), (2,), (6,), (6, 4, 4), (5, 5), (8, 8), (9,)]
    for step in steps:
        side.throw(*step)
        for command in (
            c.RemoveWager(seat=ANN, wager="fire"),
            c.ReduceWager(seat=ANN, wager="fire", cents=1_00),
            c.ReduceWager(seat=BOB, wager="fire", cents=2_00, by="dealer"),
        ):
            assert cites(side.refuse(command)) == set(LOCK), (step, command)
        assert "MD-4.D.3.change" in cites(side.refuse(make(BOB, "fire", 1_00)))
    assert {wager.cents for wager in side.table.position.layout if wager.kind == "fire"} == set(STAKES.values())
    assert won(side.lose(), ANN, "fire").cents == STAKES[ANN]
    assert "MD-4.D" in cites(side.refuse(c.RemoveWager(seat=ANN, wager="fire")))  # there is none any more


@pytest.mark.clause("MD-11.B")
@pytest.mark.clause("MD-11.B.1.a", "MD-11.B.1.b", "MD-11.B.1.c")
@pytest.mark.parametrize("table_min", [1_00, 25_00])
def test_MD_11_B_1_a__one_to_five_dollars_in_whole_ones(table_min: int) -> None:
    """MD-11.B.1.a, MD-11.B.1.b, MD-11.B.1.c: exactly five amounts, whatever the table's minimum and smallest chip."""
    least, most, step = (
        int(MD[f"MD-11.B.1.{letter}"].values[key]) * 100 for letter, key in (("a", "min"), ("b", "max"), ("c", "step"))
    )
    side = Side.of({"fire": "A"}, smallest_chip_cents=50, wager_cents_min=table_min)
    taken = []
    for cents in range(50, most + 2 * step, 50):
        trying = side.fork()
        if least <= cents <= most and cents % step == 0:
            trying.make(ANN, "fire", cents)
            taken.append(cents)
            continue
        refusals = trying.refuse(make(ANN, "fire", cents))
        bounds = {"MD-11.B.1.a": cents < least, "MD-11.B.1.b": cents > most, "MD-11.B.1.c": cents % step != 0}
        assert cites(refusals) == {clause for clause, is_broken in bounds.items() if is_broken}
    assert taken == [1_00, 2_00, 3_00, 4_00, 5_00]


@pytest.mark.clause("MD-11.B.1.a", "MD-11.B.1.c")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.parametrize(("chip", "fits"), [(1, True), (50, True), (100, True), (200, False), (500, False)])
def test_MD_11_B_1__the_smallest_chip_makes_each_of_the_five_amounts(game: str, chip: int, *, fits: bool) -> None:
    """MD-11.B.1.a, MD-11.B.1.c: a house whose chips cannot make a 1.00 or a 4.00 Fire Bet is refused with it."""
    house = {"game": game, "smallest_chip_cents": chip, "wager_cents_min": 10_00, "limits": {}}
    assert not breaches_of("maryland", {**house, "side_wagers": {"fire": "none", "bonus_craps": "A"}})
    found = breaches_of("maryland", {**house, "side_wagers": {"fire": "B"}})
    assert [(one.key, one.clause) for one in found] == (
        [] if fits else [("smallest_chip_cents", "MD-11.B.1.a, MD-11.B.1.c")]
    )


@pytest.mark.clause("MD-2.D.4.a")
def test_MD_2_D_4_a__sixteen_players_have_a_fire_area() -> None:
    """MD-2.D.4.a: at a table of twenty the seventeenth is refused, until an area is free again."""
    areas = int(MD["MD-2.D.4.a"].values["max_fire_areas"])
    side = Side.of({"fire": "A"}, seats=20)
    for seat in range(4, 21):
        side.do(c.TakeSeat(seat=seat))
        side.do(c.BuyIn(seat=seat, cents=100_00))
    for seat in range(1, areas + 1):
        side.make(seat, "fire", 1_00)
    for seat in (areas + 1, 20):
        assert cites(side.refuse(make(seat, "fire", 1_00))) == {"MD-2.D.4.a"}
    side.throw(6)
    side.surrender()
    side.throw(6)
    side.make(areas, "fire", 1_00)  # a second one goes onto the same area
    assert cites(side.refuse(make(areas + 1, "fire", 1_00))) == {"MD-2.D.4.a"}
    side.lose()
    side.make(areas + 1, "fire", 1_00)


@pytest.mark.clause("MD-11.A", "MD-11.B", "MD-2.D.4", "MD-5.F")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_MD_2_D_4__a_house_may_offer_the_fire_bet_by_one_of_two_tables(game: str) -> None:
    """MD-2.D.4, MD-5.F, MD-11.A, MD-11.B: none by default; by A or B in both games; by no other."""
    clauses = {"MD-2.D.4", "MD-5.F", "MD-11.A", "MD-11.B"}
    for tables in ({}, {"fire": "none"}):
        assert cites(Side.of(tables, game=game).refuse(make(ANN, "fire", 1_00))) == clauses
    paid = {}
    for table in MD["MD-5.F"].values["table"].split("|"):
        side = Side.of({"fire": table}, game=game)
        side.make(ANN, "fire", 2_00)
        side.make_points(*POINTS)
        paid[table] = won(side.lose(), ANN, "fire").winnings
    assert paid == {"A": 2_00 * 999, "B": 2_00 * 499}
    [breach] = breaches_of("maryland", {"side_wagers": {"fire": "C"}})
    assert breach.key == "side_wagers.fire"
    assert cites([breach]) == clauses


@pytest.mark.clause("MD-11.A.6")
def test_MD_11_A_6__surveillance_is_told_once_at_the_fourth_point() -> None:
    """MD-11.A.6: at the fourth distinct point whoever has how many Fire Bets, and not again."""
    trigger = int(MD["MD-11.A.6"].values["trigger"].split("_", maxsplit=1)[0])
    side = _table()
    before = side.make_points(*POINTS[: trigger - 1], POINTS[0])
    at = side.make_points(POINTS[trigger - 1])
    after = side.make_points(*POINTS) + side.lose()
    told = [[one for one in part if isinstance(one, e.SurveillanceNotified)] for part in (before, at, after)]
    assert [len(one) for one in told] == [0, 1, 0]
    assert (told[1][0].kind, told[1][0].count, told[1][0].clause) == ("fire", trigger, "MD-11.A.6")
    nobody = Side.of({"fire": "A"})
    assert not any(isinstance(one, e.SurveillanceNotified) for one in nobody.make_points(*POINTS))


@pytest.mark.clause("MD-11.A.4")
def test_MD_11_A_4__a_marker_shows_the_running_count_on_each_point_made() -> None:
    """MD-11.A.4: one more for each distinct point, none for a repeat; it lies until the loser 7, a successor's too."""
    side = _table()
    assert (side.marker("fire").count, side.marker("fire").clause) == (0, "")
    for count, point in enumerate(POINTS[:4], start=1):
        happened = side.make_points(point)
        side.make_points(POINTS[0])
        marker = side.marker("fire")
        assert (marker.count, marker.lit, marker.clause) == (count, POINTS[:count], "MD-11.A.4")
        assert "MD-11.A.4" in cites([one for one in happened if isinstance(one, e.WagerProgressed)][-1:])
    side.throw(7)  # a come-out 7
    side.surrender()
    side.make_points(POINTS[4])
    assert side.marker("fire").lit == POINTS[:5]
    side.lose()
    assert (side.marker("fire").count, side.marker("fire").lit) == (0, ())


@pytest.mark.clause("MD-11.A.4")
def test_MD_11_A_4__the_markers_follow_the_shooter_though_nobody_has_a_fire_bet() -> None:
    """MD-11.A.4: the dealer puts them down for every shooter."""
    side = Side.of({"fire": "A"})
    side.make_points(9, 10)
    assert side.marker("fire").lit == (9, 10)
    assert "fire" not in markers_after(Rules.of("maryland"), side.log)  # where it is not offered there are none


@pytest.mark.clause("MD-11.A.2", "MD-11.A.5")
def test_MD_11_A_5__a_void_throw_counts_and_settles_nothing() -> None:
    """MD-11.A.5: a no roll leaves the Fire Bets as they were, on a made point and on a 7 alike."""
    side = _table()
    side.throw(4)
    before = side.table.position.layout
    for total in (4, 7):
        assert not decided(side.void(total), "fire")
        assert side.table.position.layout == before


@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_fire_is_offered_at_mini_craps_too_and_its_reading_says_why(game: str) -> None:
    """Chapter 11 says craps; Chapter 3 authorises the wager in both games and Chapter 2 names the dealer."""
    rules = rules_of("maryland", game=game, house={"side_wagers": {"fire": "A"}})
    assert rules.wagers["fire"].is_offered
    reading = rules.rulebook.elections["fire"].reading
    assert all(word in reading for word in ("mini-craps", "Chapter 11", "Chapter 3", "dealer"))
