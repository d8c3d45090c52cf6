"""Vigorish: how much, when, and on nothing but buy and lay wagers."""

from fractions import Fraction

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rules import Rules
from passline.rules.schema import SideWager, cites_of
from tests.clauses.crew import every_side_wager
from tests.clauses.layouts import BASES, WAYS, amounts, laid_out
from tests.clauses.matrix import LINE, ODDS, POINTS, listed_pays, rows
from tests.clauses.table import ANN, BOB, Play, breaches_of, cites, make, rules_of, settled

NO_OTHER = {"colorado": "CO-2307-3", "section2": "S2-e3", "arizona": "AZ-III.I", "maryland": "MD-5.L"}


def _params(key: str, value: str = "") -> list[object]:
    return [
        pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id)
        for regulation, row in rows()
        if row.area == "vigorish" and row.values.get(key, "").startswith(value) and key in row.values
    ]


def _make_side_wager_free(regulation: str, game: str, kind: str) -> None:
    """Make a side wager and check that it costs its amount and no more."""
    rules = rules_of(regulation, game=game, house=every_side_wager(regulation))
    play = Play(rules).shoots()
    play.make(ANN, "pass", rules.wagers["pass"].min)
    before = play.rack(ANN)
    play.make(ANN, kind, rules.wagers[kind].min)
    assert play.rack(ANN) == before - rules.wagers[kind].min
    assert not any(wager.vigorish for wager in play.table.position.layout)


@pytest.mark.parametrize(
    ("regulation", "clause"),
    [pytest.param(reg, one, marks=pytest.mark.clause(one), id=one) for reg, one in NO_OTHER.items()],
)
def test_no_wager_but_buy_and_lay_is_charged(regulation: str, clause: str) -> None:
    """CO-2307-3, S2-e3, AZ-III.I, MD-5.L: making or winning any other wager costs nothing, in every house."""
    values = clauses_of(regulation)[clause].values
    assert "0" in {values.get(key) for key in ("vig", "other_fee", "fee", "other_fees")}
    only = set(cites_of(rules_of(regulation).rulebook.general.vigorish_only.cite))
    assert clause in only
    for game in rules_of(regulation).rulebook.games:
        rules = rules_of(regulation, game=game)
        for kind in (kind for kind, rule in rules.wagers.items() if isinstance(rule.entry, SideWager)):
            _make_side_wager_free(regulation, game, kind)
            assert cites(breaches_of(regulation, {"game": game, f"{kind}_vigorish_basis_points": 100})) == only
        for kind, rule in rules.wagers.items():
            if isinstance(rule.entry, SideWager):
                continue
            number = next((str(one) for one in (4, 6) if one in rule.numbers), "")
            if kind == "hop":
                number = "2-2"
            if kind == "horn_high":
                number = "12"
            if kind in {"buy", "lay"} or (rule.breakdown and kind == "whirl"):
                continue
            number = number or ("" if kind not in LINE else "4")
            cents = {
                seat: 3 * each for seat, each in amounts(rules, kind, "" if kind == "horn_high" else number).items()
            }
            cents = cents if kind not in ODDS else amounts(rules, kind, number)
            play = laid_out(rules, kind, number, "on" if kind not in LINE else "come_out", cents)
            for seat in (ANN, BOB):
                staked = cents[seat] + (BASES[seat] if kind in ODDS else 0)
                assert play.rack(seat) == Play(rules).rack(seat) - staked, kind
            assert not any(wager.vigorish for wager in play.table.position.layout)
            for roll in ("3-4", "2-2", "6-6"):
                won = [event for event in play.fork().roll(roll) if isinstance(event, e.WagerWon)]
                assert not any(event.vigorish for event in won)
            breaches = breaches_of(regulation, {"game": game, f"{kind}_vigorish_basis_points": 100})
            assert cites(breaches) == only
        assert cites(breaches_of(regulation, {"game": game, "table_fee_cents": 100})) == only


@pytest.mark.parametrize(("regulation", "row"), _params("max_fraction"))
def test_the_charge_never_exceeds_its_share_of_the_wager(regulation: str, row: Clause) -> None:
    """AZ-III.G-2, AZ-III.H-2: at most so much of the amount wagered, rounded down, and no house may elect more."""
    bet = row.values["bet"]
    share = Fraction(row.values["max_fraction"])
    most = int(share * 10_000)
    key = f"{bet}_vigorish_basis_points"
    assert not breaches_of(regulation, {key: most})
    assert row.id in cites(breaches_of(regulation, {key: most + 1}))
    rules = Rules.of(regulation, house={key: most, "limits": {}})
    for cents in (18_00, 20_00, 38_00, 40_00, 42_00):
        play = Play(rules).shoots()
        (made,) = play.make(ANN, bet, cents, 4)
        assert isinstance(made, e.WagerMade)
        assert made.after.vigorish == share * cents // 1_00 * 1_00
        assert made.after.vigorish <= share * cents
        assert (row.id in cites([made])) is bool(made.after.vigorish)


def _five_percent(regulation: str, bet: str, number: str, cents: int) -> int:
    """Return the default house's charge in whole dollars: of the wager, or of what it could win."""
    pays = listed_pays(regulation, bet, number)
    of_win = bet == "lay" and clauses_of(regulation)["S2-e2.vig" if regulation == "section2" else "AZ-III.H-2"]
    basis = Fraction(cents * pays.pays, pays.to) if of_win and of_win.values["basis"] != "wager" else Fraction(cents)
    return int(basis / 20 // 1_00) * 1_00


@pytest.mark.parametrize(("regulation", "row"), _params("when", "made"))
def test_the_charge_is_paid_when_the_wager_is_made(regulation: str, row: Clause) -> None:
    """S2-e1.when, S2-e2.when, AZ-III.G-3, AZ-III.H-3: at once, not from a win; kept on a loss, back on removal."""
    rules, bet = rules_of(regulation), row.values["bet"]
    for number in POINTS:
        play = Play(rules).shoots()
        play.roll(WAYS["8" if number == "6" else "6"])
        cents = {ANN: 60_00, BOB: 120_00}
        charged = {}
        for seat in (ANN, BOB):
            before = play.rack(seat)
            (made,) = play.make(seat, bet, cents[seat], number)
            assert row.id in cites([made])
            charged[seat] = before - play.rack(seat) - cents[seat]
            assert charged[seat] == _five_percent(regulation, bet, number, cents[seat]) > 0
        before = play.rack(ANN)
        win, lose = (WAYS[number], "3-4") if bet == "buy" else ("3-4", WAYS[number])
        for seat in (ANN, BOB):
            (won,) = settled(play.fork().roll(win), seat)
            assert isinstance(won, e.WagerWon)
            assert won.vigorish == 0
        losing, down = play.fork(), play.fork()
        losing.roll(lose)
        assert losing.rack(ANN) == before
        down.do(c.RemoveWager(seat=ANN, wager=bet, number=int(number)))
        assert down.rack(ANN) == before + cents[ANN] + charged[ANN]


@pytest.mark.clause("S2-e1.when", "S2-e2.when")
def test_S2_e1_when__no_house_waits_for_a_win() -> None:
    """S2-e1.when, S2-e2.when: the moment is the text's, not the house's."""
    for bet, clause in (("buy", "S2-e1.when"), ("lay", "S2-e2.when")):
        assert cites(breaches_of("section2", {f"{bet}_vigorish_when": "won"})) == {clause}
    assert "S2-e1.when" in cites(breaches_of("section2", {"buy_vigorish_won_on": [4]}))


@pytest.mark.clause("S2-e1.addition")
def test_S2_e1_addition__buy_wagers_stand_beside_place_to_win() -> None:
    """S2-e1.addition: a house that offers buy wagers still takes place to win, on the same number too."""
    play = Play(rules_of("section2")).shoots()
    assert "S2-e1.addition" in cites(play.make(ANN, "buy", 20_00, 4))
    play.make(ANN, "place_win", 10_00, 4)
    assert "S2-e1.addition" in cites(breaches_of("section2", {"buy": "in_lieu"}))
    without = Play(rules_of("section2", house={"buy": "none"})).shoots()
    assert "S2-e1.addition" in cites(without.refuse(make(ANN, "buy", 20_00, 4)))
    without.make(ANN, "place_win", 10_00, 4)
