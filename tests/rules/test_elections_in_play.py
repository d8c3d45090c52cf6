"""The effect of each election at the table; for odds policies see test_odds_elections.py."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.money import Pays
from passline.rules.rules import Rules
from tests.clauses.table import ANN, BOB, SHOOTER, Play, cites, make, settled
from tests.rules.election_cases import CHIP, basis_points, play, value


def won(happened: tuple[e.Event, ...], seat: int, kind: str) -> e.WagerWon:
    """Return the only win of a player's wager."""
    events = settled(happened, seat, kind)
    assert len(events) == 1
    assert isinstance(events[0], e.WagerWon)
    return events[0]


# Offers


@pytest.mark.clause("CO-2304-39-elect")
def test_CO_2304_39_elect__the_house_offers_six_seven_eight_or_not() -> None:
    """CO-2304-39-elect: the 6-7-8 wager exists only if the house offers it."""
    assert play("CO-2304-39-elect").make(ANN, "six_seven_eight", 5_00)
    refused = play("CO-2304-39-elect", {"six_seven_eight": "none"}).refuse(make(ANN, "six_seven_eight", 5_00))
    assert "CO-2304-39-elect" in cites(refused)


@pytest.mark.parametrize(
    "clause",
    [
        pytest.param(clause, marks=pytest.mark.clause(clause), id=clause)
        for clause in ("CO-2307-1-offer", "S2-e1", "AZ-III.G-1", "MD-3.A.41")
    ],
)
def test_the_house_offers_buy_wagers_beside_place_wagers_or_not(clause: str) -> None:
    for number in value(clause, "numbers").split("|"):
        offered, withheld = play(clause), play(clause, {"buy": "none"})
        made = offered.make(ANN, "buy", 30_00, number)
        assert any(isinstance(event, e.WagerMade) for event in made)
        assert clause in cites(withheld.refuse(make(ANN, "buy", 30_00, number)))
        for table in (offered, withheld):
            assert table.make(BOB, "place_win", 30_00, number)


@pytest.mark.parametrize(
    ("clause", "modes"),
    [
        pytest.param(clause, modes, marks=pytest.mark.clause(clause), id=clause)
        for clause, modes in (
            ("CO-2307-2-offer", ("in_addition", "in_lieu", "none")),
            ("S2-e2", ("in_addition", "none")),
            ("S2-e2.inlieu", ("in_addition", "in_lieu")),
            ("AZ-III.H-1", ("in_addition", "none")),
            ("MD-3.A.42", ("in_addition", "in_lieu", "none")),
        )
    ],
)
def test_lay_wagers_are_offered_beside_or_instead_of_place_to_lose(clause: str, modes: tuple[str, ...]) -> None:
    for mode in modes:
        table = play(clause, {"lay": mode})
        for wager, cents, refused_when in (("lay", 40_00, "none"), ("place_lose", 55_00, "in_lieu")):
            if mode == refused_when:
                assert clause in cites(table.refuse(make(ANN, wager, cents, 4)))
            else:
                assert table.make(ANN, wager, cents, 4)


@pytest.mark.clause("AZ-II.A.1-b")
def test_AZ_II_A_1_b__no_variation_is_dealt_unless_the_rules_have_it() -> None:
    """AZ-II.A.1-b: a variation is craps too, and needs rules of its own; none is in this rulebook."""
    rules = Rules.of("arizona")
    assert rules.house.variations == ()
    assert rules.rulebook.elections["variations"].cite == "AZ-II.A.1-b"
    assert tuple(rules.rulebook.games) == ("craps",)


# Working


@pytest.mark.clause("CO-2305-5-hardrule")
@pytest.mark.parametrize(("elected", "decided"), [("off", False), ("on", True)])
def test_CO_2305_5_hardrule__hardways_work_on_the_come_out_where_the_house_says_so(
    *, elected: str, decided: bool
) -> None:
    """CO-2305-5-hardrule: the house may turn hardways on for come-out rolls; a player may call them on anyway."""
    table = play("CO-2305-5-hardrule", {"hardways_on_come_out": elected})
    table.make(ANN, "hardway", 10_00, 4)
    table.make(BOB, "hardway", 5_00, 6)
    by_call = table.fork()
    events = table.roll("2-2")
    assert bool(settled(events, ANN, "hardway")) is decided
    assert not settled(events, BOB, "hardway")
    if decided:
        assert won(events, ANN, "hardway").winnings == 70_00
    else:
        by_call.do(c.CallWager(seat=ANN, wager="hardway", number=4, call="on"))
        assert won(by_call.roll("2-2"), ANN, "hardway").winnings == 70_00


# Payouts


@pytest.mark.parametrize(
    "clause",
    [
        pytest.param(clause, marks=pytest.mark.clause(clause), id=clause)
        for clause in ("CO-2306-1-higher", "S2-d2.higher")
    ],
)
def test_a_better_payout_is_paid_once_it_is_uniform(clause: str) -> None:
    table = play(clause, {"payouts": {"field 12": "3 to 1", "hop 1-3": "16 to 1"}, "payouts_uniform": True})
    table.make(ANN, "field", 10_00)
    table.make(BOB, "field", 25_00)
    events = table.fork().roll("6-6")
    assert (won(events, ANN, "field").winnings, won(events, BOB, "field").winnings) == (30_00, 75_00)
    assert won(table.fork().roll("1-1"), ANN, "field").pays == play(clause).rules.wagers["field"].payouts[111].pays
    table.make(ANN, "hop", 2_00, "1-3")
    assert won(table.roll("3-1"), ANN, "hop").winnings == 32_00


@pytest.mark.clause("AZ-III.F-0b")
def test_AZ_III_F_0b__approved_rules_may_pay_other_odds_even_lower_ones() -> None:
    """AZ-III.F-0b: with approval any other odds may be paid."""
    house = {"payouts": {"any_seven": "3 to 1"}, "payouts_approved": True, "payouts_posted": True}
    for elected, pays in ((house, 3), ({}, 4)):
        table = play("AZ-III.F-0b", elected)
        table.make(ANN, "any_seven", 10_00)
        table.make(BOB, "any_seven", 3_00)
        events = table.roll("3-4")
        assert won(events, ANN, "any_seven").pays == Pays(pays, to=1)
        assert won(events, BOB, "any_seven").winnings == 3_00 * pays


@pytest.mark.parametrize(
    "clause",
    [pytest.param(clause, marks=pytest.mark.clause(clause), id=clause) for clause in ("MD-5.A.23.a", "MD-5.A.23.b")],
)
def test_any_seven_pays_as_elected_and_says_by_which_clause(clause: str) -> None:
    text = value(clause, "pays").replace(":", " to ")
    pays = Pays.parse(text)
    table = play(clause, {"payouts": {"any_seven": text}})
    table.make(ANN, "any_seven", 10_00)
    table.make(BOB, "any_seven", 25_00)
    events = table.roll("5-2")
    for seat, cents in ((ANN, 10_00), (BOB, 25_00)):
        paid = won(events, seat, "any_seven")
        assert paid.pays == pays
        assert paid.winnings == pays.on(cents)
        assert clause in cites([paid])
    assert (play(clause).rules.wagers["any_seven"].payouts[134].pays == pays) is (clause == "MD-5.A.23.a")


# Vigorish


def basis_of(clause: str, table: Play, bet: str, number: int, cents: int) -> Fraction:
    if value(clause, "basis") == "potential_win":
        return table.rules.wagers[bet].payouts[number].pays.on(cents)
    return Fraction(cents)


@pytest.mark.parametrize(
    ("clause", "bet"),
    [
        pytest.param(clause, bet, marks=pytest.mark.clause(clause), id=f"{clause}-{bet}")
        for clause, bet in (
            ("CO-2307-1-vig", "buy"),
            ("CO-2307-2-vig", "lay"),
            ("S2-e1.vig", "buy"),
            ("S2-e2.vig", "lay"),
            ("MD-5.G.3.a", "buy"),
            ("MD-5.G.3.a", "lay"),
        )
    ],
)
@pytest.mark.parametrize("share", [0, 1, 2])
def test_vigorish_is_the_elected_rate_of_its_basis_rounded_down(clause: str, bet: str, share: int) -> None:
    """At no rate, half the ceiling and the ceiling itself; never above 5 percent of the wager."""
    rate = basis_points(clause) * share // 2
    table = play(clause, {f"{bet}_vigorish_basis_points": rate, "limits": {}})  # also where that comes to nothing
    for seat, number, cents in ((ANN, 4, 40_00), (BOB, 10, 90_00)):
        made = table.make(seat, bet, cents, number)[-1]
        assert isinstance(made, e.WagerMade)
        exact = basis_of(clause, table, bet, number, cents) * rate / 10_000
        assert made.after.vigorish == exact // CHIP * CHIP
        assert made.after.vigorish <= Fraction(value(clause, "max_fraction")) * cents
        assert table.rack(seat) == 1_000_000_00 - cents - made.after.vigorish
    wager = table.rules.wagers[bet].vigorish
    assert wager is not None
    assert clause in wager.clause(4).split(", ")


@pytest.mark.clause("MD-5.G.3")
@pytest.mark.parametrize("procedure", ["none", "at_wager", "on_win"])
def test_MD_5_G_3__buy_and_lay_are_charged_by_one_procedure_or_not_at_all(procedure: str) -> None:
    """MD-5.G.3: no vigorish, or when made, or from a win, for buy and lay alike."""
    assert procedure in value("MD-5.G.3", "vig").split("|")
    when = "won" if procedure == "on_win" else "made"
    house: dict[str, Any] = {f"{bet}_vigorish_when": when for bet in ("buy", "lay")}
    if procedure == "none":
        house |= {f"{bet}_vigorish_basis_points": 0 for bet in ("buy", "lay")}
    for bet, roll in (("buy", "1-3"), ("lay", "3-4")):
        table = play("MD-5.G.3", house)
        table.roll("4-5")
        table.make(ANN, bet, 40_00, 4)
        held = table.find(ANN, bet, 4)
        assert held is not None
        assert held.vigorish == (2_00 if procedure == "at_wager" else 0)
        assert won(table.roll(roll), ANN, bet).vigorish == (2_00 if procedure == "on_win" else 0)


@pytest.mark.clause("MD-5.G.3.b")
@pytest.mark.parametrize(("bet", "wins", "loses"), [("buy", "1-3", "3-4"), ("lay", "3-4", "1-3")])
def test_MD_5_G_3_b__vigorish_on_a_win_is_taken_from_winners_only(bet: str, wins: str, loses: str) -> None:
    """MD-5.G.3.b: the second procedure charges a buy or lay wager that wins, on the amount wagered."""
    house = {"buy_vigorish_when": value("MD-5.G.3.b", "when"), "lay_vigorish_when": value("MD-5.G.3.b", "when")}
    table = play("MD-5.G.3.b", house)
    table.roll("4-5")
    for seat, cents in ((ANN, 40_00), (BOB, 100_00)):
        table.make(seat, bet, cents, 4)
    lost = table.fork().roll(loses)
    assert [type(event) for event in settled(lost, ANN, bet)] == [e.WagerLost]
    events = table.roll(wins)
    share = Fraction(value("MD-5.G.3.b", "max_fraction"))
    assert won(events, ANN, bet).vigorish == share * 40_00
    assert won(events, BOB, bet).vigorish == share * 100_00
    assert table.rack(ANN) == 1_000_000_00 + won(events, ANN, bet).winnings - share * 40_00


@pytest.mark.clause("AZ-III.G-4")
def test_AZ_III_G_4__the_numbers_named_beforehand_are_charged_on_a_win() -> None:
    """AZ-III.G-4: on the buy numbers specified vigorish is taken from winners; on others when made."""
    table = play("AZ-III.G-4", {"buy_vigorish_won_on": [4]})
    table.roll("4-5")
    for seat, number, cents, when_made in ((ANN, 4, 40_00, 0), (BOB, 10, 60_00, 3_00)):
        table.make(seat, "buy", cents, number)
        held = table.find(seat, "buy", number)
        assert held is not None
        assert held.vigorish == when_made
    assert won(table.fork().roll("1-3"), ANN, "buy").vigorish == 2_00
    assert won(table.fork().roll("4-6"), BOB, "buy").vigorish == 0


@pytest.mark.clause("AZ-III.H-4")
@pytest.mark.parametrize(("when", "made", "won_"), [("made", 2_00, 0), ("won", 0, 2_00)])
def test_AZ_III_H_4__the_lay_percentage_may_wait_for_a_win(when: str, made: int, won_: int) -> None:
    """AZ-III.H-4: the operator may collect it on winning wagers only, still on the amount wagered."""
    table = play("AZ-III.H-4", {"lay_vigorish_when": when})
    table.roll("4-5")
    table.make(ANN, "lay", 40_00, 4)
    held = table.find(ANN, "lay", 4)
    assert held is not None
    assert held.vigorish == made
    assert won(table.roll("3-4"), ANN, "lay").vigorish == won_


# Limits and the crew


@pytest.mark.clause("AZ-III.D.1-a")
def test_AZ_III_D_1_a__the_table_has_a_minimum_and_a_maximum() -> None:
    """AZ-III.D.1-a: each table has the minimum and the maximum its operator set."""
    table = play("AZ-III.D.1-a", {"wager_cents_min": 10_00, "wager_cents_max": 200_00})
    for cents in (9_00, 201_00):
        assert "AZ-III.D.1-a" in cites(table.refuse(make(ANN, "pass", cents)))
    assert table.make(ANN, "pass", 10_00)
    assert table.make(BOB, "pass", 200_00)
    assert table.make(ANN, "dont_pass", 11_00)
    assert table.make(BOB, "field", 199_00)


def no_roll_by(clause: str, callers: list[str], role: str, game: str = "craps") -> set[str] | str:
    """Return who voided the throw, or the clauses that refuse the call."""
    table = play(clause, {"no_roll_callers": callers}, game=game)
    table.do(c.ThrowDice(seat=SHOOTER))
    command = c.CallNoRoll(by=role, reason="cheating")  # type: ignore[arg-type]  # a role, from the matrix
    if role in callers:
        voided = table.do(command)[-1]
        assert isinstance(voided, e.RollVoided)
        return voided.by
    return cites(table.refuse(command))


@pytest.mark.parametrize(
    ("clause", "game", "roles"),
    [
        pytest.param(clause, game, roles, marks=pytest.mark.clause(clause), id=clause)
        for clause, game, roles in (
            ("CO-2311-5", "craps", ["boxperson", "stickperson", "dealer", "floorperson"]),
            ("S2-i5i", "craps", value("S2-i5i", "callers").split("|")),
            ("S2-i5ii", "mini_craps", value("S2-i5ii", "callers").split("|")),
        )
    ],
)
def test_no_roll_is_called_by_those_whom_the_house_designates(clause: str, game: str, roles: list[str]) -> None:
    for role in roles:
        assert no_roll_by(clause, [role], role, game) == role
        for other in roles:
            if other != role and (role, other) != ("dealer", "stickperson"):  # in Colorado a stickperson is a dealer
                refused = no_roll_by(clause, [role], other, game)
                assert isinstance(refused, set)
                assert clause in refused


@pytest.mark.clause("CO-2312-gap-settle")
@pytest.mark.parametrize(
    ("order", "first"), [("take_then_pay", e.WagerLost), ("pay_then_take", e.WagerWon)], ids=["take", "pay"]
)
def test_CO_2312_gap_settle__the_house_says_whether_losers_or_winners_come_first(
    order: str, first: type[e.Event]
) -> None:
    """CO-2312-gap-settle: the text gives no order of settlement, so the house's holds."""
    table = play("CO-2312-gap-settle", {"settlement": order})
    table.make(ANN, "dont_pass", 10_00)
    table.make(BOB, "field", 5_00)
    table.make(ANN, "any_seven", 2_00)
    events = table.roll("3-4")
    kinds = [type(event) for event in events if isinstance(event, e.WagerLost | e.WagerWon)]
    assert len(set(kinds)) == 2
    assert kinds == sorted(kinds, key=lambda kind: kind is not first)
    ended = next(event for event in events if isinstance(event, e.RollSettled))
    assert "CO-2312-gap-settle" in cites([ended])


@pytest.mark.clause("S2-g1.optstick")
@pytest.mark.parametrize(("stickperson", "controller"), [(True, "stickperson"), (False, "dealer")])
def test_S2_g1_optstick__mini_craps_is_dealt_with_a_stickperson_or_without(
    *, stickperson: bool, controller: str
) -> None:
    """S2-g1.optstick: where mini-craps has no stickperson, the dealer does what the stickperson would."""
    rules = Rules.of("section2", house={"stickperson": stickperson}, game="mini_craps")
    table = Play(rules)
    chosen = table.do(c.AcceptDice(seat=table.table.position.offered_to))[-1]
    assert isinstance(chosen, e.DiceChosen)
    assert chosen.controlled_by == controller
    assert ("stickperson" in rules.roles(("dealer", "stickperson"))) is stickperson
