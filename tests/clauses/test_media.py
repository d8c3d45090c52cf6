"""Media: which wagers may be made with chips, plaques, tokens, coins, coupons, cash, or nothing at all."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.pages.texts import RulebookError
from passline.rules.rules import AUTOMATED, Rules
from passline.rules.schema import cites_of
from tests.clauses.crew import Crew, cited, every_game, every_side_wager, listed, marked, regulation_of, row

_COLORADO = ("chips", "tokens", "matchplay", "coins", "mix", "layout")
_LINE = ("pass", "dont_pass")


def _every_wager(crew: Crew) -> list[tuple[str, int]]:
    """Return one number of every wager that can be made before a come-out roll."""
    return [
        (kind, min(rule.numbers))
        for kind, rule in crew.rules.wagers.items()
        if not rule.behind and rule.entry.make.when != "point"
    ]


def _with_side_wagers(clause: str) -> Crew:
    """Open a table that offers every wager; its second player has the line wager that some need."""
    crew = Crew.of(clause, house=every_side_wager(regulation_of(clause)))
    crew.make("pass", seat=2)
    assert all(rule.is_offered for rule in crew.rules.wagers.values())
    return crew


def _taken(crew: Crew, kind: str, number: int, **with_: Any) -> bool:  # noqa: ANN401 - of the command
    """Return whether a wager is accepted, leaving the table as it was."""
    before = crew.table
    try:
        crew.make(kind, seat=2, number=number, **with_)
    except AssertionError:
        return False
    crew.table = before
    return True


@pytest.mark.parametrize(
    ("clause", "medium"),
    [
        marked("CO-2305-1-chips", "chips"),
        marked("CO-2305-1-tokens", "tokens"),
        marked("S2-c2.layout", "chips"),
        pytest.param("S2-c2.layout", "plaques", marks=pytest.mark.clause("S2-c2.layout"), id="S2-c2.layout-plaques"),
        marked("AZ-III.E.2", "chips"),
        marked("MD-4.B", "chips"),
        pytest.param("MD-4.B", "plaques", marks=pytest.mark.clause("MD-4.B"), id="MD-4.B-plaques"),
    ],
)
def test_a_listed_medium_makes_any_wager(clause: str, medium: str) -> None:
    """CO-2305-1-chips, CO-2305-1-tokens, S2-c2.layout, AZ-III.E.2, MD-4.B: every wager, and only whole chips."""
    values = row(clause).values
    said = values.get("medium", values.get("media", values.get("tender", ""))).split("|")
    assert medium.rstrip("s") in {one.removeprefix("value_").rstrip("s") for one in said}
    crew = _with_side_wagers(clause)
    assert all(_taken(crew, kind, number, media=(medium,)) for kind, number in _every_wager(crew))
    crew = Crew.of(clause)
    assert clause in cites_of(crew.rules.rulebook.general.media[medium].cite)
    if medium == "chips":
        for cents in (5_50, 5_01, 0, -5_00):
            crew.only(c.MakeWager(seat=2, wager="pass", cents=cents), clause)
        crew.only(crew.making("pass", seat=2, by="boxperson"), clause)
        crew.only(crew.making("pass", seat=2, by="floorperson"), clause)
        crew.refused(crew.making("pass", seat=2, media=("beads",)), clause)


@pytest.mark.parametrize(
    ("clause", "medium"),
    [
        marked("CO-2305-1-layout", "cash"),
        marked("CO-2305-1-chips", "plaques"),
        pytest.param("AZ-III.E.2", "plaques", marks=pytest.mark.clause("AZ-III.E.2"), id="AZ-III.E.2-plaques"),
        pytest.param("AZ-III.E.2", "match_play", marks=pytest.mark.clause("AZ-III.E.2"), id="AZ-III.E.2-coupons"),
        pytest.param("AZ-III.E.2", "tokens", marks=pytest.mark.clause("AZ-III.E.2"), id="AZ-III.E.2-tokens"),
        marked("AZ-III.D.4-a", "cash"),
        pytest.param("AZ-III.D.4-a", "coins", marks=pytest.mark.clause("AZ-III.D.4-a"), id="AZ-III.D.4-a-coins"),
        marked("AZ-II.N.4-b", "foreign_chips"),
        marked("AZ-III.D.4-b", "foreign_currency"),
        pytest.param("MD-4.B", "tokens", marks=pytest.mark.clause("MD-4.B"), id="MD-4.B-tokens"),
        pytest.param("MD-4.B", "match_play", marks=pytest.mark.clause("MD-4.B"), id="MD-4.B-coupons"),
        pytest.param("S2-c2.layout", "tokens", marks=pytest.mark.clause("S2-c2.layout"), id="S2-c2.layout-tokens"),
        pytest.param("S2-c2.layout", "coins", marks=pytest.mark.clause("S2-c2.layout"), id="S2-c2.layout-coins"),
    ],
)
def test_a_medium_that_is_not_listed_makes_no_wager(clause: str, medium: str) -> None:
    """CO-2305-1-layout, AZ-III.E.2, AZ-III.D.4-a, AZ-II.N.4-b, AZ-III.D.4-b, MD-4.B, S2-c2.layout: alone or mixed."""
    crew = Crew.of(clause)
    crew.only(crew.making("pass", seat=2, media=(medium,)), clause)
    crew.only(crew.making("place_win", seat=2, number=6, media=("chips", medium)), clause)


@pytest.mark.parametrize("clause", [marked(f"CO-2305-1-{one}") for one in _COLORADO])
def test_colorado_media_are_those_of_the_amendment(clause: str) -> None:
    """CO-2305-1-chips and its siblings: in force from the day they were amended, and no version is given before."""
    day = date.fromisoformat(row(clause).values["amended"])
    rules = Rules.of("colorado", on=day)
    media = rules.rulebook.general.media
    assert any(clause in cites_of(one.cite) for one in media.values())
    with pytest.raises(RulebookError, match=f"in force on {day - timedelta(days=1)}"):
        Rules.of("colorado", on=day - timedelta(days=1))


@pytest.mark.clause("CO-2305-1-coins")
def test_CO_2305_1_coins__coins_make_line_wagers_only() -> None:
    """CO-2305-1-coins: pass and don't pass; nothing else."""
    crew = Crew.of("CO-2305-1-coins")
    taken = {kind for kind, number in _every_wager(crew) if _taken(crew, kind, number, media=("coins",))}
    assert taken == set(listed("CO-2305-1-coins", "bets"))
    for kind in ("field", "hardway"):
        number = min(crew.rules.wagers[kind].numbers)
        crew.only(crew.making(kind, seat=2, number=number, media=("coins",)), "CO-2305-1-coins")


@pytest.mark.clause("CO-2305-1-mix")
def test_CO_2305_1_mix__media_are_mixed_and_coins_confine_the_mix() -> None:
    """CO-2305-1-mix: any permitted media together; one with coins in it is a line wager or nothing."""
    crew = Crew.of("CO-2305-1-mix")
    crew.do(c.BuyIn(seat=2, cents=0, coupon=5_00))
    mixed = crew.one(
        crew.making("pass", seat=2, cents=10_00, media=("chips", "tokens", "coins"), coupon=5_00), e.WagerMade
    )
    assert (mixed.after.cents, mixed.after.coupon) == (10_00, 5_00)
    crew.make("field", seat=2, media=("chips", "tokens"))
    crew.only(crew.making("field", seat=2, media=("chips", "coins")), "CO-2305-1-mix")
    crew.only(crew.making("field", seat=2, media=("chips", "cash")), "CO-2305-1-layout")


@pytest.mark.parametrize("clause", [marked("CO-2305-1-matchplay"), marked("S2-c2.coupon")])
def test_a_match_play_coupon_makes_the_wagers_it_may(clause: str) -> None:
    """CO-2305-1-matchplay, S2-c2.coupon: any wager in Colorado, pass and don't pass in Section 2."""
    said = listed(clause, "bets")
    crew = _with_side_wagers(clause)
    crew.do(c.BuyIn(seat=2, cents=0, coupon=50_00))
    every = _every_wager(crew)
    taken = {kind for kind, number in every if _taken(crew, kind, number, coupon=crew.amount(kind, number))}
    assert taken == ({kind for kind, _ in every} if said == ("any",) else set(said))
    crew = Crew.of(clause)
    crew.do(c.BuyIn(seat=2, cents=0, coupon=50_00))
    if said != ("any",):
        crew.only(crew.making("field", seat=2, coupon=5_00), clause)
    crew.only(crew.making("pass", seat=2, cents=5_00, coupon=6_00), clause)  # needs chips of at least its face
    crew.only(crew.making("pass", seat=2, cents=60_00, coupon=51_00), clause)  # more than was brought
    crew.only(crew.making("pass", seat=1, cents=60_00, coupon=5_00), clause)  # another player's


@pytest.mark.parametrize("clause", [marked("CO-2305-1-matchplay"), marked("S2-c2.coupon")])
def test_a_coupon_doubles_the_win_and_is_given_up_when_the_wager_is_decided(clause: str) -> None:
    """CO-2305-1-matchplay, S2-c2.coupon: at the flat odds, kept on a void, taken with a win and with a loss."""
    crew = Crew.of(clause, seats=(1, 2))
    crew.do(c.BuyIn(seat=1, cents=0, coupon=10_00))
    crew.do(c.BuyIn(seat=2, cents=0, coupon=5_00))
    crew.shoot(1)
    crew.make("pass", seat=1, cents=10_00)
    crew.make("dont_pass", seat=2, cents=5_00, coupon=5_00)
    void = crew.roll(6, 6)  # void for the don't side: chips and coupon go back
    assert [cited(one.clause, clause) for one in void if isinstance(one, e.WagerReturned)] == [True]
    assert [cited(one.clause, clause) for one in void if isinstance(one, e.WagerLost)] == [False]
    assert (crew.rack(2), crew.table.money.coupons[1], crew.table.money.coupons_taken) == (5_000_00, 5_00, 0)
    crew.make("pass", seat=1, cents=15_00, coupon=10_00)
    crew.make("dont_pass", seat=2, cents=5_00, coupon=5_00)
    happened = crew.roll(6, 1)
    won = next(one for one in happened if isinstance(one, e.WagerWon))
    assert (won.wager.seat, won.cents, won.winnings) == (1, 15_00, 25_00)
    assert [cited(one.clause, clause) for one in happened if isinstance(one, (e.WagerWon, e.WagerLost))] == [True, True]
    assert crew.table.money.coupons[:2] == (0, 0)
    assert crew.table.money.coupons_taken == 15_00
    assert crew.rack(2) == 4_995_00


@pytest.mark.clause("CO-2305-1-matchplay")
def test_CO_2305_1_matchplay__a_coupon_behind_a_composite_wager_divides_like_it() -> None:
    """CO-2305-1-matchplay: a coupon that does not divide into the parts of a horn high is refused, booked or not."""
    for has_area in (True, False):
        crew = Crew("colorado", house={"horn_high_area": has_area})
        crew.do(c.BuyIn(seat=2, cents=0, coupon=10_00))
        crew.refused(crew.making("horn_high", seat=2, number=12, cents=10_00, coupon=6_00), "CO-2304-20-units")
        crew.make("horn_high", seat=2, number=12, cents=10_00, coupon=5_00)
        assert sum(one.coupon for one in crew.table.position.layout) == 5_00
        crew.come_out()
        decided = [one for one in crew.roll(6, 6) if isinstance(one, (e.WagerWon, e.WagerLost)) and one.wager.seat == 2]
        assert all(cited(one.clause, "CO-2305-1-matchplay") for one in decided)
        assert sum(one.winnings for one in decided if isinstance(one, e.WagerWon)) == 2 * 30 * 3_00


@pytest.mark.clause("AZ-III.E.2")
def test_AZ_III_E_2__tokens_play_only_where_the_house_elects_them() -> None:
    """AZ-III.E.2: the reading: chips are named alone, so tokens are off unless elected."""
    Crew("arizona", house={"tokens": True}).make("pass", seat=2, media=("tokens",))
    crew = Crew("arizona")
    crew.only(crew.making("pass", seat=2, media=("tokens",)), "AZ-III.E.2")


@pytest.mark.clause("AZ-III.D.4-a", "AZ-III.D.4-b")
def test_AZ_III_D_4__united_states_currency_and_coin_are_changed_first() -> None:
    """AZ-III.D.4-a, AZ-III.D.4-b: notes and coin become chips at the table, foreign money never does."""
    assert row("AZ-III.D.4-b").values["currency"] == "USD"
    crew = Crew("arizona", cents=100_00)
    for medium in ("cash", "coins"):
        changed = crew.one(c.BuyIn(seat=2, cents=40_00, medium=medium), e.BuyInMade)
        assert changed.cents == 40_00
    assert (crew.rack(2), crew.table.money.drop) == (180_00, 280_00)
    crew.only(c.BuyIn(seat=2, cents=40_00, medium="foreign_currency"), "AZ-III.D.4-b")
    crew.only(c.BuyIn(seat=2, cents=40_00, medium="foreign_chips"), "AZ-II.N.4-b")
    duty = crew.rules.game.duties["change_cash"]
    assert duty.by == ("dealer",)
    assert {"AZ-III.D.4-a", "AZ-III.D.4-b"} <= set(cites_of(duty.cite))


@pytest.mark.parametrize(
    "clause",
    [marked("CO-2305-1-layout"), marked("S2-c2.layout"), marked("AZ-II.G.2.d.vii"), marked("MD-4.C")],
)
def test_a_call_bet_is_refused(clause: str) -> None:
    """CO-2305-1-layout, S2-c2.layout, AZ-II.G.2.d.vii, MD-4.C: nothing on the layout, or more than the player has."""
    crew = Crew.of(clause, cents=90_00)
    crew.only(crew.making("pass", seat=2, media=()), clause)
    crew.only(crew.making("pass", seat=2, media=("call",)), clause)
    crew.make("pass", seat=1, cents=90_00)
    crew.only(crew.making("pass", seat=2, cents=91_00), clause)
    crew.make("pass", seat=2, cents=89_00)
    crew.only(crew.making("pass", seat=2, cents=2_00), clause)
    crew.make("pass", seat=2, cents=1_00)
    assert crew.rack(2) == 0


@pytest.mark.parametrize("clause", [marked("MD-4.C"), marked("MD-4.C.1"), marked("S2-c2.verbal")])
def test_a_spoken_wager_with_its_cash_needs_the_dealer(clause: str) -> None:
    """MD-4.C, MD-4.C.1, S2-c2.verbal: confirmed before the throw it stands, else it goes back as chips."""
    confirmer = row(clause).values.get("confirm", "dealer")
    crew = Crew.of(clause, cents=100_00).come_out()
    crew.make("place_win", seat=2, number=6, cents=12_00, media=("cash",))
    assert (crew.rack(2), crew.table.money.drop) == (100_00, 212_00)  # changed at once, and on the layout
    for by in ("player", "shooter", "stickperson", "boxperson", "floorperson"):
        crew.only(c.ConfirmWager(seat=2, wager="place_win", number=6, by=by), clause)
    confirmed = crew.one(c.ConfirmWager(seat=2, wager="place_win", number=6, by=confirmer), e.WagerConfirmed)  # type: ignore[arg-type]
    assert (confirmed.by, confirmed.after.pending, cited(confirmed.clause, clause)) == (confirmer, (), True)
    crew.make("place_win", seat=2, number=8, cents=6_00, media=("cash",))
    happened = crew.do(c.ThrowDice(seat=1))
    back = next(one for one in happened if isinstance(one, e.WagerReturned))
    assert (back.wager.number, cited(back.clause, clause)) == (8, True)
    assert crew.rack(2) == 106_00
    assert (2, "place_win", 6) in crew.layout


@pytest.mark.clause("S2-c2.verbal", "MD-4.C.1")
def test_S2_c2_verbal__an_addition_that_needs_confirming_is_refused() -> None:
    """S2-c2.verbal, MD-4.C.1: unconfirmed it would take down what already stands; the cash is changed first instead."""
    for name, spoken in (("section2", "S2-c2.verbal"), ("maryland", "MD-4.C.1")):
        crew = Crew(name).come_out()
        crew.make("place_win", seat=2, number=6, cents=12_00)
        crew.only(crew.making("place_win", seat=2, number=6, cents=6_00, media=("cash",)), spoken)
        crew.make(
            "place_win", seat=2, number=6, cents=6_00, media=("cash",), by="dealer"
        )  # the dealer's own hand confirms
        assert crew.layout[2, "place_win", 6] == 18_00


@pytest.mark.parametrize(
    "clause",
    [marked("S2-c2.convert"), marked("MD-4.C.2"), marked("CO-2305-1-layout"), marked("AZ-III.D.4-a")],
)
def test_cash_that_goes_with_chips_is_changed_first(clause: str) -> None:
    """S2-c2.convert, MD-4.C.2, CO-2305-1-layout, AZ-III.D.4-a: half chips and half cash is neither."""
    crew = Crew.of(clause, automate=AUTOMATED)
    crew.do(c.AcceptDice(seat=1))
    for media in (("chips", "cash"), ("cash", "chips")):
        crew.only(crew.making("pass", seat=2, cents=10_00, media=media), clause)
    crew.do(c.BuyIn(seat=2, cents=10_00))
    assert crew.one(crew.making("pass", seat=2, cents=10_00), e.WagerMade).after.cents == 10_00


@pytest.mark.parametrize(("name", "game"), every_game())
def test_coupons_are_brought_only_where_they_may_be_wagered(name: str, game: str) -> None:
    """S2-c2.coupon, CO-2305-1-matchplay: elsewhere not even the buy-in takes one."""
    crew = Crew(name, game=game)
    if "match_play" in crew.rules.rulebook.general.media:
        assert crew.one(c.BuyIn(seat=1, cents=0, coupon=5_00), e.BuyInMade).coupon == 5_00
    else:
        crew.refused(c.BuyIn(seat=1, cents=0, coupon=5_00), *cites_of(crew.rules.rulebook.general.media["chips"].cite))


def test_every_clause_of_media_belongs_to_its_regulation() -> None:
    """CO-2305-1-chips and the rest: no medium of one regulation cites another's text."""
    for name in ("colorado", "section2", "arizona", "maryland"):
        for medium in Rules.of(name).rulebook.general.media.values():
            assert {regulation_of(one) for one in cites_of(medium.cite)} == {name}
