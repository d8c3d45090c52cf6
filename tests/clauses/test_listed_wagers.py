"""The closed lists of wagers, composite wagers, and wagers on a number."""

import re

import pytest

from passline.dice import OUTCOMES, number_code
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from passline.rules.schema import Composite, OneRoll, SideWager, cites_of
from tests.clauses.layouts import amounts, did, laid_out, outcomes
from tests.clauses.matrix import HIGH, POINTS
from tests.clauses.table import ANN, BOB, Play, breaches_of, cites, make, rules_of, settled

BESIDE = ("buy", "lay", "pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds", "put_odds")
NAMES = {"CO": "colorado", "S2": "section2", "AZ": "arizona", "MD": "maryland"}
NO_HOPS = ("1-1", "1-2", "5-6", "6-6")


def _params(*clauses: str) -> list[object]:
    return [
        pytest.param(NAMES[one[:2]], clauses_of(NAMES[one[:2]])[one], marks=pytest.mark.clause(one), id=one)
        for one in clauses
    ]


def _games(row: Clause) -> list[str]:
    return [{"mini": "mini_craps"}.get(game, game) for game in row.values.get("games", "craps").split("|")]


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2304-only", "S2-b1", "S2-b2", "MD-3.A"))
def test_a_wager_off_the_list_is_refused(regulation: str, row: Clause) -> None:
    """CO-2304-only, S2-b1, S2-b2, MD-3.A: in every game that the list covers; and no house gives it limits."""
    unlisted = {"over_7", "hard_hop", "low", "field_triple", "hot_table"}
    if regulation != "colorado":
        unlisted |= {"put", "put_odds", "big"}
    if regulation == "section2":
        unlisted |= {"six_seven_eight", "fire"}
    for game in _games(row):
        play = Play(rules_of(regulation, game=game)).shoots()
        for kind in unlisted:
            assert row.id in cites(play.refuse(make(ANN, kind, 10_00)))
            limited = breaches_of(regulation, {"game": game, "limits": {kind: {"min": 5_00, "max": 10_00}}})
            assert row.id in cites(one for one in limited if one.key == f"limits.{kind}")
        for dice in NO_HOPS:
            assert play.refuse(make(ANN, "hop", 10_00, dice))
        for number in (2, 3, 7, 11, 12):
            assert play.refuse(make(ANN, "place_win", 10_00, number))
        play.make(ANN, "field", 10_00)


def _listed(regulation: str) -> int:
    """Return the number of wagers of a rulebook as the lists count them: each hardway, hop and big by itself."""
    rulebook = rules_of(regulation).rulebook
    return sum(
        len(getattr(entry, "numbers", ())) if kind in {"hardway", "hop", "big"} else 1
        for kind, entry in rulebook.wagers.items()
        if kind not in BESIDE and not isinstance(entry, SideWager)
    )


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2304-only", "S2-b1"))
def test_the_list_has_as_many_wagers_as_the_text(regulation: str, row: Clause) -> None:
    """CO-2304-only, S2-b1: 42 and 38, and each of them can be made."""
    assert _listed(regulation) == int(row.values["count"])
    for game in _games(row):
        rules = rules_of(regulation, game=game)
        for kind, entry in rules.rulebook.wagers.items():
            if kind in BESIDE or kind in {"come", "dont_come"} or isinstance(entry, SideWager):
                continue
            for number in getattr(entry, "numbers", ()) or ("",):
                play = Play(rules).shoots()
                on = "" if kind in {"horn_high", "whirl"} else str(number)
                cents = amounts(rules, kind, on)[ANN] if kind != "whirl" else 5_00
                assert any(isinstance(event, e.WagerMade) for event in play.make(ANN, kind, cents, str(number)))


@pytest.mark.clause("MD-3.A")
def test_MD_3_A__the_wagers_taken_are_those_of_the_list() -> None:
    """MD-3.A: 45 paragraphs, side wagers included, and every one of them is a wager here."""
    matrix = clauses_of("maryland")
    paragraphs = {int(match[1]) for one in matrix if (match := re.match(r"MD-3\.A\.(\d+)(?:\.|$)", one))}
    assert len(paragraphs) == int(matrix["MD-3.A"].values["count"])
    rulebook = rules_of("maryland").rulebook
    made = {one for entry in rulebook.wagers.values() for one in cites_of(entry.make.cite)}
    assert {int(one.split(".")[2]) for one in made if one.startswith("MD-3.A.")} == paragraphs


@pytest.mark.parametrize(("regulation", "row"), _params("S2-b1v", "S2-b1vi", "CO-2304-42-def"))
def test_a_wager_may_be_put_on_each_of_its_numbers_at_any_time(regulation: str, row: Clause) -> None:
    """S2-b1v, S2-b1vi, CO-2304-42-def: on these numbers and no other, with the puck OFF and ON."""
    rules, bet = rules_of(regulation), row.values["bet"]
    numbers = row.values["numbers"].split("|")
    for phase in ("come_out", "on"):
        for number in numbers:
            play = laid_out(rules, "field", "", phase, {ANN: 5_00, BOB: 6_00})
            for seat, cents in amounts(rules, bet, number).items():
                assert row.id in cites(play.make(seat, bet, cents, number))
        for number in {str(roll.total) for roll in OUTCOMES} - set(numbers):
            play = laid_out(rules, "field", "", phase, {ANN: 5_00, BOB: 6_00})
            assert row.id in cites(play.refuse(make(ANN, bet, 440_00, number)))


@pytest.mark.clause("CO-2304-42-def")
@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize("phase", ["come_out", "on"])
def test_CO_2304_42_def__a_put_wager_is_decided_by_its_number_and_a_7(number: str, phase: str) -> None:
    """CO-2304-42-def: as a come wager that stands there, at every roll; nothing else touches it."""
    rules = rules_of("colorado")
    play = laid_out(rules, "put", number, phase, amounts(rules, "put", number))
    for roll, by_seat in outcomes(play, "put").items():
        expected = {int(number): "won", 7: "lost"}.get(roll.total, "stayed")
        for seat in (ANN, BOB):
            assert did(by_seat[seat]) == expected
            assert ("CO-2304-42-def" in cites(by_seat[seat])) is (expected != "stayed")


@pytest.mark.clause("CO-2304-20-units")
def test_CO_2304_20_units__a_horn_high_is_made_in_fives() -> None:
    """CO-2304-20-units: a multiple of five units, on one of four totals, which carries two of them."""
    values = clauses_of("colorado")["CO-2304-20-units"].values
    units = int(values["units"])
    play = Play(rules_of("colorado")).shoots()
    for high in values["high"].split("|"):
        for cents in ((units - 1) * 1_00, (units + 1) * 1_00, (2 * units - 1) * 1_00):
            assert "CO-2304-20-units" in cites(play.refuse(make(ANN, "horn_high", cents, high)))
        for cents in (units * 1_00, 2 * units * 1_00):
            other = play.fork()
            other.make(ANN, "horn_high", cents, high)
            found = settled(other.roll("3-4"), ANN)
            on_high = sum(one.cents for one in found if isinstance(one, e.WagerLost) and one.part == HIGH[high])
            assert on_high == cents * 2 // units
    assert play.refuse(make(ANN, "horn_high", 5_00, 7))


@pytest.mark.clause("S2-b1xx.split")
def test_S2_b1xx_split__four_units_are_a_horn_and_the_fifth_is_on_the_chosen_total() -> None:
    """S2-b1xx.split: on every roll a horn high does what a horn of four units and one more on its total do."""
    values = clauses_of("section2")["S2-b1xx.split"].values
    horn, extra = int(values["horn_units"]), int(values["extra_units"])
    rules = rules_of("section2")
    for high in values["extra_on"].split("|"):
        whole, apart = Play(rules).shoots(), Play(rules).shoots()
        for seat, unit in ((ANN, 1_00), (BOB, 3_00)):
            whole.make(seat, "horn_high", (horn + extra) * unit, high)
            apart.make(seat, "horn", horn * unit)
            apart.make(seat, HIGH[high], extra * unit)
        for roll in OUTCOMES:
            one, other = whole.fork(), apart.fork()
            happened = one.roll(roll)
            other.roll(roll)
            assert one.table.money.racks == other.table.money.racks
            assert all("S2-b1xx.split" in cites([event]) for event in settled(happened, ANN))


def _booked(regulation: str, bet: str, number: str = "", house: dict[str, bool] | None = None) -> Play:
    play = Play(rules_of(regulation, house=house)).shoots()
    for seat, cents in ((ANN, 5_00), (BOB, 15_00)):
        play.make(seat, bet, cents, number)
    return play


def _up(play: Play, seat: int) -> dict[str, int]:
    return {wager.kind: wager.cents for wager in play.table.position.layout if wager.seat == seat}


@pytest.mark.clause("CO-2304-20-breakdown")
@pytest.mark.parametrize("high", list(HIGH))
def test_CO_2304_20_breakdown__without_its_area_a_horn_high_is_a_horn_and_a_single_wager(high: str) -> None:
    """CO-2304-20-breakdown: four fifths a horn, one fifth on the chosen total, each a wager of its own."""
    play = _booked("colorado", "horn_high", high, {"horn_high_area": False})
    assert _up(play, ANN) == {"horn": 4_00, HIGH[high]: 1_00}
    assert _up(play, BOB) == {"horn": 12_00, HIGH[high]: 3_00}
    again = Play(play.rules).shoots().make(ANN, "horn_high", 5_00, high)
    assert all("CO-2304-20-breakdown" in cites([event]) for event in again)
    assert _up(_booked("colorado", "horn_high", high), ANN) == {"horn_high": 5_00}


@pytest.mark.clause("CO-2304-21-breakdown")
def test_CO_2304_21_breakdown__without_its_area_a_whirl_is_a_horn_and_an_any_seven() -> None:
    """CO-2304-21-breakdown: four fifths a horn, one fifth any seven; with its area it stands whole."""
    play = _booked("colorado", "whirl", house={"whirl_area": False})
    assert _up(play, ANN) == {"horn": 4_00, "any_seven": 1_00}
    assert _up(play, BOB) == {"horn": 12_00, "any_seven": 3_00}
    again = Play(play.rules).shoots().make(ANN, "whirl", 5_00)
    assert all("CO-2304-21-breakdown" in cites([event]) for event in again)
    assert _up(_booked("colorado", "whirl"), ANN) == {"whirl": 5_00}


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2304-21-def", "S2-b1xxi", "AZ-III.F.21-def"))
def test_a_whirl_is_a_horn_and_an_any_seven_for_one_roll(regulation: str, row: Clause) -> None:
    """CO-2304-21-def, S2-b1xxi, AZ-III.F.21-def: at any time, in five units, gone after one roll, worth its parts."""
    rules = rules_of(regulation)
    assert row.values["rolls"] == "1"
    for phase in ("come_out", "on"):
        play = laid_out(rules, "field", "", phase, {ANN: 5_00, BOB: 6_00})
        apart = play.fork()
        for seat, unit in ((ANN, 1_00), (BOB, 2_00)):
            assert play.refuse(make(seat, "whirl", 4 * unit))
            assert row.id in cites(play.make(seat, "whirl", 5 * unit))
            apart.make(seat, "horn", 4 * unit)
            apart.make(seat, "any_seven", unit)
        for roll in OUTCOMES:
            one, other = play.fork(), apart.fork()
            happened = one.roll(roll)
            other.roll(roll)
            assert one.table.money.racks == other.table.money.racks
            assert not {"whirl", "horn", "any_seven"} & set(_up(one, ANN))
            if not rules.wagers["whirl"].breakdown:
                assert row.id in cites(settled(happened, ANN, "whirl"))


@pytest.mark.parametrize(
    ("regulation", "decided", "parts"),
    [
        pytest.param("section2", "S2-b1xxi", "S2-b1xxi.units", marks=pytest.mark.clause("S2-b1xxi"), id="S2-b1xxi"),
        pytest.param(
            *("arizona", "AZ-III.F.21-pay", "AZ-III.F.21-pay"),
            marks=pytest.mark.clause("AZ-III.F.21-pay"),
            id="AZ-III.F.21-pay",
        ),
    ],
)
def test_a_whirl_that_is_always_booked_apart_is_written_as_its_parts(regulation: str, decided: str, parts: str) -> None:
    """S2-b1xxi, AZ-III.F.21-pay: it is never settled whole, so its entry is read, not played."""
    rules = rules_of(regulation)
    whirl = rules.rulebook.wagers["whirl"]
    assert isinstance(whirl, Composite)
    assert whirl.parts.units == dict.fromkeys(("craps_2", "craps_3", "eleven", "craps_12", "any_seven"), 1)
    alone = [rules.rulebook.wagers[part] for part in whirl.parts.units]
    assert set(whirl.win.totals) == {total for one in alone if isinstance(one, OneRoll) for total in one.win.totals}
    assert (whirl.win.cite, whirl.lose.cite, whirl.parts.cite) == (decided, decided, parts)


@pytest.mark.clause("MD-5.E")
def test_MD_5_E__a_whirl_follows_the_any_seven_election_and_is_refused_where_its_parts_cannot_be_paid() -> None:
    """MD-5.E: at 26 to 5 a fifth of the whirl must itself be payable: 5.00 is refused, 25.00 wins 26.00 on a 7."""
    rules = rules_of("maryland", house={"payouts": {"any_seven": "26 to 5"}})
    play = Play(rules).shoots()
    assert play.refuse(make(ANN, "whirl", 5_00))
    play.make(ANN, "whirl", 25_00)
    before = play.rack(ANN)
    play.roll("3-4")
    assert play.rack(ANN) - before == 5_00 + 26_00


def test_hops_are_named_by_their_dice() -> None:
    """A hop's number is its pair of dice; these four are on no list."""
    for regulation in NAMES.values():
        assert not rules_of(regulation).wagers["hop"].numbers & {number_code(dice) for dice in NO_HOPS}
