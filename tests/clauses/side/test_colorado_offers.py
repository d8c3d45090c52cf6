"""What Colorado's three side wagers have in common: offered by election, for amounts of the house's, on their own area.

Each test runs for the Fire Bet (2317.01), the Sharp Shooter (2317.02) and the Super Front Line Winner (2317.04) by the
clause that says it there.
"""

from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.explain.sections import sections
from passline.rules.rulebook_reader import rulebook_of
from tests.clauses.side.colorado import CENTS, SEVEN, Logged, keys_of, offered, row_of, with_limits
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites, make, rules_of

FIRE, SHARP, FRONT = "CO-2317.01", "CO-2317.02", "CO-2317.04"
BETS = {FIRE: "fire", SHARP: "sharp_shooter", FRONT: "front_line_winner"}


def _each(*clauses: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "clause", [pytest.param(one, marks=pytest.mark.clause(one), id=one) for one in clauses]
    )


def _bet(clause: str) -> str:
    return BETS[clause[: len(FIRE)]]


def _ready(table: Logged, bet: str) -> Logged:
    """Make the line wagers for Ann and Bob that one of the three needs."""
    if bet == "front_line_winner":
        table.make(ANN, "pass", 5_00)
        table.make(BOB, "dont_pass", 5_00)
    return table


@_each("CO-2317.01-must", "CO-2317.02-must", "CO-2317.04-must", "CO-2317.01-1", "CO-2317.02-1", "CO-2317.04-1")
def test_a_table_without_the_layout_refuses_the_wager(clause: str) -> None:
    """CO-2317.01-must, -1 and their like: where the house has not elected it under its section, nobody can make it."""
    bet = _bet(clause)
    without = Logged(rules_of("colorado")).shoots()
    without.make(ANN, "pass", 5_00)
    assert clause in cites(without.refuse(make(ANN, bet, CENTS[ANN])))
    other = next(one for one in BETS.values() if one != bet)
    elsewhere = _ready(offered(other, keys_of(other)[0]), "front_line_winner")
    assert clause in cites(elsewhere.refuse(make(ANN, bet, CENTS[ANN])))
    _ready(offered(bet, keys_of(bet)[0]), bet).make(ANN, bet, CENTS[ANN])
    assert clause in cites(breaches_of("colorado", {"side_wagers": {bet: "my own table"}}))


@_each("CO-2317.01-12-choose", "CO-2317.02-9-choose", "CO-2317.04-choose")
def test_the_house_uses_one_of_the_printed_pay_tables(clause: str) -> None:
    """CO-2317.01-12-choose, CO-2317.02-9-choose, CO-2317.04-choose: each of them, none, and nothing else."""
    bet, listed = _bet(clause), row_of(clause).values["table"].split("|")
    assert set(listed) == set(keys_of(bet))
    for table in (*listed, "none"):
        assert not breaches_of("colorado", {"side_wagers": {bet: table}})
    for table in ("", "A", "0", "11", "FB-5", "FB1", "SS-07", "SS-1", f"{listed[0]} ", "|".join(listed[:2])):
        (breach,) = breaches_of("colorado", {"side_wagers": {bet: table}})
        assert (breach.key, clause in cites([breach])) == (f"side_wagers.{bet}", True)


@_each("CO-2317.01-ip", "CO-2317.02-ip", "CO-2317.04-ip")
def test_whose_wager_it_is_stands_beside_the_election(clause: str) -> None:
    """CO-2317.01-ip, CO-2317.02-ip, CO-2317.04-ip: the owner, since when, and that rights may pass on."""
    values, election = row_of(clause).values, rulebook_of("colorado").elections[_bet(clause)]
    assert values["owner"] in election.reading
    assert values.get("owner_date", "") in election.reading
    assert ("rights" in election.reading) is (values["transferable"] == "true")
    assert clause in election.cite
    assert clause in cites(Logged(rules_of("colorado")).refuse(make(ANN, _bet(clause), CENTS[ANN])))


@_each("CO-2317.01-2-amount", "CO-2317.02-2-amount", "CO-2317.04-4-limits")
def test_the_house_specifies_the_amounts(clause: str) -> None:
    """CO-2317.01-2-amount, CO-2317.02-2-amount, CO-2317.04-4-limits: a range, or one amount; nothing outside it."""
    bet = _bet(clause)
    table = _ready(with_limits(bet, keys_of(bet)[0], 2_00, 7_00), bet)
    for cents in (1_00, 8_00):
        refusals = table.refuse(make(ANN, bet, cents))
        assert cites(refusals) == {clause}
    for seat, cents in ((ANN, 2_00), (BOB, 7_00)):
        table.make(seat, bet, cents)
    assert {seat: wager.cents for seat, wager in table.up(bet).items()} == {ANN: 2_00, BOB: 7_00}
    fixed = _ready(with_limits(bet, keys_of(bet)[0], 5_00, 5_00), bet)
    for cents in (4_00, 6_00):
        assert cites(fixed.refuse(make(ANN, bet, cents))) == {clause}
    fixed.make(ANN, bet, 5_00)


@_each("CO-2317.01-3-place", "CO-2317.02-3-place", "CO-2317.04-6-spot")
def test_it_goes_to_its_own_area(clause: str) -> None:
    """CO-2317.01-3-place, CO-2317.02-3-place, CO-2317.04-6-spot: a wager of its own beside the line."""
    bet = _bet(clause)
    table = _ready(offered(bet, keys_of(bet)[0]), "front_line_winner")
    (made,) = table.make(ANN, bet, CENTS[ANN])
    assert isinstance(made, e.WagerMade)
    assert clause in cites([made])
    assert (made.after.kind, made.after.number, made.after.cents) == (bet, 0, CENTS[ANN])
    line = table.find(ANN, "pass")
    assert line is not None
    assert line.cents == 5_00
    assert clause not in cites(table.make(BOB, "field", 5_00))
    assert table.refuse(make(BOB, bet, CENTS[BOB], 6))


@_each("CO-2317.01-2-optional", "CO-2317.02-2-optional")
def test_it_is_optional_and_asks_for_no_line_wager(clause: str) -> None:
    """CO-2317.01-2-optional, CO-2317.02-2-optional: with a line wager or without one."""
    bet = _bet(clause)
    table = offered(bet, keys_of(bet)[0])
    table.make(BOB, "pass", 5_00)
    for seat in (ANN, BOB):
        assert clause in cites(table.make(seat, bet, CENTS[seat]))
    table.throws(SEVEN)
    assert set(table.up(bet)) == {ANN, BOB}


@pytest.mark.clause("CO-2317.01-must", "CO-2317.02-must")
@_each("CO-2317.01-2-when", "CO-2317.02-2-when")
def test_it_is_made_before_a_new_shooters_first_come_out_roll(clause: str) -> None:
    """CO-2317.01-2-when, CO-2317.02-2-when: whatever that roll is, it closes the window until the next shooter."""
    bet = _bet(clause)
    for first in (SEVEN, "5-6", "1-1", "1-2", "6-6", "2-2"):
        table = offered(bet, keys_of(bet)[0])
        table.make(ANN, bet, CENTS[ANN])  # before anybody has the dice
        table.shoots()
        assert clause in cites(table.fork().make(BOB, bet, CENTS[BOB]))
        happened = table.roll(first)
        assert clause in cites(one for one in happened if isinstance(one, e.WindowClosed))
        for seat in (ANN, BOB):  # to make, and to add to
            assert clause in cites(table.refuse(make(seat, bet, 5_00)))
    table = offered(bet, keys_of(bet)[0])
    table.throws("2-2", "2-2")
    assert clause in cites(table.refuse(make(ANN, bet, CENTS[ANN])))  # a later come-out roll of the same hand
    table.sevens_out()
    assert clause in cites(table.make(ANN, bet, CENTS[ANN]))


@pytest.mark.clause("CO-2317.01-2-when", "CO-2317.02-2-when")
@pytest.mark.parametrize("bet", ["fire", "sharp_shooter"])
def test_a_successor_in_mid_point_has_a_first_come_out_roll_too(bet: str) -> None:
    """CO-2317.01-2-when, CO-2317.02-2-when: not while the old point is on, then before the successor's own come-out."""
    table = offered(bet, keys_of(bet)[0])
    table.throws("2-2")
    table.do(c.SurrenderDice(seat=SHOOTER))
    table.do(c.AcceptDice(seat=ANN))
    assert table.refuse(make(BOB, bet, CENTS[BOB]))
    table.throws("1-3")
    table.make(BOB, bet, CENTS[BOB])
    table.throws("5-6")
    assert table.refuse(make(ANN, bet, CENTS[ANN]))


def _claimed(clause: str) -> Any:  # noqa: ANN401 - the type of pytest.param has no public name
    return pytest.param(clause, marks=pytest.mark.clause(clause), id=clause)


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clause", [_claimed("CO-2317.01-3-move"), _claimed("CO-2317.02-3-move")])
def test_the_dealers_move_it_to_its_circle(clause: str) -> None:
    """CO-2317.01-3-move, CO-2317.02-3-move: a duty on the crew's card; the circle is the player's seat."""
    (line,) = _duties(clause)
    assert line[0].split(" or ")[0] == "dealer"
    assert row_of(clause).values["move_to"].replace("_", " ") in line[1]
    table = offered(_bet(clause), keys_of(_bet(clause))[0]).wager(_bet(clause))
    assert {seat: (wager.seat, wager.cents) for seat, wager in table.up(_bet(clause)).items()} == {
        seat: (seat, CENTS[seat]) for seat in (ANN, BOB)
    }  # in a circle each: nobody's wager lies with another's
    table.throws("2-2")
    lost = [one.wager for one in table.throws(SEVEN) if isinstance(one, e.WagerLost)]
    taken = [wager.seat for wager in lost if wager.kind == _bet(clause)]
    assert taken == [ANN, BOB]  # from circle to circle, in the order of the positions


@pytest.mark.parametrize("clause", [_claimed("CO-2317.04-14-lammer"), _claimed("CO-2317.04-15")])
def test_one_lammer_without_value_is_on_the_crews_card(clause: str) -> None:
    """CO-2317.04-14-lammer, CO-2317.04-15: by the stickperson or the boxperson, one for the table, worth nothing."""
    values = row_of("CO-2317.04-14-lammer").values
    (line,) = _duties(clause)
    assert line[0] == " or ".join(values["who"].split("|"))
    assert "one lammer" in line[1]
    assert (row_of("CO-2317.04-15").values["lammer_value"], "no monetary value" in line[1]) == ("0", True)
    table = offered("front_line_winner", "1")
    before = _chips(table)
    table.throws(SEVEN, "5-6")
    assert table.marker("front_line_winner").count == 2 * int(values["qty"])  # one lammer, moved twice
    assert sum(wager.cents for wager in table.table.position.layout) == 0  # the line wagers are decided
    assert _chips(table) == before  # and the lammer is no chip: nothing has come to the table with it


def _chips(table: Logged) -> int:
    """All cents at a table, wherever they are."""
    money, layout = table.table.money, table.table.position.layout
    return sum(money.racks) + money.bank + money.tip_box + sum(wager.cents for wager in layout)


def _duties(clause: str) -> list[tuple[str, str]]:
    """Return the lines of the crew's card that cite a clause: who, and what."""
    parts = sections(rules_of("colorado"))
    return [
        (line.about, line.says)
        for part in parts
        if part.title == "Duties"
        for line in part.lines
        if clause in line.clauses
    ]
