"""Citations: each event cites the clauses about its wager and its moment, each once, and no others."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.rules import Rules
from tests.clauses.crew import Crew
from tests.clauses.layouts import BASES, WAYS, laid_out
from tests.clauses.table import ANN, BOB, Play, breaches_of, cites, make, rules_of, settled

_CALLED = [
    ("maryland", "place_win", 6, "on", "MD-3.A.5.a"),
    ("maryland", "place_lose", 6, "on", "MD-3.A.6.a"),
    ("maryland", "hardway", 4, "on", "MD-3.A.7.a"),
    ("maryland", "hardway", 10, "on", "MD-3.A.10.a"),
    ("maryland", "buy", 4, "on", "MD-3.A.41.a"),
    ("maryland", "lay", 4, "off", "MD-3.A.42.a"),
    ("colorado", "buy", 4, "on", "CO-2305-5-buy"),
    ("section2", "buy", 4, "on", "S2-c5.buy"),
    ("section2", "hardway", 4, "on", "S2-c5.hard"),
    ("arizona", "buy", 4, "on", "AZ-III.E.6-buy"),
]
_APART = {"section2": {"S2-c5.on"}, "arizona": {"AZ-III.E.6-callon"}}


@pytest.mark.parametrize(
    ("regulation", "bet", "number", "call", "clause"),
    [pytest.param(*one, marks=pytest.mark.clause(one[-1]), id=f"{one[-1]}-{one[2]}") for one in _CALLED],
)
def test_a_call_its_button_and_its_end_cite_the_wagers_own_clause(
    regulation: str, bet: str, number: int, call: str, clause: str
) -> None:
    """Call, button and lapse cite the clause by which the wager works or not, and any clause about calls."""
    play = Play(rules_of(regulation)).shoots()
    play.make(ANN, bet, 60_00, number)
    play.make(BOB, bet, 30_00, number)
    happened = play.do(c.CallWager(seat=ANN, wager=bet, number=number, call=call))
    assert [type(one) for one in happened] == [e.WagerCalled, e.ButtonPlaced]
    lapsed = [one for one in play.roll(WAYS["8"]) if isinstance(one, e.CallLapsed)]
    assert [one.wager.seat for one in lapsed] == [ANN]
    for one in (*happened, *lapsed):
        assert cites([one]) == {clause} | _APART.get(regulation, set())


@pytest.mark.clause("MD-6.C")
def test_MD_6_C__a_call_on_come_odds_cites_their_own_clause() -> None:
    """MD-6.C: with come odds elected off on a come-out roll, the call that makes them work is about them."""
    play = laid_out(
        rules_of("maryland", house={"come_odds_on_come_out": "off"}),
        "come_odds",
        "8",
        "come_out",
        {ANN: 10_00, BOB: 5_00},
    )
    called = play.do(c.CallWager(seat=ANN, wager="come_odds", number=8, call="on"))
    assert cites(called) == {"MD-6.C"}


@pytest.mark.clause("MD-4.D", "MD-4.D.1")
def test_MD_4_D__what_works_may_come_down_and_may_not_be_called_off() -> None:
    """MD-4.D, MD-4.D.1: removing is all a player can do, and with the point set a pass wager not even that."""
    play = Play(rules_of("maryland")).shoots()
    off = c.CallWager(seat=1, wager="pass", call="off")
    (before,) = play.refuse(off)
    assert (before.clause, before.why) == ("MD-4.D", "Pass Line may not be called off; it can be removed")
    play.roll(WAYS["6"])
    (after,) = play.refuse(off)
    assert cites([after]) == {"MD-4.D", "MD-4.D.1"}
    assert "can be removed" not in after.why


@pytest.mark.clause("MD-3.A.5.a")
def test_MD_3_A_5_a__a_call_that_changes_nothing_does_not_suggest_removal() -> None:
    """MD-3.A.5.a: on a come-out roll a place wager is off, and a call that changes nothing is refused."""
    play = Play(rules_of("maryland")).shoots()
    play.make(ANN, "place_win", 12_00, 6)
    off = c.CallWager(seat=ANN, wager="place_win", number=6, call="off")
    assert [one.why for one in play.refuse(off)] == ["Place 6 is already off"]
    on = c.CallWager(seat=1, wager="pass", call="on")
    assert [one.why for one in play.refuse(on)] == ["Pass Line is already on"]
    play.roll(WAYS["8"])
    assert [one.why for one in play.refuse(off)] == ["Place 6 may not be called off; it can be removed"]


_MADE = {
    "maryland": {"MD-5.G.3", "MD-5.G.3.a"},
    "arizona buy": {"AZ-III.G-2", "AZ-III.G-3"},
    "arizona lay": {"AZ-III.H-2", "AZ-III.H-3"},
}
_WON = {
    "maryland": {"MD-5.G.3", "MD-5.G.3.b", "MD-1.B.7"},
    "arizona buy": {"AZ-III.G-2", "AZ-III.G-4"},
    "arizona lay": {"AZ-III.H-2", "AZ-III.H-4"},
}


@pytest.mark.clause("MD-5.G.3.a", "MD-5.G.3.b", "MD-1.B.7", "AZ-III.G-3", "AZ-III.G-4", "AZ-III.H-3", "AZ-III.H-4")
@pytest.mark.parametrize("bet", ["buy", "lay"])
@pytest.mark.parametrize("regulation", ["maryland", "arizona"])
def test_MD_5_G_3__vigorish_cites_the_moment_it_is_taken(regulation: str, bet: str) -> None:
    """MD-5.G.3.a, MD-5.G.3.b, MD-1.B.7, AZ-III.G-3, AZ-III.G-4, AZ-III.H-3, AZ-III.H-4: made or won, not both."""
    key = regulation if regulation in _MADE else f"{regulation} {bet}"
    vigorish = _MADE[key] | _WON[key]
    play = Play(rules_of(regulation)).shoots()
    assert cites(play.make(ANN, bet, 40_00, 4)) & vigorish == _MADE[key]
    moment = {"buy_vigorish_won_on": (4,)} if regulation == "arizona" else {"buy_vigorish_when": "won"}
    late = Play(Rules.of(regulation, house={**moment, "lay_vigorish_when": "won"})).shoots()
    late.roll(WAYS["6"])
    assert not cites(late.make(ANN, bet, 40_00, 4)) & vigorish
    (won,) = settled(late.roll(WAYS["4"] if bet == "buy" else "3-4"), ANN)
    assert isinstance(won, e.WagerWon)
    assert (won.vigorish, cites([won]) & vigorish) == (2_00, _WON[key])


@pytest.mark.clause("S2-e2.inlieu")
def test_S2_e2_inlieu__is_cited_only_where_it_was_elected() -> None:
    """S2-e2.inlieu: a lay wager offered beside place to lose does not cite it; one offered instead does."""
    beside = Play(rules_of("section2")).shoots()
    assert "S2-e2.inlieu" not in cites(beside.make(ANN, "lay", 40_00, 4))
    instead = Play(rules_of("section2", house={"lay": "in_lieu"})).shoots()
    assert "S2-e2.inlieu" in cites(instead.make(ANN, "lay", 40_00, 4))
    assert "S2-e2.inlieu" in cites(instead.refuse(make(ANN, "place_lose", 55_00, 4)))


@pytest.mark.parametrize(
    ("regulation", "point", "come"),
    [
        pytest.param("maryland", "MD-1.B.3", "MD-1.B.5", marks=pytest.mark.clause("MD-1.B.3", "MD-1.B.5")),
        pytest.param("colorado", "CO-2302-2", "CO-2302-4", marks=pytest.mark.clause("CO-2302-2", "CO-2302-4")),
        pytest.param("section2", "S2-a1i", "S2-a1iii", marks=pytest.mark.clause("S2-a1i", "S2-a1iii")),
    ],
)
def test_the_puck_shows_a_come_out_point_and_a_come_wager_its_come_point(
    regulation: str, point: str, come: str
) -> None:
    """MD-1.B.3, MD-1.B.5, CO-2302-2, CO-2302-4, S2-a1i, S2-a1iii: two definitions, each cited where it acts."""
    play = Play(rules_of(regulation)).shoots()
    moved = [one for one in play.roll(WAYS["6"]) if isinstance(one, e.PuckMoved)]
    assert (point in cites(moved), come in cites(moved)) == (True, False)
    play.make(ANN, "come", 10_00)
    travelled = [one for one in play.roll(WAYS["8"]) if isinstance(one, e.WagerMoved)]
    assert (point in cites(travelled), come in cites(travelled)) == (False, True)


@pytest.mark.parametrize(
    ("regulation", "base", "clause"),
    [
        pytest.param(regulation, base, clause, marks=pytest.mark.clause(clause), id=f"{clause}-{base}")
        for regulation, base, clause in (
            ("maryland", "dont_pass", "MD-6.B"),
            ("maryland", "dont_come", "MD-6.D"),
            ("colorado", "dont_pass", "CO-2308-2-right"),
            ("colorado", "dont_come", "CO-2308-4-right"),
            ("section2", "dont_pass", "S2-f.lose"),
            ("arizona", "dont_come", "AZ-III.J.4-a"),
        )
    ],
)
def test_odds_that_go_with_their_wager_cite_their_own_clause(regulation: str, base: str, clause: str) -> None:
    """Odds cut or taken down with the original wager: by the clause of these odds, not of all odds there are."""
    play = laid_out(rules_of(regulation), f"{base}_odds", "6", "on", {ANN: 48_00, BOB: 12_00})
    number = 6 if base == "dont_come" else 0
    down = play.fork().do(c.RemoveWager(seat=ANN, wager=base, number=number))
    assert [one.clause for one in down if isinstance(one, e.WagerRemoved)][1:] == [clause]
    less = BASES[ANN] - play.rules.wagers[base].min
    cut = play.do(c.ReduceWager(seat=ANN, wager=base, number=number, cents=less))
    assert [one.clause for one in cut if isinstance(one, e.WagerReduced)][1:] == [clause]


@pytest.mark.clause("CO-2304-42-odds")
def test_CO_2304_42_odds__confirmed_odds_go_back_with_an_unconfirmed_put_wager() -> None:
    """CO-2304-42-odds: they cannot stand alone, and their return cites them and no other odds."""
    crew = Crew("colorado").come_out().throw()
    crew.make("put", seat=2, number=6, cents=10_00)
    crew.make("put_odds", seat=2, number=6, cents=20_00)
    crew.do(c.ConfirmWager(seat=2, wager="put_odds", number=6, by="dealer"))
    back = [one for one in crew.land(2, 2) if isinstance(one, e.WagerReturned)]
    assert [(one.wager.kind, one.clause) for one in back] == [
        ("put", "CO-2305-2-late"),
        ("put_odds", "CO-2304-42-odds"),
    ]


@pytest.mark.parametrize(
    ("regulation", "wager", "clause"),
    [
        pytest.param(*one, marks=pytest.mark.clause(one[-1]), id=one[-1])
        for one in (
            ("maryland", "field", "MD-4.C.1"),
            ("section2", "field", "S2-c2.verbal"),
            ("colorado", "field", "CO-2305-2-late"),
            ("arizona", "hardway", "AZ-I.6-c"),
            ("arizona", "field", "AZ-III.E.4-b"),
        )
    ],
)
def test_a_confirmation_nobody_asked_for_cites_who_confirms_what(regulation: str, wager: str, clause: str) -> None:
    """MD-4.C.1, S2-c2.verbal, CO-2305-2-late, AZ-I.6-c, AZ-III.E.4-b: no such wager, or one that needs none."""
    number = 4 if wager == "hardway" else 0
    crew = Crew(regulation).come_out()
    confirm = c.ConfirmWager(seat=2, wager=wager, number=number, by="dealer")
    crew.only(confirm, clause)
    crew.make(wager, seat=2, number=number, cents=5_00, by="stickperson")
    assert crew.wager(2, wager, number).pending == ()
    crew.only(confirm, clause)


@pytest.mark.clause("S2-c1i")
def test_S2_c1i__while_the_dice_are_in_the_air_a_confirmation_is_of_a_late_wager() -> None:
    """S2-c1i: then the clause about late wagers is the one that applies."""
    crew = Crew("section2").come_out().throw()
    crew.only(c.ConfirmWager(seat=2, wager="field", by="dealer"), "S2-c1i")


@pytest.mark.clause("MD-3.A.2", "MD-4.E.replace", "S2-b1ii", "CO-2304-2-when", "AZ-III.F.2-make")
@pytest.mark.parametrize(
    ("regulation", "made", "replaces"),
    [
        ("maryland", "MD-3.A.2", "MD-4.E.replace"),
        ("section2", "S2-b1ii", "S2-c4.dp.noreplace"),
        ("colorado", "CO-2304-2-when", "CO-2305-4-noreplace"),
        ("arizona", "AZ-III.F.2-make", "AZ-III.E.5.b"),
    ],
)
def test_MD_3_A_2__a_dont_wager_grows_before_its_point_by_the_clause_that_makes_it(
    regulation: str, made: str, replaces: str
) -> None:
    """MD-3.A.2, S2-b1ii, CO-2304-2-when, AZ-III.F.2-make: the other clause applies only once the point is set."""
    play = Play(rules_of(regulation)).shoots("dont_pass")
    play.make(ANN, "dont_pass", 20_00)
    (grown,) = play.make(ANN, "dont_pass", 10_00)
    assert isinstance(grown, e.WagerIncreased)
    assert grown.clause == made
    play.roll(WAYS["6"])
    assert replaces in cites(play.refuse(make(ANN, "dont_pass", 10_00)))


@pytest.mark.clause("CO-2309-3-two", "S2-g3.two", "MD-7.C")
@pytest.mark.parametrize(
    ("regulation", "clause"), [("colorado", "CO-2309-3-two"), ("section2", "S2-g3.two"), ("maryland", "MD-7.C")]
)
def test_MD_7_C__one_die_named_twice_is_not_two_dice(regulation: str, clause: str) -> None:
    """MD-7.C, CO-2309-3-two, S2-g3.two: the refusal says so, rather than that two are not two."""
    crew = Crew(regulation)
    crew.offer()
    crew.do(c.AcceptDice(seat=1))
    (refused,) = crew.refused(c.ChooseDice(seat=1, chosen=(3, 3)), clause).refusals
    assert refused.why == "a shooter picks 2 different dice"
    (three,) = crew.refused(c.ChooseDice(seat=1, chosen=(1, 2, 3)), clause).refusals
    assert three.why == "a shooter picks 2 dice, not 3"


@pytest.mark.clause("MD-8.E.1", "MD-8.E.2")
@pytest.mark.parametrize("callers", [("boxperson",), ("stickperson",), ("dealer",), ("boxperson", "stickperson")])
def test_MD_8_E_1__a_house_designates_no_callers_of_its_own(callers: tuple[str, ...]) -> None:
    """MD-8.E.1, MD-8.E.2: both roles have the power by the text itself, so there is nothing to elect."""
    assert not breaches_of("maryland", {"no_roll_callers": ()})
    for game in ("craps", "mini_craps"):
        breaches = breaches_of("maryland", {"game": game, "no_roll_callers": callers})
        assert {"MD-8.E.1", "MD-8.E.2"} <= cites(breaches)
