"""Maryland's Bonus Craps and Dice-Ology: totals to be thrown, each once, before any 7."""

from itertools import combinations, permutations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause
from tests.clauses.side.maryland import MD, TOTALS, Side, cases, decided, listed, pays_of, won
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites, make, settled

STAKES = {ANN: 5_00, BOB: 20_00}
BONUS = {"small": "MD-3.A.43.a", "all": "MD-3.A.43.b", "tall": "MD-3.A.43.c"}
DICE_OLOGY = {"little_ones": "MD-3.A.44.a", "boom_or_bust": "MD-3.A.44.b", "big_ones": "MD-3.A.44.c"}
EACH = {**BONUS, **DICE_OLOGY}
TABLES = {"bonus_craps": "A", "dice_ology": "B"}
NEEDS = {kind: listed(clause, "need") for kind, clause in EACH.items()}
SEVEN = listed("MD-3.A.43.a", "lose")[0]
COLLECTS = {
    **dict.fromkeys(BONUS, frozenset({"MD-12.B.5.collect", "MD-12.B.5.clear"})),
    **dict.fromkeys(DICE_OLOGY, frozenset({"MD-13.B.5.collect", "MD-13.B.5.clear"})),
}
PAYS_BY = {**dict.fromkeys(BONUS, "MD-12.B.4"), **dict.fromkeys(DICE_OLOGY, "MD-13.B.4")}
MARKS_BY = {**dict.fromkeys(BONUS, "MD-12.B.3"), **dict.fromkeys(DICE_OLOGY, "MD-13.B.3")}
LOCKS = {
    **dict.fromkeys(BONUS, frozenset({"MD-12.B.2", "MD-4.D.4"})),
    **dict.fromkeys(DICE_OLOGY, frozenset({"MD-13.B.2"})),
}

each_kind = pytest.mark.parametrize("kind", EACH)
each_bonus = pytest.mark.parametrize("kind", BONUS)
each_dice_ology = pytest.mark.parametrize("kind", DICE_OLOGY)


def _table(*kinds: str, table: str = "A", game: str = "craps") -> Side:
    """A table at which two players have these wagers, of different amounts."""
    side = Side.of({"bonus_craps": table, "dice_ology": table}, game=game)
    for kind in kinds:
        for seat, cents in STAKES.items():
            side.make(seat, kind, cents)
    return side


def _collected(happened: list[e.Event], kind: str) -> None:
    for seat, cents in STAKES.items():
        [one] = settled(happened, seat, kind)
        assert isinstance(one, e.WagerLost)
        assert one.cents == cents
        assert cites([one]) == COLLECTS[kind]


@pytest.mark.parametrize("row", cases(*EACH))
def test_a_collection_is_paid_by_its_line_when_it_is_complete(row: Clause) -> None:
    """MD-5.H.1.a to MD-5.I.2.c: on the roll that completes it, stake and winnings; one total short, a 7 takes it."""
    kind, needs = row.values["bet"], NEEDS[row.values["bet"]]
    for last in needs:
        side = _table(kind, table=row.values["table"])
        assert not decided(side.throw(*(total for total in needs if total != last)), kind)
        missed = side.fork()
        happened = side.throw(last)
        for seat, cents in STAKES.items():
            paid = won(happened, seat, kind)
            assert (paid.cents, paid.winnings) == (cents, cents * pays_of(row))
            assert {row.id, EACH[kind], PAYS_BY[kind]} <= cites([paid])
            assert str(paid.pays) == f"{pays_of(row)} to 1"
            assert side.find(seat, kind) is None
        _collected(missed.throw(SEVEN), kind)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.clause(clause), id=clause) for kind, clause in EACH.items()]
)
def test_a_collection_needs_its_totals_and_no_other(kind: str) -> None:
    """MD-3.A.43.a to MD-3.A.44.c: other totals do nothing, a total thrown again does nothing, a 7 loses."""
    needs = NEEDS[kind]
    others = tuple(total for total in TOTALS if total not in {*needs, SEVEN})
    side = _table(kind)
    side.throw(*others, *others)
    assert side.up(ANN, kind).progress == ((0,) if others else ())
    assert not decided(side.throw(*needs[:-1], *needs[:-1]), kind)
    assert side.up(ANN, kind).progress == (sum(1 << total for total in needs[:-1]),)
    for total in TOTALS:
        happened = side.fork().throw(total)
        decisions = {type(one) for one in decided(happened, kind)}
        assert (EACH[kind] in cites(decided(happened, kind))) is (total == needs[-1])
        assert decisions == ({e.WagerLost} if total == SEVEN else {e.WagerWon} if total == needs[-1] else set())


@pytest.mark.clause("MD-12.B.6", "MD-13.B.6")
@pytest.mark.parametrize("kind", ["small", "big_ones"])
def test_MD_12_B_6__the_totals_may_come_in_any_order(kind: str) -> None:
    """MD-12.B.6, MD-13.B.6: every order of the five, come-out rolls and others alike, completes the wager."""
    start = _table(kind)
    by = {"small": "MD-12.B.6", "big_ones": "MD-13.B.6"}[kind]
    for order in permutations(NEEDS[kind]):
        side = start.fork()
        assert not decided(side.throw(*order[:-1]), kind)
        assert by in cites([won(side.throw(order[-1]), ANN, kind)])


@pytest.mark.clause("MD-12.B.5.collect", "MD-13.B.5.collect")
@each_kind
def test_MD_12_B_5_collect__any_7_collects(kind: str) -> None:
    """MD-12.B.5.collect, MD-13.B.5.collect: on the first come-out roll, on a later one, and a loser 7."""
    for before in ((), (11, 2), (6, 6), (6,), (6, 5, 3)):
        side = _table(kind)
        side.throw(*before)
        _collected(side.throw(SEVEN), kind)
        assert not any(wager.kind == kind for wager in side.table.position.layout)


@pytest.mark.clause("MD-12.B.5.collect", "MD-13.B.5.collect")
@each_kind
def test_MD_12_B_5_collect__a_7_that_clears_come_wagers_collects_too(kind: str) -> None:
    """MD-12.B.5.collect, MD-13.B.5.collect: the clearing throws count for them, and its 7 takes them."""
    side = _table(kind).clear()
    before = side.up(ANN, kind).progress[0]
    side.throw(3, 12)
    assert side.up(ANN, kind).progress == (before | sum(1 << total for total in {3, 12} & set(NEEDS[kind])),)
    _collected(side.throw(SEVEN), kind)


@pytest.mark.clause("MD-12.A", "MD-13.A")
@pytest.mark.clause("MD-12.B.4", "MD-13.B.4")
@pytest.mark.parametrize("kinds", [tuple(BONUS), tuple(DICE_OLOGY)], ids=["bonus_craps", "dice_ology"])
def test_MD_12_B_4__each_wager_is_paid_when_it_is_complete(kinds: tuple[str, ...]) -> None:
    """MD-12.B.4, MD-13.B.4: the low five are paid and the whole ten go on; a paid wager is finished."""
    low, whole, high = kinds
    side = _table(*kinds)
    side.throw(*NEEDS[low][:-1])
    first = side.throw(NEEDS[low][-1])
    assert {one.wager.kind for one in decided(first, *kinds)} == {low}
    assert not decided(side.throw(*NEEDS[low]), *kinds)  # not armed again
    side.throw(*NEEDS[high][:-1])
    last = side.throw(NEEDS[high][-1])
    paid = [(one.wager.seat, one.wager.kind) for one in decided(last, *kinds)]
    assert paid == [(seat, kind) for seat in STAKES for kind in sorted((whole, high))]
    assert all(PAYS_BY[low] in cites([one]) for one in [*decided(first, *kinds), *decided(last, *kinds)])
    assert not decided(side.throw(SEVEN), *kinds)


@pytest.mark.clause("MD-12.B.1", "MD-13.B.1")
def test_MD_12_B_1__any_one_two_or_all_three_may_be_made() -> None:
    """MD-12.B.1, MD-13.B.1: every choice of the three, of either game."""
    for clause, kinds in (("MD-12.B.1", BONUS), ("MD-13.B.1", DICE_OLOGY)):
        for count in map(int, MD[clause].values["choose"].split("|")):
            for chosen in combinations(kinds, count):
                side = Side.of(TABLES)
                for kind in chosen:
                    assert clause in cites(side.make(ANN, kind, 5_00))
                assert {wager.kind for wager in side.table.position.layout} == set(chosen)


@pytest.mark.clause("MD-12.A")
@pytest.mark.clause("MD-12.B.1", "MD-3.A.43")
@each_bonus
@pytest.mark.parametrize("total", TOTALS)
def test_MD_12_B_1__the_first_come_out_roll_of_a_shooter_closes_bonus_craps(kind: str, total: int) -> None:
    """MD-12.B.1, MD-3.A.43: the narrower window; a come-out 7 that collects it does not open it again."""
    window = {"MD-12.B.1", "MD-3.A.43"}
    side = Side.of(TABLES)
    assert cites(side.make(ANN, kind, 5_00)) == window
    side.shoots()
    assert cites(side.make(BOB, kind, 6_00)) == window
    closed = [one for one in side.throw(total) if isinstance(one, e.WindowClosed)]
    assert "MD-12.B.1" in cites(closed)
    assert cites(side.refuse(make(SHOOTER, kind, 5_00))) == window
    if side.table.position.puck:
        side.throw(side.table.position.puck)
        assert cites(side.refuse(make(SHOOTER, kind, 5_00))) == window
    side.lose()
    side.make(SHOOTER, kind, 5_00)


@pytest.mark.clause("MD-12.B.2")
@each_bonus
def test_MD_12_B_2__a_surrender_leaves_bonus_craps_up_and_opens_it_anew(kind: str) -> None:
    """MD-12.B.2: it stays until a 7 or completion; the successor's own wager counts from its own start."""
    side = _table(kind)
    side.throw(2, 12, 6)
    old = side.up(ANN, kind)
    side.surrender()
    assert side.up(ANN, kind) == old
    assert "once the puck is OFF" in side.refuse(make(ANN, kind, 10_00))[0].why
    side.throw(6)
    side.make(ANN, kind, 10_00)
    side.throw(3, 11)
    assert side.up(ANN, kind).progress == (old.progress[0] | side.up(ANN, kind, 1).progress[0],)
    assert side.up(ANN, kind, 1).progress == (sum(1 << total for total in {3, 11} & set(NEEDS[kind])),)
    lost = [one.cents for one in settled(side.throw(SEVEN), ANN, kind) if isinstance(one, e.WagerLost)]
    assert lost == [5_00, 10_00]


@pytest.mark.clause("MD-12.B.2", "MD-4.D.4", "MD-13.B.2")
@each_kind
def test_MD_12_B_2__it_stays_until_it_is_collected_or_paid(kind: str) -> None:
    """MD-12.B.2, MD-4.D.4, MD-13.B.2: never removed and never reduced, from the moment it is made."""
    side = _table(kind)
    for step in ((), (11,), (6,), (3, 6)):
        side.throw(*step)
        for command in (
            c.RemoveWager(seat=BOB, wager=kind),
            c.ReduceWager(seat=BOB, wager=kind, cents=5_00),
            c.RemoveWager(seat=BOB, wager=kind, by="dealer"),
        ):
            assert cites(side.refuse(command)) == LOCKS[kind]
    assert side.up(BOB, kind).cents == STAKES[BOB]


@pytest.mark.clause("MD-4.D.4")
@each_bonus
def test_MD_4_D_4__bonus_craps_is_never_increased(kind: str) -> None:
    """MD-4.D.4: not even before the first roll."""
    side = _table(kind)
    assert cites(side.refuse(make(ANN, kind, 5_00))) == {"MD-4.D.4"}
    side.throw(11)
    assert "MD-4.D.4" in cites(side.refuse(make(ANN, kind, 5_00)))
    assert side.up(ANN, kind).cents == STAKES[ANN]


@pytest.mark.clause("MD-3.A.44", "MD-13.B.1")
@each_dice_ology
def test_MD_3_A_44__dice_ology_may_be_made_before_any_throw(kind: str) -> None:
    """MD-3.A.44, MD-13.B.1: before the first come-out roll, with a point on, after a come-out 7; not in the air."""
    window = {"MD-3.A.44", "MD-13.B.1"}
    for before in ((), (7,), (11, 2), (6,), (6, 5), (6, 6), (6, 7)):
        side = Side.of(TABLES)
        side.throw(*before)
        assert cites(side.make(ANN, kind, 5_00)) == window
    side.shoots()
    side.do(c.ThrowDice(seat=side.table.position.shooter))
    assert cites(side.refuse(make(BOB, kind, 5_00))) == {"MD-4.A"}


@pytest.mark.clause("MD-13.A")
@pytest.mark.clause("MD-3.A.44", "MD-13.B.2", "MD-13.B.1")
@each_dice_ology
def test_MD_13_B_2__an_addition_is_a_wager_of_its_own(kind: str) -> None:
    """MD-13.B.2, MD-3.A.44: it starts with nothing thrown, whatever the buttons show, and is paid on its own."""
    needs = NEEDS[kind]
    side = _table(kind)
    side.throw(*needs[:-1])
    assert side.marker(kind).lit == needs[:-1]
    made = side.make(ANN, kind, 10_00)
    assert cites(made) == {"MD-3.A.44", "MD-13.B.1", "MD-13.B.2"}
    assert (side.up(ANN, kind).cents, side.up(ANN, kind, 1).cents) == (STAKES[ANN], 10_00)
    first = side.throw(needs[-1])
    assert [one.wager.number for one in settled(first, ANN, kind)] == [0]
    assert won(first, ANN, kind).cents == STAKES[ANN]
    assert side.up(ANN, kind, 1).progress == (1 << needs[-1],)
    side.make(ANN, kind, 5_00)
    last = side.throw(*needs[:-1])
    assert [(one.wager.number, one.wager.cents) for one in settled(last, ANN, kind)] == [(1, 10_00)]
    assert [one.wager.cents for one in decided(side.throw(SEVEN), kind)] == [5_00]


@pytest.mark.clause("MD-3.A.44")
@each_dice_ology
def test_MD_3_A_44__before_its_first_roll_an_addition_joins_the_wager(kind: str) -> None:
    """MD-3.A.44: no roll has counted for either, so one wager has both amounts."""
    side = Side.of(TABLES)
    side.make(ANN, kind, 5_00)
    side.make(ANN, kind, 10_00)
    assert [(one.number, one.cents) for one in side.table.position.layout] == [(0, 15_00)]


@pytest.mark.clause("MD-12.B.3", "MD-13.B.3", "MD-12.B.5.clear", "MD-13.B.5.clear")
@each_kind
def test_MD_12_B_3__a_button_marks_each_total_thrown_until_a_7(kind: str) -> None:
    """MD-12.B.3, MD-13.B.3, MD-12.B.5.clear, MD-13.B.5.clear: come-out rolls too; all stay until any 7 clears them."""
    needs = NEEDS[kind]
    side = _table(kind)
    lit: set[int] = set()
    for total in (needs[-1], *needs, 6, 12):
        happened = side.throw(total)
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        assert all(cites([one]) == {MARKS_BY[kind]} for one in progressed)
        lit |= {total} & set(needs)
        marker = side.marker(kind)
        assert (set(marker.lit), marker.count) == (lit, len(lit))
        assert marker.clause == MARKS_BY[kind]
    assert lit == set(needs)
    side.surrender()
    assert side.marker(kind).lit == needs
    side.throw(SEVEN)
    assert (side.marker(kind).lit, side.marker(kind).clause) == ((), "")
    again = _table(kind)
    again.throw(needs[0])
    assert again.marker(kind).lit == needs[:1]
    happened = again.throw(SEVEN)
    assert COLLECTS[kind] <= cites(decided(happened, kind))  # the wagers and the buttons go together
    assert again.marker(kind).lit == ()


@pytest.mark.clause("MD-12.A", "MD-13.A", "MD-2.D.5", "MD-2.D.6", "MD-5.H", "MD-5.I")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.parametrize(
    ("key", "kinds", "clauses"),
    [
        ("bonus_craps", BONUS, ("MD-2.D.5", "MD-5.H", "MD-12.A")),
        ("dice_ology", DICE_OLOGY, ("MD-2.D.6", "MD-5.I", "MD-13.A")),
    ],
    ids=["bonus_craps", "dice_ology"],
)
def test_MD_2_D_5__a_house_may_offer_it_by_one_of_two_tables(
    game: str, key: str, kinds: dict[str, str], clauses: tuple[str, ...]
) -> None:
    """MD-2.D.5, MD-2.D.6, MD-5.H, MD-5.I, MD-12.A, MD-13.A: none by default; one table for all three wagers."""
    other = {"bonus_craps": "dice_ology", "dice_ology": "bonus_craps"}[key]
    for kind in kinds:
        for tables in ({}, {key: "none", other: "A"}):
            assert cites(Side.of(tables, game=game).refuse(make(ANN, kind, 5_00))) == set(clauses)
    paid: dict[str, list[int]] = {}
    for table in MD[clauses[1]].values["table"].split("|"):
        side = Side.of({key: table}, game=game)
        for kind in kinds:
            side.make(ANN, kind, 5_00)
        happened = side.throw(*NEEDS["all"])
        paid[table] = [won(happened, ANN, kind).winnings // 5_00 for kind in kinds]
    assert paid == {"A": [34, 175, 34], "B": [30, 150, 30]}
    [breach] = breaches_of("maryland", {"side_wagers": {key: "C"}})
    assert (breach.key, cites([breach])) == (f"side_wagers.{key}", set(clauses))


@pytest.mark.clause("MD-2.D.6")
def test_MD_2_D_6__both_games_may_be_offered_and_are_kept_apart() -> None:
    """MD-2.D.6: the same totals under two names, with states and tables of their own."""
    side = Side.of({"bonus_craps": "A", "dice_ology": "B"})
    side.make(ANN, "small", 5_00)
    side.throw(2, 3)
    side.make(ANN, "little_ones", 5_00)
    assert "MD-5.H.1.a" in cites([won(side.throw(4, 5, 6), ANN, "small")])
    assert "MD-5.I.2.a" in cites([won(side.throw(2, 3), ANN, "little_ones")])


@pytest.mark.clause("MD-12.B.1")
def test_MD_12_B_1__the_table_limits_hold_where_no_other_do() -> None:
    """MD-12.B.1: no limits of its own, so the posted ones, at the limit and one chip outside."""
    side = Side.of(TABLES, wager_cents_min=5_00, wager_cents_max=50_00)
    for kind in EACH:
        assert cites(side.refuse(make(ANN, kind, 4_00))) == {"MD-3.B.1"}
        assert cites(side.refuse(make(ANN, kind, 51_00))) == {"MD-3.B.2", "MD-5.M"}
        side.make(ANN, kind, 5_00)
        side.make(BOB, kind, 50_00)


@pytest.mark.clause("MD-12.B.4", "MD-13.B.4")
@each_kind
def test_MD_12_B_4__a_void_throw_counts_for_nothing(kind: str) -> None:
    """MD-12.B.4, MD-13.B.4: neither a needed total nor a 7 that is called no roll."""
    side = _table(kind)
    side.throw(*NEEDS[kind][:-1])
    before = side.table.position.layout
    for total in (NEEDS[kind][-1], SEVEN):
        assert not decided(side.void(total), kind)
    assert side.table.position.layout == before
    assert won(side.throw(NEEDS[kind][-1]), BOB, kind).cents == STAKES[BOB]
