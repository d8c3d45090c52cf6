"""Late wagers: until when wagers are taken, and which confirmations one made while the dice are in the air needs."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.crew import ROLES, Crew, cited, listed, marked, row

_PLACE = ("place_win", 6)


def _confirm(by: str, kind: str = "place_win", number: int = 6) -> c.ConfirmWager:
    return c.ConfirmWager(seat=2, wager=kind, number=number, by=by)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "clause", [marked("CO-2305-2-before"), marked("S2-c1.before"), marked("AZ-III.E.4-a"), marked("MD-4.A")]
)
def test_wagers_are_made_before_the_throw(clause: str) -> None:
    """CO-2305-2-before, S2-c1.before, AZ-III.E.4-a, MD-4.A: freely until then, and never after the dice rest."""
    crew = Crew.of(clause).come_out()
    made = crew.one(crew.making(*_PLACE[:1], seat=2, number=6, cents=12_00), e.WagerMade)
    assert (made.after.pending, made.after.late) == ((), False)
    crew.throw()
    crew.land(4, 1)
    crew.only(crew.making("place_win", seat=2, number=8), clause)
    crew.call()
    crew.only(crew.making("place_win", seat=2, number=8), clause)
    crew.settle()
    crew.make("place_win", seat=2, number=8)  # settled: the next throw has not begun


@pytest.mark.clause("MD-4.A")
@pytest.mark.parametrize("game", ["craps", "mini"])
def test_MD_4_A__nothing_is_taken_in_the_air(game: str) -> None:
    """MD-4.A: no wager is taken after the throw, whoever makes it and in whatever medium."""
    assert row("MD-4.A").values["cutoff"] == "throw"
    crew = Crew("maryland", game=game, automate=frozenset({"confirm"})).come_out()
    crew.make("place_win", seat=2, number=6)
    crew.throw()
    for kind, number in (("place_win", 8), ("pass", 0), ("field", 0)):
        crew.only(crew.making(kind, seat=2, number=number), "MD-4.A")
    crew.only(crew.making("place_win", seat=2, number=8, by="dealer"), "MD-4.A")


@pytest.mark.parametrize(
    ("clause", "game"),
    [
        marked("CO-2305-2-late", ""),
        marked("S2-c1i", ""),
        marked("S2-c1ii", "mini"),
        marked("AZ-III.E.4-b", ""),
    ],
)
def test_a_late_wager_stands_once_confirmed(clause: str, game: str) -> None:
    """CO-2305-2-late, S2-c1i, S2-c1ii, AZ-III.E.4-b: by all or by any one of the roles the regulation names."""
    values = row(clause).values
    said = values.get("confirmer", values.get("confirm", "")).replace(" AND ", "+")
    is_any = "|" in said
    needed = said.replace("+", "|").split("|")
    named = set(needed) | ({"stickperson"} if clause.startswith("CO") else set())  # there a stickperson is a dealer
    crew = Crew.of(clause, game=game).come_out().throw()
    crew.make("place_win", seat=2, number=6, cents=12_00)
    late = crew.wager(2, "place_win", 6)
    assert late.late
    assert len(late.pending) == (1 if is_any else len(needed))
    for by in sorted(set(ROLES) - named):
        crew.only(_confirm(by), clause)
    for by in needed[:1] if is_any else needed:
        confirmed = crew.one(_confirm(by), e.WagerConfirmed)
        assert (confirmed.by, cited(confirmed.clause, clause)) == (by, True)
    crew.refused(_confirm(needed[0]))  # nobody confirms twice
    crew.land(4, 1)
    assert crew.layout[2, "place_win", 6] == 12_00


@pytest.mark.parametrize(
    ("clause", "confirmer"),
    [
        marked("CO-2305-2-late", "boxperson"),
        pytest.param("CO-2305-2-late", "stickperson", marks=pytest.mark.clause("CO-2305-2-late"), id="CO-stick"),
    ],
)
def test_CO_2305_2_late__one_confirmation_is_enough(clause: str, confirmer: str) -> None:
    """CO-2305-2-late: dealer, stickperson or boxperson, one of them."""
    crew = Crew("colorado").come_out().throw()
    crew.make("place_win", seat=2, number=6)
    assert cited(crew.one(_confirm(confirmer), e.WagerConfirmed).clause, clause)
    crew.land(4, 1)
    assert (2, "place_win", 6) in crew.layout


@pytest.mark.parametrize(
    ("clause", "partial"),
    [marked("CO-2305-2-late", ""), marked("S2-c1.late", "dealer"), marked("AZ-III.E.4-b", "boxperson")],
)
def test_an_unconfirmed_late_wager_goes_back(clause: str, partial: str) -> None:
    """CO-2305-2-late, S2-c1.late, AZ-III.E.4-b: a wager with one of two confirmations goes back whole."""
    in_flight = {"in_flight", "release..rest"}
    assert row(clause).values["window"] in in_flight
    crew = Crew.of(clause).come_out().throw()
    crew.make("field", seat=2, cents=5_00)
    if partial:
        crew.do(_confirm(partial, "field", 0))
        if clause == "S2-c1.late":
            assert len(crew.wager(2, "field").pending) == int(row(clause).values["confirmers"]) - 1
    back = [one for one in crew.land(2, 1) if isinstance(one, e.WagerReturned)]  # a field winner, had it stood
    assert [(one.wager.seat, one.wager.cents) for one in back] == [(2, 5_00)]
    assert crew.rack(2) == 5_000_00
    confirm = {"CO-2305-2-late": clause, "AZ-III.E.4-b": clause, "S2-c1.late": "S2-c1i"}[clause]
    assert cited(back[0].clause, confirm)
    crew.refused(crew.making("field", seat=2), clause)  # at rest: too late for any confirmation


@pytest.mark.parametrize("clause", [marked("CO-2305-2-late"), marked("S2-c1.late"), marked("AZ-III.E.4-b")])
def test_a_late_wager_needs_its_chips_and_a_live_throw(clause: str) -> None:
    """CO-2305-2-late, S2-c1.late, AZ-III.E.4-b: its chips must be in the rack; a no roll returns it unconfirmed."""
    crew = Crew.of(clause, cents=20_00).come_out().throw()
    crew.refused(crew.making("field", seat=2, cents=21_00))
    crew.refused(crew.making("field", seat=2, cents=5_00, media=()))
    crew.make("field", seat=2, cents=5_00)
    happened = crew.do(c.CallNoRoll(by="boxperson", reason="not_together"))
    assert [one.wager.kind for one in happened if isinstance(one, e.WagerReturned)] == ["field"]
    assert crew.rack(2) == 20_00
    assert (1, "pass", 0) in crew.layout


@pytest.mark.clause("S2-c2.verbal", "S2-c1.late")
def test_S2_c2_verbal__late_and_in_cash_needs_both_rules() -> None:
    """S2-c2.verbal, S2-c1.late: a spoken wager in the air is confirmed by dealer and boxperson."""
    crew = Crew("section2").come_out().throw()
    crew.make("field", seat=2, cents=5_00, media=("cash",))
    assert set(crew.wager(2, "field").pending) == {"dealer", "boxperson"}


@pytest.mark.parametrize("clause", [marked("CO-2305-2-late"), marked("S2-c1i"), marked("AZ-III.E.4-b")])
def test_a_late_addition_cannot_take_back_the_wager_already_up(clause: str) -> None:
    """CO-2305-2-late, S2-c1i, AZ-III.E.4-b: unconfirmed, it would return even a locked wager."""
    crew = Crew.of(clause).point()
    crew.make("place_win", seat=2, number=8, cents=12_00)
    crew.throw()
    crew.refused(crew.making("place_win", seat=2, number=8, cents=6_00), clause)
    if clause.startswith("CO"):
        crew.refused(crew.making("pass", cents=5_00), clause)
    crew.make("place_win", seat=2, number=5, cents=5_00)
    crew.do(_confirm("dealer", number=5))
    if not clause.startswith("CO"):
        crew.make("place_win", seat=2, number=5, cents=500_00)  # more is confirmed anew, by both
        assert set(crew.wager(2, "place_win", 5).pending) == {"dealer", "boxperson"}
    crew.land(4, 1)
    assert crew.layout[2, "place_win", 8] == 12_00
    assert crew.layout[1, "pass", 0] == 10_00


@pytest.mark.clause("CO-2305-2-late")
def test_CO_2305_2_late__an_automated_confirmation_is_immediate() -> None:
    """CO-2305-2-late: where the house confirms by itself, a late wager stands at once and is like any other."""
    crew = Crew("colorado", automate=frozenset({"confirm"})).come_out().throw()
    crew.make("place_win", seat=2, number=6)
    assert crew.wager(2, "place_win", 6).pending == ()
    crew.land(4, 1)
    assert (2, "place_win", 6) in crew.layout


@pytest.mark.clause("AZ-I.6-c")
def test_AZ_I_6_c__the_crew_puts_up_the_centre_wagers() -> None:
    """AZ-I.6-c: by stickperson or dealer; a player's own hand needs one of them before the throw."""
    placers = listed("AZ-I.6-c", "placed_by")
    assert set(placers) == {"stickperson", "dealer"}
    crew = Crew("arizona").come_out()
    for by in placers:
        crew.make("any_craps", seat=2, cents=5_00, by=by)
    assert crew.wager(2, "any_craps").pending == ()
    crew.make("hardway", seat=2, number=8, cents=5_00)
    crew.make("hardway", seat=2, number=4, cents=5_00)
    crew.make("field", seat=2, cents=5_00)  # not of the centre
    assert crew.wager(2, "field").pending == ()
    for by in ("player", "shooter", "boxperson", "floorperson"):
        crew.only(_confirm(by, "hardway", 8), "AZ-I.6-c")
    assert cited(crew.one(_confirm("stickperson", "hardway", 8), e.WagerConfirmed).clause, "AZ-I.6-c")
    back = [one for one in crew.do(c.ThrowDice(seat=1)) if isinstance(one, e.WagerReturned)]
    assert [(one.wager.number, cited(one.clause, "AZ-I.6-c")) for one in back] == [(4, True)]
    assert {kind for seat, kind, _ in crew.layout if seat == 2} == {"any_craps", "hardway", "field"}
    crew = Crew("arizona").come_out()
    centre = {kind for kind, rule in crew.rules.wagers.items() if rule.centre}
    for kind in centre - {"whirl"}:  # which is booked as its parts
        number = min(crew.rules.wagers[kind].numbers)
        crew.make(kind, seat=2, number=number)
        assert crew.wager(2, kind, number).pending == ("stickperson|dealer",)


@pytest.mark.clause("AZ-III.E.3-a", "AZ-III.E.3-b")
def test_AZ_III_E_3__the_player_answers_for_what_a_dealer_put_up() -> None:
    """AZ-III.E.3-a, AZ-III.E.3-b: it is the player's wager and money, and the throw ends any correction."""
    crew = Crew("arizona").come_out()
    made = crew.one(crew.making("place_win", seat=2, number=6, cents=12_00, by="dealer"), e.WagerMade)
    assert (made.after.seat, made.after.owner, crew.rack(2)) == (2, row("AZ-III.E.3-a").values["responsible"], 4_988_00)
    crew.do(c.RemoveWager(seat=2, wager="place_win", number=6))  # put right in time
    crew.make("field", seat=2, cents=5_00, by="dealer")
    crew.throw()
    crew.refused(c.RemoveWager(seat=2, wager="field"), "AZ-III.E.5")
    crew.refused(c.RemoveWager(seat=2, wager="field", by="dealer"), "AZ-III.E.5")
    crew.land(3, 4)
    crew.call()
    crew.settle()
    assert crew.rack(2) == 4_995_00
    duties = crew.rules.game.duties
    for key, clause in (("position", "AZ-III.E.3-a"), ("instructions", "AZ-III.E.3-b")):
        assert (duties[key].by, duties[key].cite) == ((row(clause).values["responsible"],), clause)
