"""Which wagers work on a come-out roll, and how a player's call and the dealer's button change it."""

import pytest

from passline.dice import OUTCOMES, Roll, number_code
from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rules import AUTOMATED, Rules
from tests.clauses.layouts import WAYS, amounts, did, laid_out, outcomes
from tests.clauses.matrix import HIGH, LINE, ODDS, POINTS, rows
from tests.clauses.table import ANN, BOB, Play, cites, make, rules_of

BY_HAND = AUTOMATED - {"button"}
HARD = ("4", "6", "8", "10")
_KEYS = ("default_on_comeout", "come_out_default", "comeout", "come_out", "default")


def _default(row: Clause) -> str:
    return next((row.values[key] for key in _KEYS if key in row.values), "")


def _params(word: str) -> list[object]:
    found = [(reg, row) for reg, row in rows() if row.area == "working" and _default(row) == word]
    return [pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id) for regulation, row in found]


def _bets(rules: Rules, row: Clause) -> list[str]:
    """Return the wagers of a row; `one_roll` stands for every wager the next roll decides."""
    named = (row.values.get("bet") or row.values.get("bets") or row.values["includes"]).split("|")
    one_roll = [
        kind
        for kind, rule in rules.wagers.items()
        if rule.family in {"one_roll", "composite"} and rule.is_offered and not rule.breakdown
    ]
    return [kind for name in named for kind in (one_roll if name == "one_roll" else [name])]


def _numbers(bet: str, row: Clause) -> tuple[str, ...]:
    if bet in LINE[:2] or bet in {"field", "any_seven", "any_craps", "six_seven_eight", "c_and_e", "horn", "whirl"}:
        return ("",)
    if bet in HIGH.values():
        return ("",)
    every = {"hardway": HARD, "big": ("6", "8"), "hop": ("2-2", "1-3", "3-4"), "horn_high": tuple(HIGH)}
    return tuple(row.values["number"].split("|")) if "number" in row.values else every.get(bet, POINTS)


def _stake(rules: Rules, bet: str, number: str) -> dict[int, int]:
    return amounts(rules, bet, "" if bet == "horn_high" else number)


def _done(play: Play, bet: str) -> dict[Roll, str]:
    found = outcomes(play, bet)
    assert all(did(found[roll][ANN]) == did(found[roll][BOB]) for roll in OUTCOMES)
    return {roll: did(found[roll][ANN]) for roll in OUTCOMES}


def _call(play: Play, seat: int, bet: str, number: str, call: str) -> c.CallWager:
    code = number_code(number) if bet not in LINE or play.find(seat, bet) is None else 0
    return c.CallWager(seat=seat, wager=bet, number=code, call=call)


def _press(play: Play, bet: str, number: str) -> list[e.Event]:
    code = number_code(number)
    pressed = (c.PlaceButton(seat=seat, wager=bet, number=code, by="dealer") for seat in (ANN, BOB))
    return [event for button in pressed for event in play.do(button)]


@pytest.mark.parametrize(("regulation", "row"), _params("off"))
def test_off_on_a_come_out_roll_unless_called_on_and_marked(regulation: str, row: Clause) -> None:
    """Every row that turns a wager off: a come-out roll leaves it, the call alone too; call and button make it work."""
    rules, bet = rules_of(regulation, automate=BY_HAND), row.values["bet"]
    for number in _numbers(bet, row):
        cents = _stake(rules, bet, number)
        play = laid_out(rules, bet, number, "come_out", cents)
        decides = {roll for roll in OUTCOMES if str(roll.total) in {number, "7"}}
        off = {roll: "returned" if bet in ODDS and roll in decides else "stayed" for roll in OUTCOMES}
        assert _done(play, bet) == off
        for roll in decides if bet in ODDS else ():
            assert all(row.id in cites(found) for found in outcomes(play, bet)[roll].values())
        for seat in (ANN, BOB):
            assert row.id in cites(play.do(_call(play, seat, bet, number, "on")))
        assert _done(play, bet) == off
        _press(play, bet, number)
        assert _done(play, bet) == _done(laid_out(rules, bet, number, "on", cents), bet)
        assert {roll for roll, done in _done(play, bet).items() if done in {"won", "lost"}} == decides


@pytest.mark.parametrize(("regulation", "row"), _params("on"))
def test_on_at_every_roll(regulation: str, row: Clause) -> None:
    """Every row that keeps a wager on: a come-out roll decides it as any roll would."""
    rules = rules_of(regulation, automate=BY_HAND)
    for bet in _bets(rules, row):
        for number in _numbers(bet, row):
            cents = _stake(rules, bet, number)
            play = laid_out(rules, bet, number, "come_out", cents)
            if bet in {"pass", "dont_pass", "pass_odds", "dont_pass_odds"}:
                done = _done(play, bet)
                assert {"won", "lost"} <= set(done.values())
            else:
                has_point = "point" if bet in LINE else "on"
                assert _done(play, bet) == _done(laid_out(rules, bet, number, has_point, cents), bet)
            if row.values.get("override") != "off":
                refused = play.refuse(_call(play, ANN, bet, number, "off"))
                assert row.id in cites(refused)


@pytest.mark.clause("MD-3.A.42.a")
@pytest.mark.parametrize("number", POINTS)
def test_MD_3_A_42_a__a_lay_wager_is_off_on_a_come_out_roll_once_called_off_and_marked(number: str) -> None:
    """MD-3.A.42.a: the call alone changes nothing, with the button a come-out roll leaves it; a point does not."""
    rules = rules_of("maryland", automate=BY_HAND)
    cents = _stake(rules, "lay", number)
    on = _done(laid_out(rules, "lay", number, "on", cents), "lay")
    for phase, after in (("come_out", dict.fromkeys(OUTCOMES, "stayed")), ("on", on)):
        play = laid_out(rules, "lay", number, phase, cents)
        for seat in (ANN, BOB):
            assert "MD-3.A.42.a" in cites(play.do(_call(play, seat, "lay", number, "off")))
        assert _done(play, "lay") == on
        assert "MD-3.A.42.a" in cites(_press(play, "lay", number))
        assert _done(play, "lay") == after


BUTTON = [
    pytest.param("section2", marks=pytest.mark.clause("S2-c5.on"), id="S2-c5.on"),
    pytest.param("arizona", marks=pytest.mark.clause("AZ-III.E.6-callon"), id="AZ-III.E.6-callon"),
]
_BUTTON_ROWS = {"section2": "S2-c5.on", "arizona": "AZ-III.E.6-callon"}


@pytest.mark.parametrize("regulation", BUTTON)
def test_a_button_is_the_dealers_and_marks_one_wager(regulation: str) -> None:
    """S2-c5.on, AZ-III.E.6-callon: a player's call, the dealer's button, wager by wager, until a point is set."""
    clause = _BUTTON_ROWS[regulation]
    assert clauses_of(regulation)[clause].values["per"] == "wager"
    play = Play(rules_of(regulation, automate=BY_HAND)).shoots()
    for number in (6, 8):
        play.make(ANN, "place_win", 12_00, number)
    button = c.PlaceButton(seat=ANN, wager="place_win", number=6, by="dealer")
    assert clause in cites(play.refuse(button))  # nothing called yet
    for number in (6, 8):
        call = c.CallWager(seat=ANN, wager="place_win", number=number, call="on")
        assert clause in cites(
            play.refuse(c.CallWager(seat=ANN, wager="place_win", number=number, call="on", by="dealer"))
        )
        play.do(call)
    for role in ("player", "stickperson", "boxperson", "floorperson"):
        assert clause in cites(play.refuse(c.PlaceButton(seat=ANN, wager="place_win", number=6, by=role)))
    assert clause in cites(play.do(button))
    six, eight = play.find(ANN, "place_win", 6), play.find(ANN, "place_win", 8)
    assert six is not None
    assert eight is not None
    assert (six.working, eight.working) == ("on", "on?")
    lapsed = [event for event in play.roll("1-3") if isinstance(event, e.CallLapsed)]
    assert [event.after.working for event in lapsed] == ["", ""]
    assert clause in cites(lapsed)


@pytest.mark.clause("CO-2305-5-onebutton")
def test_CO_2305_5_onebutton__one_button_marks_all_like_wagers_of_one_player() -> None:
    """CO-2305-5-onebutton: like wagers the player called at one position; not others' wagers, not other kinds."""
    play = Play(rules_of("colorado", automate=BY_HAND)).shoots()
    for seat in (ANN, BOB):
        for number in (6, 8):
            play.make(seat, "place_win", 12_00 * seat, number)
            play.do(c.CallWager(seat=seat, wager="place_win", number=number, call="on"))
    play.make(ANN, "place_win", 10_00, 5)  # like the others, but not called
    play.make(ANN, "buy", 20_00, 4)
    play.do(c.CallWager(seat=ANN, wager="buy", number=4, call="on"))
    pressed = play.do(c.PlaceButton(seat=ANN, wager="place_win", number=8, by="dealer"))
    assert "CO-2305-5-onebutton" in cites(pressed)
    on = {(wager.seat, wager.kind, wager.number) for wager in play.table.position.layout if wager.working == "on"}
    assert on == {(ANN, "place_win", 6), (ANN, "place_win", 8)}


@pytest.mark.clause("AZ-III.E.6-nooff")
@pytest.mark.parametrize("is_elected", [False, True])
def test_AZ_III_E_6_nooff__no_standing_wager_is_called_off_unless_approved_rules_let_it(*, is_elected: bool) -> None:
    """AZ-III.E.6-nooff: with the puck ON every wager works and an off call is refused; it can be removed instead."""
    rules = rules_of("arizona", house={"off_calls": is_elected}, automate=BY_HAND)
    clause = "AZ-III.E.6-nooff"
    for bet in ("pass", "come", "field"):
        play = laid_out(rules, bet, "", "on" if bet != "pass" else "come_out", amounts(rules, bet))
        assert clause in cites(play.refuse(c.CallWager(seat=ANN, wager=bet, call="off")))
    play = laid_out(rules, "place_win", "8", "on", _stake(rules, "place_win", "8"))
    off = c.CallWager(seat=ANN, wager="place_win", number=8, call="off")
    if is_elected:
        play.do(off)
        play.do(c.PlaceButton(seat=ANN, wager="place_win", number=8, by="dealer"))
        assert all(did(found[ANN]) == "stayed" for found in outcomes(play, "place_win").values())
    else:
        assert play.refuse(off)
        play.do(c.RemoveWager(seat=ANN, wager="place_win", number=8))


@pytest.mark.parametrize("automate", [BY_HAND, AUTOMATED], ids=["by hand", "automated"])
def test_AZ_III_E_6_callon__the_opposite_call_takes_a_call_back_and_asks_no_button(automate: frozenset[str]) -> None:
    """AZ-III.E.6-callon: on, then off, leaves the wager as it was, off by default; marked already or not."""
    play = Play(rules_of("arizona", automate=automate)).shoots()
    play.make(ANN, "place_win", 12_00, 6)
    on, off = (c.CallWager(seat=ANN, wager="place_win", number=6, call=call) for call in ("on", "off"))
    (*_, called) = play.do(on)
    assert isinstance(called, e.WagerCalled if automate == BY_HAND else e.ButtonPlaced)
    (back,) = play.do(off)
    assert isinstance(back, e.WagerCalled)
    assert back.after.working == ""
    if automate == BY_HAND:
        play.do(on)
        play.do(c.PlaceButton(seat=ANN, wager="place_win", number=6, by="dealer"))
        (back,) = play.do(off)
        assert isinstance(back, e.WagerCalled)
        assert (back.wager.working, back.after.working) == ("on", "")
    assert [wager.working for wager in play.table.position.layout if wager.kind == "place_win"] == [""]
    assert not [one for one in play.roll("3-4") if isinstance(one, e.WagerLost) and one.wager.kind == "place_win"]


def test_AZ_III_E_6_callon__an_off_call_taken_back_leaves_the_wager_working_with_a_point_on() -> None:
    """AZ-III.E.6-callon: the mirror case, where the house takes off calls."""
    play = Play(rules_of("arizona", house={"off_calls": True}, automate=BY_HAND)).shoots()
    play.roll("2-4")
    play.make(ANN, "place_win", 12_00, 8)
    play.make(BOB, "place_win", 18_00, 8)
    for seat in (ANN, BOB):
        play.do(c.CallWager(seat=seat, wager="place_win", number=8, call="off"))
        play.do(c.PlaceButton(seat=seat, wager="place_win", number=8, by="dealer"))
    (back,) = play.do(c.CallWager(seat=ANN, wager="place_win", number=8, call="on"))
    assert isinstance(back, e.WagerCalled)
    assert (back.wager.working, back.after.working) == ("off", "")
    won = [one.wager.seat for one in play.roll("4-4") if isinstance(one, e.WagerWon) and one.wager.kind == "place_win"]
    assert won == [ANN]


@pytest.mark.clause("MD-3.A.5.a", "S2-c5.other", "CO-2305-5-placewin")
@pytest.mark.parametrize("regulation", ["maryland", "section2", "colorado"])
def test_MD_3_A_5_a__a_call_taken_back_leaves_the_wager_working_with_a_point_on(regulation: str) -> None:
    """MD-3.A.5.a, S2-c5.other, CO-2305-5-placewin: calls are for come-out rolls; with a point on it works."""
    play = Play(rules_of(regulation)).shoots()
    play.roll(WAYS["6"])
    play.do(make(ANN, "place_win", 12_00, 8))
    for call in ("on", "off"):
        play.do(c.CallWager(seat=ANN, wager="place_win", number=8, call=call))
    assert did([event for event in play.roll(WAYS["8"]) if isinstance(event, e.WagerWon)]) == "won"
