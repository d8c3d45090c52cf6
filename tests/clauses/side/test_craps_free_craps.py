"""Colorado's Craps Free Craps (47.1-2317.03): ten points, no don't side, and a pay list of its own."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.dice import OUTCOMES, Roll
from passline.game import commands as c
from passline.game import events as e
from passline.money import Pays
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import SideWager
from tests.clauses.layouts import amounts, laid_out, outcomes
from tests.clauses.matrix import HIGH, parts_in, pays_of, rolls_of
from tests.clauses.side.colorado import SEVEN, WAYS, row_of
from tests.clauses.table import ANN, BOB, SHOOTER, Play, breaches_of, cites, make, rules_of, settled

GAME = "craps_free_craps"
ROWS = [row for row in clauses_of("colorado").values() if row.values.get("game") == GAME]
PAID = [row for row in ROWS if {"bet", "pays"} <= set(row.values)]
LISTED = {row.id for row in PAID}
FLOORS = [row for row in PAID if row.values.get("floor") == "true"]
TEN = tuple(int(one) for one in row_of("CO-2317.03-PW-1-a-point").values["points"].split("|"))
SIX = tuple(int(one) for one in row_of("CO-2317.03-gap-odds").values["odds_points"].split("|"))
NEW = tuple(sorted(set(TEN) - set(SIX)))
WINS = {
    "any_seven": "7",
    "any_craps": "2|3|12",
    "craps_2": "2",
    "craps_3": "3",
    "craps_12": "12",
    "eleven": "11",
}  # what each is called after


def _rules(**house: object) -> Play:
    return Play(rules_of("colorado", game=GAME, house=house))


def _params(rows: list[Clause]) -> list[object]:
    return [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in rows]


def _layouts(row: Clause) -> list[tuple[str, frozenset[Roll]]]:
    """Every number a row's wager may stand on, and the rolls of which the row speaks."""
    values, bet = row.values, row.values["bet"]
    if bet == "put":
        return [(str(point), rolls_of(str(point))) for point in SIX]
    if bet == "hardway":
        half = int(values["number"]) // 2
        return [(values["number"], rolls_of(f"{half}-{half}"))]
    if bet in {"place_win", "buy", "big"}:
        return [(values["number"], rolls_of(values["number"]))]
    if bet == "hop":
        return [(values["dice"], rolls_of(values["dice"]))]
    return [("", rolls_of(values.get("totals") or values.get("dice") or WINS[bet]))]


@pytest.mark.parametrize("row", _params([row for row in PAID if row.values["bet"] not in {"pass", "come"}]))
def test_a_winner_is_paid_the_odds_of_its_row(row: Clause) -> None:
    """Every payout row of the variation: on the rolls it speaks of and no others, to the cent, by that row alone."""
    rules, bet, pays = rules_of("colorado", game=GAME), row.values["bet"], pays_of(row)
    for number, paid_on in _layouts(row):
        cents = amounts(rules, bet, number)
        for roll, by_seat in outcomes(laid_out(rules, bet, number, "on", cents), bet).items():
            for seat in (ANN, BOB):
                won = [event for event in by_seat[seat] if isinstance(event, e.WagerWon)]
                if roll not in paid_on:
                    assert row.id not in cites(won)
                    continue
                (event,) = won
                assert (event.cents, event.pays) == (cents[seat], pays)
                assert event.winnings * pays.to == cents[seat] * pays.pays
                assert cites([event]) & LISTED == {row.id}


# --- pass and come ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.03-PW-1-a-seven", "CO-2317.03-PW-1-a-point", "CO-2317.03-PW-1-b", "CO-2317.03-PO-pass")
def test_CO_2317_03_PW_1__a_come_out_7_wins_pass_and_all_else_is_a_point() -> None:
    """CO-2317.03-PW-1-a-seven, -a-point, -b, -PO-pass: no total loses on the come-out roll; 2, 3, 11, 12 are points."""
    play = _rules()
    play.make(ANN, "pass", 5_00)
    play.make(BOB, "pass", 20_00)
    play.shoots()
    wins = {int(row_of("CO-2317.03-PW-1-a-seven").values["win"])}
    assert row_of("CO-2317.03-PW-1-b").values["comeout_lose"] == "none"
    for roll in OUTCOMES:
        after = play.fork()
        happened = after.roll(roll)
        pucks = [one for one in happened if isinstance(one, e.PuckMoved)]
        for seat, cents in ((ANN, 5_00), (BOB, 20_00)):
            found = settled(happened, seat)
            if roll.total in wins:
                assert [type(one) for one in found] == [e.WagerWon]
                assert {"CO-2317.03-PW-1-a-seven", "CO-2317.03-PO-pass"} <= cites(found)
                assert after.rack(seat) - play.rack(seat) == 2 * cents
            else:
                assert not found
        if roll.total in wins:
            assert not pucks
        else:
            assert [one.point for one in pucks] == [roll.total]
            assert "CO-2317.03-PW-1-a-point" in cites(pucks)
            _decided_by(after, "pass", roll.total)


@pytest.mark.clause("CO-2317.03-PW-3-a-seven", "CO-2317.03-PW-3-a-point", "CO-2317.03-PW-3-b", "CO-2317.03-PO-come")
def test_CO_2317_03_PW_3__a_7_wins_come_at_once_and_all_else_is_its_point() -> None:
    """CO-2317.03-PW-3-a-seven, -a-point, -b, -PO-come: no total loses at once; it goes to any of ten numbers."""
    play = _rules().shoots()
    play.roll(WAYS[6])
    play.make(ANN, "come", 5_00)
    play.make(BOB, "come", 20_00)
    assert tuple(int(one) for one in row_of("CO-2317.03-PW-3-a-point").values["points"].split("|")) == TEN
    for roll in OUTCOMES:
        after = play.fork()
        found = settled(after.roll(roll), ANN)
        if roll.total == int(row_of("CO-2317.03-PW-3-a-seven").values["win"]):
            assert [type(one) for one in found] == [e.WagerWon]
            assert {"CO-2317.03-PW-3-a-seven", "CO-2317.03-PO-come"} <= cites(found)
            continue
        (moved,) = found
        assert isinstance(moved, e.WagerMoved)
        assert moved.after.number == roll.total
        if after.table.position.puck:
            _decided_by(after, "come", roll.total)


def _decided_by(play: Play, bet: str, point: int) -> None:
    """From a point on: it wins on that number, loses on a 7, and stays on all else."""
    section = {"pass": "CO-2317.03-PW-1", "come": "CO-2317.03-PW-3"}[bet]
    for roll in OUTCOMES:
        after = play.fork()
        happened = after.roll(roll)
        for seat, cents in ((ANN, 5_00), (BOB, 20_00)):
            found = settled(happened, seat)
            if roll.total == point:
                (won,) = found
                assert isinstance(won, e.WagerWon)
                assert (won.cents, won.winnings) == (cents, cents)
                assert {f"{section}-a-point", f"CO-2317.03-PO-{bet}"} <= cites(found)
            elif roll.total == 7:
                assert [type(one) for one in found] == [e.WagerLost]
                assert cites(found) == {f"{section}-b"}
            else:
                assert not found


@pytest.mark.clause("CO-2317.03-PW-1-when", "CO-2317.03-PW-3-when")
def test_CO_2317_03_PW_when__pass_before_a_come_out_roll_and_come_once_a_point_is_on() -> None:
    """CO-2317.03-PW-1-when, -PW-3-when: with a new point too; what is up may grow at any time, as in Rule 23."""
    for point in TEN:
        play = _rules().shoots()
        assert "CO-2317.03-PW-3-when" in cites(play.refuse(make(ANN, "come", 5_00)))
        made = play.make(BOB, "pass", 5_00)
        assert cites(made) == {"CO-2317.03-PW-1-when"}
        play.roll(WAYS[point])
        assert cites(play.refuse(make(ANN, "pass", 5_00))) == {"CO-2317.03-PW-1-when"}
        assert cites(play.make(ANN, "come", 5_00)) == {"CO-2317.03-PW-3-when"}
        assert cites(play.make(BOB, "pass", 10_00)) == {"CO-2305-3-passup"}


@pytest.mark.clause("CO-2317.03-base")
def test_CO_2317_03_base__the_locks_of_rule_23_reach_the_new_points() -> None:
    """CO-2317.03-base: pass and come are locked on 2, 3, 11 and 12 as on any point; place wagers are off."""
    for point in TEN:
        play = _rules()
        play.make(ANN, "pass", 5_00)
        play.shoots().roll(WAYS[point])
        assert cites(play.refuse(c.RemoveWager(seat=ANN, wager="pass"))) == {"CO-2305-3-passlock"}
        other = 6 if point != 6 else 8
        for come in {*NEW, other} - {point}:
            after = play.fork()
            after.make(BOB, "come", 5_00)
            after.roll(WAYS[come])
            assert cites(after.refuse(c.RemoveWager(seat=BOB, wager="come", number=come))) == {"CO-2305-3-comelock"}
            assert cites(after.make(BOB, "come", 5_00, come)) == {"CO-2305-3-comeup"}
        play.make(ANN, "place_win", 12_00 if point in {6, 8} else 20_00, point)
        play.roll(WAYS[point])
        play.shoots()
        for roll in (SEVEN, WAYS[point]):
            assert not settled(play.fork().roll(roll), ANN)


@pytest.mark.clause("CO-2317.03-base")
@pytest.mark.parametrize(("wager", "table"), [("fire", "FB-1"), ("sharp_shooter", "SS-01"), ("front_line_winner", "1")])
def test_CO_2317_03_base__side_wagers_written_for_six_points_stay_with_the_six(wager: str, table: str) -> None:
    """CO-2317.03-base: not combined until a rule says so: no house may offer them here, no player make."""
    (breach,) = breaches_of("colorado", {"game": GAME, "side_wagers": {wager: table}})
    assert (breach.key, breach.clause) == (f"side_wagers.{wager}", "CO-2317.03-base")
    assert not breaches_of("colorado", {"game": GAME, "side_wagers": {wager: "none"}})
    assert not breaches_of("colorado", {"side_wagers": {wager: table}})
    assert cites(_rules().shoots().refuse(make(ANN, wager, 5_00))) == {"CO-2317.03-base"}


# --- what there is, and what there is not -----------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.03-PW-all")
def test_CO_2317_03_PW_all__every_wager_of_2304_is_there_save_the_exceptions() -> None:
    """CO-2317.03-PW-all: the standard wagers, less the four excepted and the odds that would stand behind them."""
    excepted = set(row_of("CO-2317.03-PW-all").values["except"].split("|"))
    standard = {kind for kind, entry in rulebook_of("colorado").wagers.items() if not isinstance(entry, SideWager)}
    odds = {"dont_pass_odds", "dont_come_odds"}
    play = _rules().shoots()
    assert standard - set(play.rules.wagers) == excepted | odds
    variation = play.rules.game.variation
    assert variation is not None
    assert "CO-2317.03-PW-all" in variation.cite
    for kind in standard - excepted - odds - {"pass_odds", "come_odds", "put_odds", "come"}:
        rule = play.rules.wagers[kind]
        number = min(rule.numbers)
        play.fork().do(c.MakeWager(seat=ANN, wager=kind, number=number, cents=60_00))


@pytest.mark.parametrize(
    "row",
    _params(
        [row for row in ROWS if row.values.get("allowed") == "false"] + [row for row in ROWS if "strike" in row.values]
    ),
)
def test_a_wager_the_variation_does_not_have_is_refused(row: Clause) -> None:
    """CO-2317.03-PW-2-dp, -PW-4-dc, -PW-5, -TO-2 and the two that strike them elsewhere: refused by that clause."""
    bet = row.values.get("bet") or row.values["strike"]
    number = 0 if bet.startswith("dont") else 6
    command = c.MakeWager(seat=ANN, wager=bet, number=number, cents=60_00)
    on = _rules().shoots()
    on.roll(WAYS[4])
    for play in (_rules().shoots(), on):
        assert row.id in cites(play.refuse(command))
        if "strike" in row.values:
            odds = c.MakeWager(seat=ANN, wager=f"{bet}_odds", number=play.table.position.puck, cents=60_00)
            assert cites(play.refuse(odds)) == {row.id}
    standard = Play(rules_of("colorado")).shoots()
    if bet == "dont_come":
        standard.roll(WAYS[4])
    standard.do(command)


@pytest.mark.clause("CO-2317.03-PW-2-mention", "CO-2317.03-PW-4-mention")
def test_CO_2317_03_PW_mention__what_rule_23_says_of_the_dont_side_falls_away() -> None:
    """CO-2317.03-PW-2-mention, -PW-4-mention: the shooter owes a pass wager; coins make it; only come is cleared."""
    play = _rules()
    play.do(c.AcceptDice(seat=SHOOTER))
    (refusal,) = play.refuse(c.RollDice(first=2, second=2))
    assert refusal.clause == "CO-2310-bet"
    assert "Pass Line" in refusal.why
    assert "Don't" not in refusal.why
    coins = c.MakeWager(seat=SHOOTER, wager="pass", cents=5_00, media=("coins",))
    play.do(coins)
    wrong = c.MakeWager(seat=ANN, wager="dont_pass", cents=5_00, media=("coins",))
    assert "CO-2317.03-PW-2-mention" in cites(play.refuse(wrong))
    assert play.rules.procedures.clearing.wagers == ("come",)
    assert "CO-2317.03-PW-4-mention" in cites(play.refuse(make(ANN, "dont_come", 5_00)))


@pytest.mark.clause("CO-2317.03-gap-odds")
def test_CO_2317_03_gap_odds__odds_stand_on_the_six_points_only() -> None:
    """CO-2317.03-gap-odds: none behind pass or come on 2, 3, 11 and 12; on the six as in Rule 23, at true odds."""
    for point in TEN:
        play = _rules()
        play.make(ANN, "pass", 10_00)
        play.shoots().roll(WAYS[point])
        other = 8 if point != 8 else 6
        come = _rules().shoots()
        come.roll(WAYS[other])
        come.make(BOB, "come", 10_00)
        come.roll(WAYS[point])
        for table, seat, kind, on in (
            (play, ANN, "pass_odds", 0),
            (play, ANN, "pass_odds", point),
            (come, BOB, "come_odds", point),
        ):
            command = make(seat, kind, 10_00, on)
            if point in SIX:
                assert "CO-2317.03-gap-odds" in cites(table.fork().do(command))
            else:
                assert "CO-2317.03-gap-odds" in cites(table.refuse(command))


@pytest.mark.clause("CO-2317.03-PO-put")
def test_CO_2317_03_PO_put__put_wagers_stay_on_the_six_numbers() -> None:
    """CO-2317.03-PO-put: even money on the six; the list does not widen them to the new numbers."""
    play = _rules().shoots()
    for point in TEN:
        if point in SIX:
            play.make(ANN, "put", 5_00, point)
        else:
            assert play.refuse(make(ANN, "put", 5_00, point))
    play.roll(WAYS[6])
    (won,) = settled(play.roll(WAYS[9]), ANN)
    assert isinstance(won, e.WagerWon)
    assert (won.winnings, "CO-2317.03-PO-put" in cites([won])) == (5_00, True)


@pytest.mark.clause("CO-2317.03-gap-combo")
@pytest.mark.parametrize("bet", row_of("CO-2317.03-gap-combo").values["bets"].split("|"))
def test_CO_2317_03_gap_combo__combinations_are_settled_by_their_parts(bet: str) -> None:
    """CO-2317.03-gap-combo: on each of the 36 rolls every part wins at its own line of the list, or loses."""
    (parts,) = [
        parts_in(row)
        for row in clauses_of("colorado").values()
        if row.values.get("bet") == bet and ":" in row.values.get("parts", "")
    ]
    each = {ANN: 5_00, BOB: 10_00}
    for number in HIGH if bet == "horn_high" else ("",):
        units = {HIGH[number] if part == "high" else part: 0 for part in parts}
        for part, count in parts.items():
            units[HIGH[number] if part == "high" else part] += count
        play = _rules().shoots()
        for seat in (ANN, BOB):
            play.make(seat, bet, each[seat] * sum(units.values()), number)
        for roll in OUTCOMES:
            happened = play.fork().roll(roll)
            for seat in (ANN, BOB):
                found = settled(happened, seat)
                assert all("CO-2317.03-gap-combo" in cites([one]) for one in found)
                won = sum(one.winnings for one in found if isinstance(one, e.WagerWon))
                assert won == sum(_pays(part, roll) * each[seat] * count for part, count in units.items())


def _pays(part: str, roll: Roll) -> int:
    """What one unit on a part wins on a roll, by the variation's own list."""
    (row,) = [one for one in PAID if one.values["bet"] == part]
    return int(pays_of(row).ratio) if str(roll.total) in WINS[part].split("|") else 0


# --- what the house chooses -------------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2317.03-TO-1-offer")
def test_CO_2317_03_TO_1_offer__the_house_may_offer_buy_wagers_on_ten_numbers() -> None:
    """CO-2317.03-TO-1-offer: each of the ten, besides place odds; or none of them."""
    numbers = [int(one) for one in row_of("CO-2317.03-TO-1-offer").values["numbers"].split("|")]
    assert sorted(numbers) == sorted(TEN)
    play, without = _rules().shoots(), _rules(buy="none").shoots()
    for number in numbers:
        assert "CO-2317.03-TO-1-offer" in cites(play.make(ANN, "buy", 20_00, number))
        assert "CO-2317.03-TO-1-offer" in cites(without.refuse(make(ANN, "buy", 20_00, number)))
        without.make(ANN, "place_win", 60_00, number)
    assert play.refuse(make(ANN, "buy", 20_00, 7))
    assert "CO-2317.03-TO-1-offer" in cites(breaches_of("colorado", {"game": GAME, "buy": "sometimes"}))


@pytest.mark.clause("CO-2317.03-TO-1-vig")
def test_CO_2317_03_TO_1_vig__the_charge_is_at_most_five_percent_of_the_stake() -> None:
    """CO-2317.03-TO-1-vig: from nothing to 5 percent, of what is wagered, rounded down to a chip."""
    values = row_of("CO-2317.03-TO-1-vig").values
    most = int(10_000 * Fraction(values["max_fraction"]))
    for rate, is_lawful in ((0, True), (1, True), (most - 1, True), (most, True), (most + 1, False), (-1, False)):
        breaches = breaches_of("colorado", {"game": GAME, "buy_vigorish_basis_points": rate})
        assert bool(breaches) is not is_lawful
        assert is_lawful or "CO-2317.03-TO-1-vig" in cites(breaches)
    play = _rules(buy_vigorish_basis_points=most).shoots()
    for number in TEN:
        for cents, charge in ((20_00, 1_00), (30_00, 1_00), (40_00, 2_00), (50_00, 2_00)):
            after = play.fork()
            made = after.make(ANN, "buy", cents, number)
            assert play.rack(ANN) - after.rack(ANN) == cents + charge
            assert "CO-2317.03-TO-1-vig" in cites(made)


@pytest.mark.clause("CO-2317.03-TO-3")
def test_CO_2317_03_TO_3__nothing_but_a_buy_wager_is_charged() -> None:
    """CO-2317.03-TO-3: no charge on any other wager, whatever a house would write."""
    play = _rules().shoots()
    assert {kind for kind, rule in play.rules.wagers.items() if rule.vigorish} == {"buy"}
    for kind, number in (("place_win", 2), ("place_win", 12), ("put", 4), ("field", 0), ("hardway", 6), ("big", 8)):
        after = play.fork()
        after.make(ANN, kind, 60_00, number)
        assert play.rack(ANN) - after.rack(ANN) == 60_00
    for key in ("place_win_vigorish_basis_points", "put_fee", "commission"):
        assert "CO-2317.03-TO-3" in cites(breaches_of("colorado", {"game": GAME, key: 100}))


@pytest.mark.clause("CO-2317.03-gap-floor")
def test_CO_2317_03_gap_floor__the_pay_list_is_a_floor_for_the_whole_casino() -> None:
    """CO-2317.03-gap-floor: a little less than any line is a breach; a little more is none where all tables pay it."""
    listed = [row for row in FLOORS if row.values["bet"] not in {"pass", "come", "put"}]
    assert len(listed) > 40
    for row in listed:
        pays, bet = pays_of(row), row.values["bet"]
        on = row.values.get("dice" if bet in {"hop", "six_seven_eight"} else "number") or row.values.get("totals", "")
        key = f"{bet} {on.split('|')[0]}".strip()
        less, more = Pays(pays.pays * 10 - 1, to=pays.to * 10), Pays(pays.pays * 10 + 1, to=pays.to * 10)
        house = {"game": GAME, "payouts_uniform": True}
        assert {"CO-2317.03-gap-floor", row.id} <= cites(
            breaches_of("colorado", {**house, "payouts": {key: str(less)}})
        )
        for allowed in (pays, more):
            assert not breaches_of("colorado", {**house, "payouts": {key: str(allowed)}})
        (apart,) = breaches_of("colorado", {"game": GAME, "payouts": {key: str(more)}})
        assert (apart.key, "CO-2317.03-gap-floor" in cites([apart])) == ("payouts_uniform", True)


def test_true_odds_are_no_floor() -> None:
    """The buy wagers of the variation pay exactly their true odds."""
    for row in PAID:
        if row.values["bet"] != "buy":
            continue
        pays = pays_of(row)
        key = f"buy {row.values['number']}"
        for other in (Pays(pays.pays * 10 - 1, to=pays.to * 10), Pays(pays.pays * 10 + 1, to=pays.to * 10)):
            house = {"game": GAME, "payouts_uniform": True, "payouts": {key: str(other)}}
            assert row.id in cites(breaches_of("colorado", house))


@pytest.mark.clause("CO-2317.03-gap-floor")
def test_CO_2317_03_gap_floor__a_better_payout_is_paid() -> None:
    """CO-2317.03-gap-floor: on a number only this variation has, by a house that pays it everywhere."""
    play = Play(rules_of("colorado", game=GAME, house={"payouts_uniform": True, "payouts": {"place_win 2": "6 to 1"}}))
    play.shoots().roll(WAYS[6])
    play.make(ANN, "place_win", 10_00, 2)
    play.make(BOB, "place_win", 20_00, 12)
    (ann,) = settled(play.fork().roll("1-1"), ANN)
    (bob,) = settled(play.roll("6-6"), BOB)
    assert isinstance(ann, e.WagerWon)
    assert isinstance(bob, e.WagerWon)
    assert (ann.winnings, bob.winnings) == (60_00, 110_00)


@pytest.mark.clause("CO-2317.03-pd")
def test_CO_2317_03_pd__it_is_nobodys_property() -> None:
    """CO-2317.03-pd: recorded with the variation, as the owners of the others are with theirs."""
    variation = rulebook_of("colorado").games[GAME].variation
    assert variation is not None
    assert row_of("CO-2317.03-pd").values["owner"].replace("_", " ") in variation.reading
    assert "CO-2317.03-pd" in variation.cite
    assert rulebook_of("colorado").games["craps"].variation is None
