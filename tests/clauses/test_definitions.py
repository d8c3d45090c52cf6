"""The terms the regulations define: points, come-out rolls, dealers, shooters, buy and lay, call bets, vigorish."""

import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rules import AUTOMATED
from passline.rules.schema import cites_of
from tests.clauses.layouts import WAYS, amounts, did, laid_out, outcomes
from tests.clauses.matrix import POINTS, rolls_of
from tests.clauses.table import ANN, BOB, SHOOTER, Play, cites, make, rules_of, settled

GAMES = {"colorado": ("craps",), "section2": ("craps", "mini_craps"), "maryland": ("craps", "mini_craps")}


def _params(*clauses: str) -> list[object]:
    names = {"CO": "colorado", "S2": "section2", "AZ": "arizona", "MD": "maryland"}
    return [
        pytest.param(name, clauses_of(name)[one], marks=pytest.mark.clause(one), id=one)
        for one in clauses
        for name in (names[one[:2]],)
    ]


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2302-2", "CO-2302-7", "S2-a1i", "MD-1.B.3"))
def test_these_totals_on_a_come_out_roll_are_the_point(regulation: str, row: Clause) -> None:
    """CO-2302-2, CO-2302-7, S2-a1i, MD-1.B.3: on exactly these totals the puck goes ON there."""
    points = rolls_of(row.values.get("points") or row.values["totals"])
    for game in GAMES[regulation]:
        for roll in OUTCOMES:
            play = Play(rules_of(regulation, game=game)).shoots()
            moved = [event for event in play.roll(roll) if isinstance(event, e.PuckMoved)]
            assert play.table.position.puck == (roll.total if roll in points else 0)
            assert bool(moved) is (roll in points)
            assert all(row.id in cites([event]) for event in moved)


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2302-4", "S2-a1iii", "MD-1.B.5"))
def test_these_totals_after_a_come_wager_are_its_own_point(regulation: str, row: Clause) -> None:
    """CO-2302-4, S2-a1iii, MD-1.B.5: each come and don't come wager takes the total of its first roll as its number."""
    points = rolls_of(row.values.get("points") or row.values["totals"])
    rules = rules_of(regulation)
    for bet in ("come", "dont_come"):
        for roll, by_seat in outcomes(laid_out(rules, bet, "", "on", amounts(rules, bet)), bet).items():
            for found in by_seat.values():
                moved = [event for event in found if isinstance(event, e.WagerMoved)]
                assert [event.after.number for event in moved] == ([roll.total] if roll in points else [])
                assert all(row.id in cites([event]) for event in moved)
    play = laid_out(rules, "come", "", "on", amounts(rules, "come"))
    play.roll("1-3")
    play.make(ANN, "come", 5_00)
    play.roll("4-5")
    assert [wager.number for wager in play.table.position.layout if wager.seat == ANN] == [4, 9]


OPENING = ("CO-2302-3-open", "S2-a1ii.open", "MD-1.B.4")
AFTER = ("CO-2302-3-after", "S2-a1ii.after", "MD-1.B.4")


@pytest.mark.parametrize(("regulation", "row"), _params(*OPENING))
def test_the_first_roll_of_a_game_is_a_come_out_roll(regulation: str, row: Clause) -> None:
    """CO-2302-3-open, S2-a1ii.open, MD-1.B.4: no come wager may be made, a 7 wins for pass, a point goes ON."""
    for game in GAMES[regulation]:
        play = Play(rules_of(regulation, game=game)).shoots()
        assert play.table.position.phase == "come_out"
        assert play.refuse(make(ANN, "come", 10_00))
        assert did(settled(play.fork().roll("3-4"), SHOOTER)) == "won"
        play.roll("1-3")
        assert row.id in cites(event for event in play.roll("2-2") if isinstance(event, e.PuckMoved))


@pytest.mark.parametrize(("regulation", "row"), _params(*AFTER))
def test_a_come_out_roll_follows_a_decision_of_the_line_and_nothing_else(regulation: str, row: Clause) -> None:
    """CO-2302-3-after, S2-a1ii.after, MD-1.B.4: from the come-out roll and every point, on each roll."""
    for game in GAMES[regulation]:
        rules = rules_of(regulation, game=game)
        for point in ("", *POINTS):
            play = laid_out(rules, "dont_pass", point, "point" if point else "come_out", {ANN: 10_00, BOB: 20_00})
            for roll in OUTCOMES:
                after = play.fork()
                happened = after.roll(roll)
                is_decided = did(settled(happened, SHOOTER, "pass")) != "stayed"
                assert (after.table.position.phase == "come_out") is is_decided
                if point and roll.total == int(point):
                    assert row.id in cites(event for event in happened if isinstance(event, e.PuckMoved))
        play = laid_out(rules, "dont_pass", "6", "point", {ANN: 10_00, BOB: 20_00})
        play.do(c.SurrenderDice(seat=SHOOTER))
        play.do(c.AcceptDice(seat=play.table.position.offered_to))
        assert play.table.position.phase == "point"  # a new shooter plays for the same point


@pytest.mark.clause("CO-2302-5")
def test_CO_2302_5__a_stickperson_is_a_dealer() -> None:
    """CO-2302-5: what a dealer confirms a stickperson may confirm; in Maryland, which says no such thing, not."""
    assert "stickperson" in clauses_of("colorado")["CO-2302-5"].values["roles"]
    for regulation, is_dealer in (("colorado", True), ("maryland", False)):
        play = Play(rules_of(regulation, automate=AUTOMATED - {"button"})).shoots()
        play.make(ANN, "place_win", 12_00, 6)
        play.do(c.CallWager(seat=ANN, wager="place_win", number=6, call="on"))
        button = c.PlaceButton(seat=ANN, wager="place_win", number=6, by="stickperson")
        if is_dealer:
            play.do(button)
        else:
            assert play.refuse(button)
    includes = rules_of("colorado").rulebook.general.dealer_includes
    assert includes is not None
    assert includes.cite == "CO-2302-5"


@pytest.mark.parametrize(("regulation", "row"), _params("CO-2302-8", "AZ-I.5"))
def test_the_shooter_is_the_player_who_throws(regulation: str, row: Clause) -> None:
    """CO-2302-8, AZ-I.5: whoever accepts the dice is the shooter, and nobody else may throw."""
    play = Play(rules_of(regulation))
    play.do(c.DeclineDice(seat=play.table.position.offered_to))
    seat = play.table.position.offered_to
    accepted = play.do(c.AcceptDice(seat=seat))
    assert row.id in cites(accepted)
    assert play.table.position.shooter == seat
    for other in {SHOOTER, ANN, BOB}:
        play.make(other, "pass", 5_00 * other)
    for other in {SHOOTER, ANN, BOB} - {seat}:
        assert play.refuse(c.ThrowDice(seat=other))
    play.do(c.ThrowDice(seat=seat))
    rolls = [duty for duty in play.rules.game.duties.values() if row.id in cites_of(duty.cite)]
    assert {by for duty in rolls for by in duty.by} <= {"shooter"}
    assert bool(rolls) is (regulation == "arizona")


@pytest.mark.clause("AZ-I.2")
def test_AZ_I_2__craps_is_played_with_two_dice() -> None:
    """AZ-I.2: a shooter chooses two dice of the set, not one and not three."""
    dice = int(clauses_of("arizona")["AZ-I.2"].values["dice"])
    play = Play(rules_of("arizona", automate=AUTOMATED - {"choose"}))
    seat = play.table.position.offered_to
    play.do(c.AcceptDice(seat=seat))
    for few_or_many in (dice - 1, dice + 1):
        chosen = tuple(range(1, few_or_many + 1))
        assert "AZ-I.2" in cites(play.refuse(c.ChooseDice(seat=seat, chosen=chosen)))
    assert "AZ-I.2" in cites(play.do(c.ChooseDice(seat=seat, chosen=tuple(range(1, dice + 1)))))


@pytest.mark.clause("S2-a1")
def test_S2_a1__the_defined_words_hold_in_both_games_of_the_section_and_nowhere_else() -> None:
    """S2-a1: a point is set by these definitions in craps and mini-craps, and by others under other regulations."""
    games = clauses_of("section2")["S2-a1"].values["games"].split("|")
    for regulation, played in (
        ("section2", games),
        ("maryland", games),
        ("colorado", ["craps"]),
        ("arizona", ["craps"]),
    ):
        for game in played:
            happened = Play(rules_of(regulation, game=game)).shoots().roll("1-3")
            assert ("S2-a1" in cites(happened)) is (regulation == "section2")


@pytest.mark.clause("MD-1.A")
def test_MD_1_A__every_defined_word_has_its_meaning_in_both_games() -> None:
    """MD-1.A: buy, lay, call bet, points, come-out roll, vigorish: each is defined once and cited in play."""
    terms = clauses_of("maryland")["MD-1.A"].values["terms"].split("|")
    assert len([one for one in clauses_of("maryland") if one.startswith("MD-1.B.")]) == len(terms)
    for game in GAMES["maryland"]:
        play = Play(rules_of("maryland", game=game)).shoots()
        meant = {
            "buy": play.make(ANN, "buy", 40_00, 4),
            "lay": play.make(ANN, "lay", 40_00, 4),
            "call_bet": play.refuse(c.MakeWager(seat=ANN, wager="field", cents=5_00, media=())),
            "come_out_point": (point := play.roll("2-4")),
        }
        assert "MD-1.A" in cites(point)
        cited = {"buy": "MD-1.B.1", "lay": "MD-1.B.6", "call_bet": "MD-1.B.2", "come_out_point": "MD-1.B.3"}
        assert set(cited) < set(terms)
        assert all(cited[term] in cites(happened) for term, happened in meant.items())


@pytest.mark.parametrize(("regulation", "row"), _params("MD-1.B.1", "MD-1.B.6"))
def test_buy_and_lay_are_place_wagers_at_true_odds(regulation: str, row: Clause) -> None:
    """MD-1.B.1, MD-1.B.6: decided by the rolls of the place wager, paid by the ways of its number against a 7's."""
    rules, parent = rules_of(regulation), row.values["parent"]
    bet = {"place_win": "buy", "place_lose": "lay"}[parent]
    for number in POINTS:
        cents = amounts(rules, bet, number)
        play = laid_out(rules, bet, number, "on", cents)
        place = outcomes(laid_out(rules, parent, number, "on", amounts(rules, parent, number)), parent)
        ways = {total: sum(roll.total == total for roll in OUTCOMES) for total in (int(number), 7)}
        pays, to = (ways[7], ways[int(number)]) if bet == "buy" else (ways[int(number)], ways[7])
        for roll, by_seat in outcomes(play, bet).items():
            for seat in (ANN, BOB):
                assert did(by_seat[seat]) == did(place[roll][seat])
                for event in by_seat[seat]:
                    if isinstance(event, e.WagerWon):
                        assert event.winnings * to == cents[seat] * pays
        fresh = Play(rules).shoots()
        assert row.id in cites(fresh.make(ANN, bet, cents[ANN], number))


@pytest.mark.clause("MD-1.B.2")
def test_MD_1_B_2__a_wager_with_neither_cash_nor_chips_is_a_call_bet_and_refused() -> None:
    """MD-1.B.2: nothing on the layout, or more than the player has, is a call bet; with chips or cash it is none."""
    play = Play(rules_of("maryland")).shoots()
    assert "MD-1.B.2" in cites(play.refuse(c.MakeWager(seat=ANN, wager="field", cents=5_00, media=())))
    assert "MD-1.B.2" in cites(play.refuse(c.MakeWager(seat=ANN, wager="field", cents=5_00, media=("call",))))
    most = play.rack(ANN)
    poor = Play(rules_of("maryland", house={"wager_cents_max": most * 2})).shoots()
    assert "MD-1.B.2" in cites(poor.refuse(make(ANN, "field", most + 1_00)))
    poor.make(ANN, "field", most)
    play.do(c.MakeWager(seat=ANN, wager="field", cents=5_00, media=("cash",)))


@pytest.mark.clause("MD-1.B.7")
@pytest.mark.parametrize("number", POINTS)
def test_MD_1_B_7__vigorish_may_be_taken_out_of_a_wager_that_has_won(number: str) -> None:
    """MD-1.B.7: elected on a win, a lay wager is charged when it wins and costs nothing when it loses."""
    assert clauses_of("maryland")["MD-1.B.7"].values == {"basis": "winning_wager"}
    on_win = {"buy_vigorish_when": "won", "lay_vigorish_when": "won"}
    rules = rules_of("maryland", house=on_win)
    play = laid_out(rules, "lay", number, "on", amounts(rules, "lay", number))
    lay = play.find(BOB, "lay", number)
    assert lay is not None
    assert play.rack(BOB) == Play(rules).rack(BOB) - lay.cents
    (won,) = settled(play.fork().roll("3-4"), BOB)
    assert isinstance(won, e.WagerWon)
    assert won.vigorish == lay.cents // 20 // 1_00 * 1_00 > 0
    assert "MD-1.B.7" in cites([won])
    (lost,) = settled(play.roll(WAYS[number]), BOB)
    assert isinstance(lost, e.WagerLost)
    assert play.rack(BOB) == Play(rules).rack(BOB) - lay.cents
