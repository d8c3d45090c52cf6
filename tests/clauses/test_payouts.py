"""Payouts: every payout row of the matrix is played, at the least payable amount and at a larger one."""

import re
from collections import Counter
from fractions import Fraction

import pytest
from msgspec.structs import replace

from passline.dice import OUTCOMES, Roll, number_text
from passline.game import commands as c
from passline.game import events as e
from passline.money import Pays
from passline.rules.clauses import Clause, clauses_of
from tests.clauses.layouts import BASES, WAYS, amounts, laid_out, outcomes
from tests.clauses.matrix import HIGH, LINE, ODDS, POINTS, listed_pays, numbers_of, parts_in, pays_of, rolls_of, rows
from tests.clauses.table import ANN, BOB, Play, Settled, breaches_of, cites, make, rules_of, settled

FLAT = re.compile(r"flat$|^MD-6\.[A-D]\.1$")  # what an original wager pays when odds stand behind it


def _rows(*, flat: bool) -> list[tuple[str, Clause]]:
    return [(reg, row) for reg, row in rows() if "pays" in row.values and bool(FLAT.search(row.id)) is flat]


def _params(found: list[tuple[str, Clause]]) -> list[object]:
    return [pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id) for regulation, row in found]


def _layouts(bet: str, row: Clause) -> list[tuple[str, str]]:
    """Yield every number and phase in which the wager may win."""
    if bet in LINE:
        return [("", "come_out" if bet in {"pass", "dont_pass"} else "on"), *((point, "point") for point in POINTS)]
    phases = ("come_out", "on") if not {bet} & {*ODDS, "place_win", "buy", "hardway"} else ("on",)
    if bet == "place_lose":
        phases = ("on",)  # off on a come-out roll in Maryland
    return [(number, phase) for number in numbers_of(row) for phase in phases]


def _paid_here(row: Clause, number: str) -> frozenset[Roll]:
    """Return the rolls a row is about; for most rows, all that win."""
    if "totals" in row.values:
        return rolls_of(row.values["totals"])
    if "dice" in row.values:
        return rolls_of(row.values["dice"], number)
    return frozenset(OUTCOMES)


@pytest.mark.parametrize(("regulation", "row"), _params(_rows(flat=False)))
def test_a_winner_is_paid_the_odds_of_its_row(regulation: str, row: Clause) -> None:
    """Every payout row: stake and winnings to the cent, by that row and by it alone."""
    rules, bet, pays = rules_of(regulation), row.values["bet"], pays_of(row)
    wins = 0
    for number, phase in _layouts(bet, row):
        cents = amounts(rules, bet, number)
        spoken_of = _paid_here(row, number)
        for roll, by_seat in outcomes(laid_out(rules, bet, number, phase, cents), bet).items():
            for seat in (ANN, BOB):
                won = [event for event in by_seat[seat] if isinstance(event, e.WagerWon)]
                if roll not in spoken_of:
                    assert row.id not in cites(won)
                    continue
                for event in won:
                    wins += 1
                    assert (event.cents, event.pays, event.vigorish) == (cents[seat], pays, 0)
                    assert event.winnings == Fraction(cents[seat] * pays.pays, pays.to)
                    assert row.id in cites([event])
    assert wins


@pytest.mark.parametrize(
    ("regulation", "row"), _params([(reg, row) for reg, row in rows() if ":" in row.values.get("parts", "")])
)
def test_a_composite_wager_is_settled_part_by_part(regulation: str, row: Clause) -> None:
    """Every row that divides a wager: on each of the 36 rolls each part wins or loses as it would alone."""
    rules, bet = rules_of(regulation), row.values["bet"]
    cents = amounts(rules, bet)
    parts = parts_in(row)
    for number in numbers_of(row):
        units = Counter({part: count for part, count in parts.items() if part != "high"})
        units.update({HIGH[number]: parts["high"]} if number else {})
        play = Play(rules).shoots()
        made = {seat: play.make(seat, bet, cents[seat], number) for seat in (ANN, BOB)}
        is_booked_apart = not any(wager.kind == bet for wager in play.table.position.layout)
        for roll in OUTCOMES:
            happened = play.fork().roll(roll)
            for seat in (ANN, BOB):
                found = settled(happened, seat)
                assert row.id in cites(made[seat] if is_booked_apart else found)
                assert is_booked_apart or all(row.id in cites([event]) for event in found)
                each = cents[seat] // sum(parts.values())
                assert _by_part(found) == {
                    part: _settled_alone(regulation, part, roll, each * count) for part, count in units.items()
                }


def _by_part(found: list[Settled]) -> dict[str, tuple[int, int]]:
    """Return what each part had at stake and won; a losing part won nothing."""
    total: dict[str, tuple[int, int]] = {}
    for event in found:
        assert isinstance(event, (e.WagerWon, e.WagerLost))
        part = event.part or event.wager.kind
        stake, won = total.get(part, (0, 0))
        total[part] = (stake + event.cents, won + (event.winnings if isinstance(event, e.WagerWon) else 0))
    return total


def _settled_alone(regulation: str, part: str, roll: Roll, cents: int) -> tuple[int, int]:
    wins = {"any_craps": {2, 3, 12}, "craps_2": {2}, "craps_3": {3}, "craps_12": {12}, "eleven": {11}, "any_seven": {7}}
    if roll.total not in wins[part]:
        return cents, 0
    pays = listed_pays(regulation, part, roll=roll)
    return cents, cents * pays.pays // pays.to


@pytest.mark.parametrize(("regulation", "row"), _params(_rows(flat=True)))
def test_an_original_wager_with_odds_behind_it_still_pays_its_flat_odds(regulation: str, row: Clause) -> None:
    """Every row about a supplemented wager: the original is paid as listed, and no house may elect otherwise."""
    rules, bet, pays = rules_of(regulation), row.values["bet"], pays_of(row)
    for point in POINTS:
        play = laid_out(rules, f"{bet}_odds", point, "point", amounts(rules, f"{bet}_odds", point))
        roll = "3-4" if bet.startswith("dont") else WAYS[point]
        happened = play.roll(roll)
        for seat in (ANN, BOB):
            (event,) = settled(happened, seat, bet)
            assert isinstance(event, e.WagerWon)
            assert (event.pays, event.winnings) == (pays, BASES[seat] * pays.pays // pays.to)
            assert [type(odds) for odds in settled(happened, seat, f"{bet}_odds")] == [e.WagerWon]
    better = Pays(pays.pays * 2, to=pays.to)
    (breach,) = [one for one in breaches_of(regulation, {"payouts": {bet: str(better)}}) if row.id in cites([one])]
    assert str(pays) in breach.problem
    assert not breaches_of(regulation, {"payouts": {bet: str(pays)}})


@pytest.mark.parametrize(
    ("regulation", "row"),
    _params(
        [("colorado", clauses_of("colorado")["CO-2306-1-floor"]), ("section2", clauses_of("section2")["S2-d2.floor"])]
    ),
)
def test_no_house_pays_less_than_the_list(regulation: str, row: Clause) -> None:
    """CO-2306-1-floor, S2-d2.floor: every listed payout is a least; a little less is a breach, a little more none."""
    listed = [one for reg, one in rows() if reg == regulation and "pays" in one.values and one.values["bet"] != "put"]
    listed = [one for one in listed if "floor" in one.values or one.values.get("rule") == "min"]
    listed = [one for one in listed if one.values["bet"] not in LINE]
    assert len(listed) > 40
    for one in listed:
        pays, bet = pays_of(one), one.values["bet"]
        on = one.values.get("dice" if bet in {"hop", "six_seven_eight"} else "number") or one.values.get("totals", "")
        key = f"{bet} {on.split('|')[0]}".strip()
        less = Pays(pays.pays * 10 - 1, to=pays.to * 10)
        more = Pays(pays.pays * 10 + 1, to=pays.to * 10)
        for game in [name for name, dealt in rules_of(regulation).rulebook.games.items() if not dealt.variation]:
            elected = {"game": game, "payouts_uniform": True}
            breaches = breaches_of(regulation, {**elected, "payouts": {key: str(less)}})
            assert {row.id, one.id} <= cites(breaches), key
            assert not breaches_of(regulation, {**elected, "payouts": {key: str(pays)}})
            assert not breaches_of(regulation, {**elected, "payouts": {key: str(more)}})


@pytest.mark.clause("MD-5.A")
def test_MD_5_A__listed_odds_are_the_only_ones_and_what_they_cannot_pay_is_refused() -> None:
    """MD-5.A: no other payout, higher or lower, and no rounding: an amount off the steps of its payout is refused."""
    form = clauses_of("maryland")["MD-5.A"].values["form"]
    for text in ("8 to 6", "6 to 6"):
        assert "MD-5.A" in cites(breaches_of("maryland", {"payouts": {"place_win 6": text}}))
    for word, is_read in ((form, True), ("for", False)):
        breaches = breaches_of("maryland", {"payouts": {"place_win 6": f"7 {word} 6"}})
        assert not breaches if is_read else "MD-5.A" in cites(breaches)
    play = Play(rules_of("maryland")).shoots()
    for cents in (11_00, 13_00):
        assert cites(play.refuse(make(ANN, "place_win", cents, 6))) == {"MD-5.A"}
    play.make(ANN, "place_win", 12_00, 6)


@pytest.mark.clause("MD-5.G")
@pytest.mark.parametrize("bet", clauses_of("maryland")["MD-5.G"].values["bets"].split("|"))
def test_MD_5_G__buy_and_lay_pay_true_odds_wherever_they_are_offered(bet: str) -> None:
    """MD-5.G: a house that offers them pays exactly the listed odds; a house need not offer them."""
    listed = listed_pays("maryland", bet, "4")
    for pays in (Pays(listed.pays + 1, to=listed.to), Pays(listed.pays, to=listed.to + 1)):
        assert "MD-5.G" in cites(breaches_of("maryland", {"payouts": {f"{bet} 4": str(pays)}}))
    assert not breaches_of("maryland", {"payouts": {f"{bet} 4": str(listed)}})
    play = Play(rules_of("maryland", house={bet: "none"})).shoots()
    assert play.refuse(make(ANN, bet, 40_00, 4))


@pytest.mark.clause("AZ-III.F-0a", "AZ-III.J.5-c")
def test_AZ_III_F_0a__listed_odds_hold_until_approved_rules_say_otherwise() -> None:
    """AZ-III.F-0a: without approval no other payout; with it, lower ones too; what cannot be paid is refused."""
    asked = {}
    for kind, rule in rules_of("arizona").wagers.items():
        for key in (kind, *(f"{kind} {number_text(one) or one}" for one in {*range(2, 13), *rule.numbers} - {0})):
            told = breaches_of("arizona", {"payouts": {key: "77 to 1"}, "payouts_approved": True})
            if not any("is not a payout" in one.problem for one in told):
                asked[key] = ("payouts_posted" in {one.key for one in told}, rule.behind)
    assert len(asked) > 50
    assert all(is_posted is not bool(behind) for is_posted, behind in asked.values()), "odds alone need no posting"
    other = {"payouts": {"place_win 6": "8 to 7"}}
    assert "AZ-III.F-0a" in cites(breaches_of("arizona", other))
    assert "AZ-III.F-0a" in cites(breaches_of("arizona", {**other, "payouts_approved": True}))
    assert not breaches_of("arizona", {**other, "payouts_approved": True, "payouts_posted": True})
    play = Play(rules_of("arizona")).shoots()
    assert cites(play.refuse(make(ANN, "place_win", 11_00, 6))) == {"AZ-III.F-0a"}
    play.make(ANN, "place_win", 12_00, 6)


@pytest.mark.clause("CO-2306-4-round")
@pytest.mark.parametrize(("chip", "paid"), [(100, 6_00), (500, 10_00), (50, 6_00), (25, 6_00), (5, 5_85)])
def test_CO_2306_4_round__a_payment_is_rounded_up_to_the_smallest_chip(chip: int, paid: int) -> None:
    """CO-2306-4-round: 5.00 at 7 to 6 is 5.833..., paid up to the next chip and never down; an even payment stands."""
    rules = rules_of("colorado", house={"unpayable": "round_up", "smallest_chip_cents": chip, "wager_cents_min": 5_00})
    play = Play(rules).shoots()
    play.roll("2-2")
    play.make(ANN, "place_win", 5_00, 8)
    play.make(BOB, "place_win", 30_00, 8)
    happened = play.roll("2-6")
    (rounded,), (even,) = settled(happened, ANN), settled(happened, BOB)
    assert isinstance(rounded, e.WagerWon)
    assert isinstance(even, e.WagerWon)
    assert (rounded.winnings, even.winnings) == (paid, 35_00)
    assert "CO-2306-4-round" in cites([rounded])
    assert "CO-2306-4-round" not in cites([even])


COMPOSITES = (("c_and_e", 0, 2), ("horn", 0, 4), ("whirl", 0, 5), ("horn_high", 12, 5))


@pytest.mark.clause("CO-2305-1-chips", "CO-2306-3", "CO-2306-2-horn")
@pytest.mark.parametrize(("bet", "number", "units"), COMPOSITES)
@pytest.mark.parametrize("unpayable", ["refuse", "round_up"])
@pytest.mark.parametrize("has_area", [True, False])
def test_CO_2305_1_chips__each_part_of_a_composite_wager_is_made_of_chips(
    bet: str, number: int, units: int, *, unpayable: str, has_area: bool
) -> None:
    """CO-2305-1-chips: as many chips as parts, or a multiple; with or without rounding, with or without an area."""
    chip = 100
    house = {"unpayable": unpayable, "whirl_area": has_area, "horn_high_area": has_area}
    play = Play(rules_of("colorado", house=house)).shoots()
    for chips in range(1, 3 * units + 1):
        command = make(ANN, bet, chips * chip, number)
        if chips % units:
            asked = cites(play.refuse(command))
            assert "CO-2306-4-refuse" not in asked or unpayable == "refuse"
            assert asked & {"CO-2305-1-chips", "CO-2304-20-units", "CO-2306-4-refuse"}
            assert unpayable == "refuse" or asked == {"CO-2304-20-units" if bet == "horn_high" else "CO-2305-1-chips"}
        else:
            table = play.fork()
            table.do(command)
            found = settled(table.roll("1-1"), ANN)
            assert all(event.cents % chip == 0 for event in found if isinstance(event, (e.WagerWon, e.WagerLost)))
            assert table.rack(ANN) % chip == 0


@pytest.mark.clause("CO-2305-1-chips")
def test_CO_2305_1_chips__no_addition_or_reduction_leaves_a_part_that_chips_cannot_make() -> None:
    """CO-2305-1-chips: what is left after a change is judged like a new wager, a coupon's share too."""
    play = Play(rules_of("colorado", house={"unpayable": "round_up"})).shoots()
    play.make(ANN, "horn", 8_00)
    for command in (make(ANN, "horn", 1_00), c.ReduceWager(seat=ANN, wager="horn", cents=2_00)):
        assert cites(play.refuse(command)) == {"CO-2305-1-chips"}
    play.do(c.ReduceWager(seat=ANN, wager="horn", cents=4_00))
    play.do(c.BuyIn(seat=BOB, cents=1_00, coupon=5_00))
    assert "CO-2305-1-chips" in cites(play.refuse(replace(make(BOB, "horn", 8_00), coupon=5_00)))
    small = rules_of("colorado", house={"unpayable": "round_up", "smallest_chip_cents": 25, "wager_cents_min": 5_00})
    play = Play(small).shoots()
    play.make(ANN, "horn", 5_00)  # four quarters of 1.25
    assert [one.winnings for one in settled(play.roll("1-2"), ANN) if isinstance(one, e.WagerWon)] == [18_75]
    better = {"any_craps": "8 to 1", "eleven": "16 to 1"}
    play = Play(rules_of("colorado", house={"payouts": better, "payouts_uniform": True})).shoots()
    assert cites(play.refuse(make(ANN, "c_and_e", 5_00))) == {"CO-2305-1-chips"}  # though 2.50 could be paid exactly


@pytest.mark.clause("CO-2306-4-round")
def test_CO_2306_4_round__each_winning_part_is_rounded_up_by_itself() -> None:
    """CO-2306-4-round: of a composite wager whose part, made of chips, wins a fraction of one."""
    house = {"unpayable": "round_up", "payouts": {"craps_3": "31 to 2"}, "payouts_uniform": True}
    play = Play(rules_of("colorado", house=house)).shoots()
    play.make(ANN, "horn", 4_00)
    won = [event for event in settled(play.roll("1-2"), ANN) if isinstance(event, e.WagerWon)]
    assert [event.winnings for event in won] == [16_00]
    assert "CO-2306-4-round" in cites(won)


@pytest.mark.clause("CO-2306-4-refuse", "CO-2304-20-units")
def test_CO_2306_4_refuse__without_a_unit_rule_the_refusal_is_about_what_can_be_paid() -> None:
    """CO-2306-4-refuse, CO-2304-20-units: units are cited only where written, and then hold in chips always."""
    for unpayable in ("refuse", "round_up"):
        play = Play(rules_of("colorado", house={"unpayable": unpayable})).shoots()
        assert cites(play.refuse(make(ANN, "horn_high", 6_00, 12))) == {"CO-2304-20-units"}
    exact = Play(rules_of("colorado")).shoots()
    for bet, odd, fits in (("c_and_e", 5_00, 6_00), ("horn", 6_00, 8_00), ("whirl", 7_00, 10_00)):
        assert "CO-2306-4-refuse" in cites(exact.refuse(make(ANN, bet, odd)))
        assert "CO-2304-20-units" not in cites(exact.refuse(make(ANN, bet, odd)))
        exact.make(ANN, bet, fits)
    small = rules_of("colorado", house={"unpayable": "round_up", "smallest_chip_cents": 1, "wager_cents_min": 5_00})
    assert "CO-2305-1-chips" in cites(Play(small).shoots().refuse(make(ANN, "c_and_e", 5_01)))  # no half of a cent


@pytest.mark.parametrize(
    ("regulation", "row"),
    _params(
        [
            (reg, clauses_of(reg)[one])
            for reg, one in (("maryland", "MD-6.E.2"), ("section2", "S2-f5.pay"), ("arizona", "AZ-III.J.5-c"))
        ]
    ),
)
def test_enlarged_odds_pay_as_any_odds(regulation: str, row: Clause) -> None:
    """MD-6.E.2, S2-f5.pay, AZ-III.J.5-c: at 100 times the original wager the same payouts, in every house."""
    rules = rules_of(regulation, house={"odds": dict.fromkeys(POINTS, 100)})
    for bet in ODDS[:4]:
        for point in POINTS:
            pays = listed_pays(regulation, bet, point)
            most = 100 * 5_00 if not bet.startswith("dont") else 100 * 5_00 * pays.to // pays.pays
            play = Play(rules).shoots()
            if bet in {"come_odds", "dont_come_odds"}:
                play.roll(WAYS["8" if point == "6" else "6"])
            play.make(ANN, bet.removesuffix("_odds"), 5_00)
            play.roll(WAYS[point])
            play.make(ANN, bet, most, point)
            (event,) = settled(play.roll("3-4" if bet.startswith("dont") else WAYS[point]), ANN, bet)
            assert isinstance(event, e.WagerWon)
            assert (event.cents, event.pays, event.winnings) == (most, pays, most * pays.pays // pays.to)
            other = {"payouts": {f"{bet} {point}": str(Pays(pays.pays + 1, to=pays.to))}}
            assert row.id in cites(breaches_of(regulation, other))
            approved = breaches_of(regulation, {**other, "payouts_approved": True}) if regulation == "arizona" else ()
            assert not approved, "approved rules may say otherwise"
