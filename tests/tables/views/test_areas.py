"""The areas of the layout: where a player may wager now, how much, and why not."""

from passline.game import commands as c
from passline.tables import commands as k
from passline.tables.views.areas import areas_of
from tests.tables.sitting import ANN, BOB, at_a_point


def test_an_area_says_what_may_be_wagered_or_why_not() -> None:
    sitting = at_a_point()
    areas = {(area.kind, area.number): area for area in areas_of(sitting.table, 1)}
    place = areas["place_win", 8]
    assert (place.state, place.min, place.unit, place.default, place.standing, place.pays) == (
        "open", 6_00, 6_00, 6_00, 0, "7 to 6",
    )  # fmt: skip
    line = areas["pass", 0]
    assert (line.state, line.standing, line.may_remove) == ("closed", 10_00, False)
    assert (line.why, line.clause) == ("Pass Line may not be increased once its point is set", "MD-3.A.1")
    odds = areas["pass_odds", 6]
    assert (odds.state, odds.unit, odds.pays) == ("open", 5_00, "6 to 5")
    assert odds.default == min(odds.max, 990_00) // odds.unit * odds.unit
    assert areas_of(sitting.table, 5) == []


def test_an_open_area_is_accepted_and_a_closed_one_is_refused_by_its_clause() -> None:
    sitting = at_a_point()
    sitting.wager(BOB, "come", 10_00)
    sitting.roll(4, 5)
    for area in areas_of(sitting.table, 2):
        command = c.MakeWager(seat=2, wager=area.kind, number=area.number, cents=area.default)
        start = sitting.live
        if area.state == "open":
            sitting.do(command, BOB)
        else:
            assert area.clause in sitting.refusal(command, BOB)
        sitting.live = start
    assert ("come", 9) in {(area.kind, area.number) for area in areas_of(sitting.table, 2)}
    assert ("come_odds", 9) in {(area.kind, area.number) for area in areas_of(sitting.table, 2)}


def test_a_frozen_table_offers_nothing() -> None:
    sitting = at_a_point()
    sitting.do(k.FreezeTable(reason="cocked"), ANN)
    assert {(area.state, area.why) for area in areas_of(sitting.table, 1)} == {("closed", "the table is frozen")}


def test_an_area_says_its_vigorish_before_it_is_paid() -> None:
    """What the page computes from the stated rate is what is taken, also from a wager that is increased."""
    sitting = at_a_point()
    for kind, number, amounts in (("buy", 4, (25_00, 15_00)), ("lay", 10, (40_00, 20_00)), ("buy", 9, (20_00, 8_00))):
        for cents in amounts:
            area = next(one for one in areas_of(sitting.table, 1) if (one.kind, one.number) == (kind, number))
            charge = area.vigorish
            assert charge is not None
            assert charge.is_due_when_made
            assert charge.says == "5% of the wager, taken when the wager is made"
            paid = sum(
                one.vigorish for one in sitting.table.game.position.layout if one.kind == kind and one.number == number
            )
            whole = (area.standing + cents) * charge.over // (charge.under * charge.chip) * charge.chip
            rack = sitting.table.game.money.racks[0]
            sitting.wager(ANN, kind, cents, number)
            assert rack - sitting.table.game.money.racks[0] == cents + whole - paid
    assert {one.kind for one in areas_of(sitting.table, 1) if one.vigorish} == {"buy", "lay"}
