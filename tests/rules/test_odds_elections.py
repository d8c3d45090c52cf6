"""The effect of odds policies at the table: multiples, amounts, winnings, and the excess that odds may need."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game import events as e
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import OddsWager, cites_of
from tests.clauses.table import ANN, BOB, Play, breaches_of, cites, make
from tests.rules.election_cases import CHIP, play, regulation_of, value

POINT_ROLLS = {4: "1-3", 5: "1-4", 6: "1-5", 8: "2-6", 9: "3-6", 10: "4-6"}
ALL_POINTS = ("4", "5", "6", "8", "9", "10")
COLORADO_ODDS = {1: "pass_odds", 2: "dont_pass_odds", 3: "come_odds", 4: "dont_come_odds"}
NUMBERS = (4, 5, 6)


def flat(multiple: int) -> dict[str, int]:
    """Return the same multiple of odds for every point."""
    return dict.fromkeys(ALL_POINTS, multiple)


def with_base(table: Play, kind: str, number: int, cents: int) -> Play:
    """Make two players' original wagers of different amounts and throw the number, so that odds may be made."""
    behind = table.rules.wagers[kind].behind
    if table.rules.wagers[behind].entry.make.when == "point":
        table.roll(POINT_ROLLS[10 if number == 4 else 4])
    table.make(ANN, behind, cents)
    table.make(BOB, behind, cents * 2)
    table.roll(POINT_ROLLS[number])
    return table


def assert_most_odds(clause: str, table: Play, kind: str, number: int, most: Fraction) -> None:
    """Check that odds at the maximum are made, one step more is refused, and the maximum follows the stake."""
    step = table.rules.wagers[kind].unit(number, CHIP)
    assert most.denominator == 1
    assert most % step == 0, "choose an original wager whose most is paid exactly"
    assert clause in cites(table.refuse(make(ANN, kind, int(most) + step, number)))
    assert clause in cites(table.refuse(make(BOB, kind, 2 * int(most) + step, number)))
    for seat, cents_of_seat in ((ANN, int(most)), (BOB, 2 * int(most))):
        made = table.make(seat, kind, cents_of_seat, number)[0]
        assert isinstance(made, e.WagerMade)
        assert made.after.cents == cents_of_seat


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        pytest.param(f"CO-2308-{number}-house", kind, marks=pytest.mark.clause(f"CO-2308-{number}-house"), id=kind)
        for number, kind in COLORADO_ODDS.items()
    ],
)
def test_a_house_may_lower_the_ceiling_of_odds_and_never_raise_it(clause: str, kind: str) -> None:
    assert kind == value(clause, "bet")
    law = int(value(clause, "house_max_le")) * 100
    many = {"odds": flat(50)}
    for elected, most in ((60_00, 60_00), (law, law), (0, law)):
        for number in (4, 6):
            table = with_base(play(clause, {**many, "odds_cents_max": elected}), kind, number, 10_00)
            step = table.rules.wagers[kind].unit(number, CHIP)
            stake = most // step * step
            assert clause in cites(table.refuse(make(ANN, kind, stake + step, number)))
            assert table.make(ANN, kind, stake, number)
            assert table.make(BOB, kind, stake, number)


LIMITS = [
    *(("S2-f1.limit", "pass_odds", 1), ("S2-f2.limit", "dont_pass_odds", 1)),
    *(("S2-f3.limit", "come_odds", 1), ("S2-f4.limit", "dont_come_odds", 1)),
    *(("S2-f5.pass", "pass_odds", 100), ("S2-f5.dontpass", "dont_pass_odds", 100)),
    *(("S2-f5.come", "come_odds", 100), ("S2-f5.dontcome", "dont_come_odds", 100)),
    *(("AZ-III.J.1-b", "pass_odds", 1), ("AZ-III.J.2-b", "dont_pass_odds", 1)),
    *(("AZ-III.J.3-b", "come_odds", 1), ("AZ-III.J.4-b", "dont_come_odds", 1)),
    *(("MD-6.A.max", "pass_odds", 1), ("MD-6.B.max", "dont_pass_odds", 1)),
    *(("MD-6.C.max", "come_odds", 1), ("MD-6.D.max", "dont_come_odds", 1)),
    *(("MD-6.E", "pass_odds", 100), ("MD-6.E", "come_odds", 100)),
    *(("MD-6.E.1", "dont_pass_odds", 100), ("MD-6.E.1", "dont_come_odds", 100)),
]


@pytest.mark.parametrize(
    ("clause", "kind", "multiple"),
    [
        pytest.param(clause, kind, multiple, marks=pytest.mark.clause(clause), id=f"{clause}-{kind}")
        for clause, kind, multiple in LIMITS
    ],
)
@pytest.mark.parametrize("number", NUMBERS)
def test_odds_go_up_to_the_multiple_elected(clause: str, kind: str, multiple: int, number: int) -> None:
    """By stake behind pass and come; by winnings behind don't pass and don't come. No house elects above the text."""
    assert kind in value(clause, "bet").split("|")
    excess = {} if regulation_of(clause) == "arizona" else {"odds_excess": False}
    house = {"odds": flat(multiple), "wager_cents_max": 1_000_000, **excess}
    pays = Rules.of(regulation_of(clause)).wagers[kind].payouts[number].pays
    most = Fraction(multiple * 10_00)
    if kind.startswith("dont"):
        most = most / pays.ratio
    assert_most_odds(clause, with_base(play(clause, house), kind, number, 10_00), kind, number, most)
    if multiple > 1:  # the most of the text
        above = breaches_of(regulation_of(clause), {**house, "odds": flat(multiple + 1)})
        assert clause in cites(one for one in above if kind in one.problem.split())


def test_the_stakes_that_the_matrix_gives_for_winnings_are_those_of_the_payouts() -> None:
    """The test above computes the stake from the payout; this one takes it from the matrix."""
    for clause, name, key in (("MD-6.B.max", "maryland", "stake_cap_"), ("MD-6.D.max", "maryland", "stake_cap_")):
        kind = value(clause, "bet")
        for number, other in ((4, 10), (5, 9), (6, 8)):
            stake, to = value(clause, f"{key}{number}_{other}").split(":")
            for point in (number, other):
                assert Rules.of(name).wagers[kind].payouts[point].pays.ratio == Fraction(int(to), int(stake))


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        pytest.param(clause, kind, marks=pytest.mark.clause(clause), id=f"{clause}-{kind}")
        for clause in ("AZ-III.J.5-a", "AZ-III.J.5-b")
        for kind in value(clause, "bets").split("|")
    ],
)
def test_odds_in_arizona_go_up_to_the_limit_of_the_compact(clause: str, kind: str) -> None:
    law = int(value(clause, "max")) * 100
    house = {"odds": flat(10), "wager_cents_max": law}
    table = with_base(play(clause, house), kind, 4, law // 4)
    step = table.rules.wagers[kind].unit(4, CHIP)
    assert clause in cites(table.refuse(make(ANN, kind, law + step, 4)))
    assert table.make(ANN, kind, law, 4)


@pytest.mark.parametrize(
    "clause",
    [pytest.param(clause, marks=pytest.mark.clause(clause), id=clause) for clause in ("S2-f6.cap", "MD-6.F.auth")],
)
def test_odds_may_exceed_the_multiple_by_what_makes_them_payable(clause: str) -> None:
    """A 5 dollar pass on 9 takes 6 in single odds, since 5 cannot be paid 3 to 2; and no more than that."""
    for excess, most, over in ((True, 6_00, 8_00), (False, 4_00, 6_00)):
        table = play(clause, {"odds": flat(1), "odds_excess": excess})
        table.make(ANN, "pass", 5_00)
        table.roll("4-5")
        assert table.refuse(make(ANN, "pass_odds", over, 9))
        assert table.make(ANN, "pass_odds", most, 9)
    assert clause in play(clause).rules.rulebook.elections["odds_excess"].cite


@pytest.mark.clause("S2-f6.posted")
def test_S2_f6_posted__odds_may_exceed_the_posted_maximum_by_what_makes_them_payable() -> None:
    """S2-f6.posted: above the table's maximum odds go to the next amount paid exactly, and no further."""
    for excess, most, over in ((True, 6_00, 8_00), (False, 4_00, 6_00)):
        table = play("S2-f6.posted", {"odds": flat(5), "odds_excess": excess, "wager_cents_max": 5_00})
        table.make(ANN, "pass", 5_00)
        table.roll("4-5")
        assert "S2-f6.posted" in cites(table.refuse(make(ANN, "pass_odds", over, 9)))
        assert table.make(ANN, "pass_odds", most, 9)


@pytest.mark.clause("MD-6.F.posted")
def test_MD_6_F_posted__odds_may_exceed_the_posted_maximum() -> None:
    """MD-6.F.posted: a supplemental wager is limited by its multiple, not by the table's maximum."""
    table = play("MD-6.F.posted", {"odds": flat(5), "wager_cents_max": 5_00})
    table.make(ANN, "pass", 5_00)
    assert "MD-3.B.2" in cites(table.refuse(make(BOB, "pass", 6_00)))
    table.roll("4-5")
    assert table.make(ANN, "pass_odds", 26_00, 9)
    assert "MD-6.E" in cites(table.refuse(make(ANN, "pass_odds", 2_00, 9)))


@pytest.mark.parametrize(
    ("right", "limit", "kind"),
    [
        pytest.param(
            f"S2-f{number}.right",
            f"S2-f{number}.limit",
            kind,
            marks=pytest.mark.clause(f"S2-f{number}.right", f"S2-f{number}.limit"),
            id=kind,
        )
        for number, kind in COLORADO_ODDS.items()
    ],
)
@pytest.mark.parametrize("number", NUMBERS)
def test_the_posted_maximum_never_cuts_odds_below_the_players_right(
    right: str, limit: str, kind: str, number: int
) -> None:
    """S2-f1 to S2-f4: behind the largest original wager, single odds by stake or by winnings, and no step more."""
    table = with_base(play(right, {"wager_cents_max": 60_00, "odds": flat(5)}), kind, number, 30_00)
    pays = table.rules.wagers[kind].payouts[number].pays
    single = Fraction(60_00) if value(limit, "basis") == "stake" else 60_00 / pays.ratio
    step = table.rules.wagers[kind].unit(number, CHIP)
    refused = table.refuse(make(BOB, kind, int(single) + step, number))
    assert [one.clause for one in refused] == ["S2-f6.posted, S2-f6.cap, S2-f6.need"]  # each once
    assert right in cites(table.make(BOB, kind, int(single), number))
    assert table.make(ANN, kind, 60_00, number), "the posted maximum itself is no less than twice this wager's right"


@pytest.mark.parametrize(
    ("limit", "kind"),
    [
        pytest.param(f"S2-f{number}.limit", kind, marks=pytest.mark.clause(f"S2-f{number}.limit"), id=kind)
        for number, kind in COLORADO_ODDS.items()
    ],
)
def test_no_house_abolishes_odds_through_its_limits(limit: str, kind: str) -> None:
    """S2-f1.limit to S2-f4.limit: neither by a maximum for odds nor by one for the table under the original wager's."""
    base = kind.removesuffix("_odds")
    flat_max = 600_00
    ratio = Fraction(1) if value(limit, "basis") == "stake" else Fraction(1, 2)  # a 4 or a 10 asks for the most
    least = int(flat_max / ratio)
    for most, keys in ((least, []), (least - 1_00, [f"limits.{kind}"])):
        limits = {base: {"min": 5_00, "max": flat_max}, kind: {"min": 1_00, "max": most}}
        breaches = [one for one in breaches_of("section2", {"limits": limits}) if limit in one.clause]
        assert [one.key for one in breaches] == keys
    for most, keys in ((flat_max, []), (flat_max - 1_00, ["wager_cents_max"])):
        limits = {base: {"min": 5_00, "max": flat_max}}
        house = {"limits": limits, "wager_cents_max": most}
        breaches = [one for one in breaches_of("section2", house) if limit in one.clause]
        assert [one.key for one in breaches] == keys


@pytest.mark.parametrize(
    ("regulation", "kind", "clause"),
    [
        pytest.param(regulation, kind, clause, marks=pytest.mark.clause(clause), id=clause)
        for regulation, kind, clause in (
            ("maryland", "pass_odds", "MD-6.A.max"),
            ("maryland", "dont_come_odds", "MD-6.D.max"),
            ("arizona", "come_odds", "AZ-III.J.3-b"),
            ("colorado", "dont_pass_odds", "CO-2308-2-house"),
        )
    ],
)
def test_a_table_limit_on_odds_that_are_outside_it_is_refused(regulation: str, kind: str, clause: str) -> None:
    """MD-6.A.max, MD-6.D.max, AZ-III.J.3-b, CO-2308-2-house: it would have no effect, so it is a breach."""
    breaches = breaches_of(regulation, {"limits": {kind: {"min": 1_00, "max": 100_00}}})
    assert [one.key for one in breaches] == [f"limits.{kind}"]
    assert clause in cites(breaches)
    assert "no effect" in breaches[0].problem


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        pytest.param(f"CO-2308-{number}-right", kind, marks=pytest.mark.clause(f"CO-2308-{number}-right"), id=kind)
        for number, kind in COLORADO_ODDS.items()
    ],
)
def test_a_ceiling_of_odds_leaves_an_amount_that_can_be_paid_on_every_point(clause: str, kind: str) -> None:
    """CO-2308-1-right to CO-2308-4-right: the dearest step is $5 to win, $6 to lose; rounding up needs a chip."""
    step = max(Rules.of("colorado").wagers[kind].unit(number, CHIP) for number in (4, 5, 6, 8, 9, 10))
    assert step == (6_00 if kind.startswith("dont") else 5_00)

    def broken(cents: int, unpayable: str) -> list[str]:
        house = {"odds_cents_max": cents, "unpayable": unpayable}
        return [one.key for one in breaches_of("colorado", house) if one.clause == clause]

    assert (broken(step, "refuse"), broken(step - 1, "refuse")) == ([], ["odds_cents_max"])
    assert (broken(CHIP, "round_up"), broken(CHIP - 1, "round_up")) == ([], ["odds_cents_max"])


@pytest.mark.parametrize(
    ("regulation", "kind", "most"),
    [
        pytest.param(name, kind, most, marks=pytest.mark.clause(*cites_of(entry.limit.cite)), id=f"{name}-{kind}")
        for name, most in (("arizona", 100_000_00), ("colorado", 100_00))
        for kind, entry in rulebook_of(name).wagers.items()
        if isinstance(entry, OddsWager)
    ],
)
def test_a_house_elects_odds_up_to_the_amount_of_each_regulation(regulation: str, kind: str, most: int) -> None:
    """AZ-III.J.5-a, -b, CO-2308: at the limit, and one cent above it."""
    entry = rulebook_of(regulation).wagers[kind]
    assert isinstance(entry, OddsWager)
    cited = {*cites_of(entry.limit.cite)}
    assert not breaches_of(regulation, {"odds_cents_max": most, "smallest_chip_cents": 1})
    above = breaches_of(regulation, {"odds_cents_max": most + 1, "smallest_chip_cents": 1})
    assert cited <= {clause for one in above if kind in one.problem.split() for clause in one.clause.split(", ")}
