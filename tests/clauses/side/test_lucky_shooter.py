"""Maryland's Lucky Shooter Bet: points thrown one after the other from an initial point, as the matrix reads them."""

from itertools import combinations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.position import Wager
from passline.game.wagers import Outcome, outcome_of
from passline.rules.clauses import Clause
from passline.rules.rules import Rules
from tests.clauses.side.maryland import MD, POINTS, TOTALS, Side, cases, decided, listed, pays_of, won
from tests.clauses.side.returns import CHANCES
from tests.clauses.table import ANN, BOB, SHOOTER, breaches_of, cites, make, settled

KIND = "lucky_shooter"
STAKES = {ANN: 5_00, BOB: 20_00}
TABLES = tuple(MD["MD-5.J"].values["table"].split("|"))
LINES = {(row.values["table"], row.values["hits"]): row for row in (case.values[0] for case in cases(KIND))}
STATES = [row for clause, row in MD.items() if clause.startswith("MD-3.A.45.sm") and "on" in row.values]
TOP = f"{MD['MD-3.A.45.a'].values['unique']}+initial"
WINDOW = {"MD-3.A.45", "MD-3.A.45.sm1"}

each_table = pytest.mark.parametrize("table", TABLES)


def _table(table: str = "A", **house: object) -> Side:
    """A table at which two players have Lucky Shooter Bets of different amounts."""
    side = Side.of({KIND: table}, **house)  # type: ignore[arg-type]  # elections
    for seat, cents in STAKES.items():
        side.make(seat, KIND, cents)
    return side


def _ends(initial: int, hits: tuple[int, ...]) -> dict[str, int]:
    """A total that ends a run in each of the ways there are, and the clause by which it does."""
    if len(hits) == 5:
        return {"MD-3.A.45.sm11": 7}
    ways = {"MD-3.A.45.sm6": initial, "MD-3.A.45.sm7": 7, "MD-3.A.45.sm8": 11}
    return {**ways, "MD-3.A.45.sm9": hits[0]} if hits else ways


@pytest.mark.parametrize("row", [case for case in cases(KIND) if case.values[0].values["hits"].isdigit()])
def test_a_run_is_paid_by_the_line_of_its_hits(row: Clause) -> None:
    """MD-5.J.1.b to MD-5.J.4.e: so many other points after the initial one, however it ends; one less pays another."""
    count = int(row.values["hits"])
    for initial in POINTS:
        others = tuple(point for point in POINTS if point != initial)[::-1]
        for by, total in _ends(initial, others[:count]).items():
            side = _table(row.values["table"])
            assert not decided(side.throw(initial, *others[:count]), KIND)
            happened = side.throw(total)
            for seat, cents in STAKES.items():
                paid = won(happened, seat, KIND)
                assert (paid.cents, paid.winnings) == (cents, cents * pays_of(row))
                assert {row.id, by} <= cites([paid])
                assert str(paid.pays) == f"{row.values['returns'].removesuffix(':1')} {row.values['basis']} 1"
            below = _table(row.values["table"])
            below.throw(initial, *others[: count - 1])
            missed = decided(below.throw(7), KIND)
            assert len(missed) == 2
            assert row.id not in cites(missed)


@pytest.mark.parametrize("row", [case for case in cases(KIND) if case.values[0].values["hits"] == TOP])
def test_five_points_and_then_the_initial_one_is_the_top_line(row: Clause) -> None:
    """MD-5.J.1.a to MD-5.J.4.a: for every initial point; any other total then pays the line for five."""
    for initial in POINTS:
        side = _table(row.values["table"])
        side.throw(initial, *(point for point in POINTS if point != initial))
        assert not decided(side.log, KIND)
        near = side.fork()
        happened = side.throw(initial)
        for seat, cents in STAKES.items():
            paid = won(happened, seat, KIND)
            assert (paid.cents, paid.winnings) == (cents, cents * pays_of(row))
            assert {row.id, "MD-3.A.45.a", "MD-3.A.45.sm10"} <= cites([paid])
            assert str(paid.pays) == f"{row.values['returns'].removesuffix(':1')} for 1"
        missed = won(near.throw(7), ANN, KIND)
        assert {LINES[row.values["table"], "5"].id, "MD-3.A.45.sm11"} <= cites([missed])


@pytest.mark.parametrize("row", [case for case in cases(KIND) if case.values[0].values["hits"] == "first_7_11"])
def test_a_first_7_or_11_gives_the_stake_back_and_leaves_it_working(row: Clause) -> None:
    """MD-5.J.1.e to MD-5.J.4.f: one for one is no money at all, and the wager stays for the next come-out roll."""
    assert pays_of(row) == 0
    for total in listed("MD-3.A.45.b", "on"):
        side = _table(row.values["table"])
        racks = [side.rack(seat) for seat in STAKES]
        happened = side.throw(total)
        assert not decided(happened, KIND)
        assert [side.rack(seat) for seat in STAKES] == racks
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        assert [one.after.progress for one in progressed] == [(0, 0), (0, 0)]
        assert all({row.id, "MD-3.A.45.b", "MD-3.A.45.sm2"} == cites([one]) for one in progressed)
        assert str(side.rules.wagers[KIND].lines[-1].payout.pays) == "1 for 1"  # type: ignore[union-attr]


def _row_for(initial: int, hits: frozenset[int], total: int) -> Clause:
    """The one row of the matrix that says what a total does; a row for this many hits goes before a general one."""
    found = [row for row in STATES if row.values["state"] == ("RUN" if initial else "COMEOUT")]
    found = [row for row in found if _is_on(row.values["on"], initial, hits, total)]
    exact = [row for row in found if "pay" in row.values and "hits" in row.values]
    for_hits = [row for row in exact if _is_within(row.values["hits"], len(hits))]
    [row] = for_hits or [row for row in found if row not in exact]
    return row


def _is_on(words: str, initial: int, hits: frozenset[int], total: int) -> bool:
    said = {
        "remaining": total in set(POINTS) - hits - {initial},
        "initial": total == initial,
        "already_hit": total in hits,
        "not_initial": total != initial,
    }
    return said[words] if words in said else str(total) in words.split("|")


def _is_within(span: str, count: int) -> bool:
    low, _, high = span.partition("-")
    return int(low) <= count <= int(high or low)


def _check(outcome: Outcome, row: Clause, table: str, run: tuple[int, frozenset[int]], total: int) -> None:
    """The engine does what the row says, and cites it."""
    does, (initial, hits) = row.values["next"], run
    bits = sum(1 << one for one in hits)
    if does == "COMEOUT":
        assert outcome.does in {"advance", "stay"}
        assert outcome.progress in {(0, 0), ()}
    elif does == "RUN":
        after = (total, 0) if not initial else (initial, bits | 1 << total)
        assert (outcome.does, outcome.progress) == ("advance", after)
    elif row.values.get("result") == "lose":
        assert outcome.does == "lose"
    else:
        count = {"hits": str(len(hits)), "top": TOP}.get(row.values["pay"], row.values["pay"])
        line = LINES.get((table, count))
        assert outcome.does == ("win" if line else "lose")
        assert (line.id if line else "MD-3.A.45.sm12") in cites([outcome])
        if line:
            assert outcome.payout is not None
            assert outcome.payout.pays.ratio == pays_of(line)
        else:
            assert len(hits) < int(MD["MD-3.A.45.sm12"].values[f"min_hits_{table}"])
    if outcome.does != "stay":
        assert row.id in cites([outcome])


@pytest.mark.clause(*(f"MD-3.A.45.sm{n}" for n in range(2, 13)))
@each_table
def test_MD_3_A_45_sm2__every_total_in_every_state_does_what_its_row_says(table: str) -> None:
    """MD-3.A.45.sm2 to MD-3.A.45.sm12: before the initial point, and after each of six with any of the others hit."""
    rules = Rules.of("maryland", house={"side_wagers": {KIND: table}})
    seen = set()
    for initial in (0, *POINTS):
        others = [point for point in POINTS if point != initial]
        for count in range(6 if initial else 1):
            for chosen in combinations(others, count):
                hits = frozenset(chosen)
                progress = (initial, sum(1 << one for one in hits))
                for roll in CHANCES:
                    row = _row_for(initial, hits, roll.total)
                    for before in (progress,) if initial else (progress, ()):
                        wager = Wager(ANN, "player", KIND, 0, 5_00, progress=before)
                        outcome = outcome_of(rules, wager, puck=initial, roll=roll)
                        _check(outcome, row, table, (initial, hits), roll.total)
                    seen.add(row.id)
    assert seen == {row.id for row in STATES}


@pytest.mark.clause("MD-3.A.45.b", "MD-3.A.45.c", "MD-3.A.45.sm2", "MD-3.A.45.sm3")
def test_MD_3_A_45_c__craps_on_any_come_out_roll_it_stands_on_loses() -> None:
    """MD-3.A.45.c, MD-3.A.45.b: after no natural, one, or many; 7s and 11s leave it up as often as they come."""
    for total in listed("MD-3.A.45.c", "lose"):
        for before in ((), (7,), (11, 7, 7, 11)):
            side = _table()
            naturals = side.throw(*before)
            assert not decided(naturals, KIND)
            stayed = [one for one in naturals if isinstance(one, e.WagerProgressed)]
            assert ({"MD-3.A.45.b", "MD-3.A.45.sm2"} <= cites(stayed)) is bool(before)
            happened = side.throw(total)
            for seat, cents in STAKES.items():
                [lost] = settled(happened, seat, KIND)
                assert isinstance(lost, e.WagerLost)
                assert lost.cents == cents
                assert cites([lost]) == {"MD-3.A.45.c", "MD-3.A.45.sm3"}


@pytest.mark.clause("MD-3.A.45.b2", "MD-3.A.45.sm6", "MD-3.A.45.sm7", "MD-3.A.45.sm8", "MD-3.A.45.sm9")
@pytest.mark.parametrize("total", TOTALS)
def test_MD_3_A_45_b2__what_is_not_a_remaining_point_ends_it(total: int) -> None:
    """MD-3.A.45.b2: with 6 and then 4, 5 and 8 thrown only 9 and 10 carry it on; it is settled at three, not lost."""
    side = _table()
    side.throw(6, 4, 5, 8)
    happened = side.throw(total)
    if total in {9, 10}:
        assert not decided(happened, KIND)
        assert side.up(ANN, KIND).progress == (6, 0b1_0011_0000 | 1 << total)
        return
    paid = won(happened, ANN, KIND)
    assert {"MD-3.A.45.b2", "MD-5.J.1.d"} <= cites([paid])
    assert paid.winnings == 5_00 * 4
    assert not decided(side.throw(9, 10, 7), KIND)  # it is over


@pytest.mark.clause("MD-3.A.45.a", "MD-3.A.45.sm10")
def test_MD_3_A_45_a__the_initial_point_comes_on_the_sixth_roll_after_it_was_set() -> None:
    """MD-3.A.45.a: on rolls one to five it ends the wager early; before the initial point any naturals may come."""
    sixth = int(MD["MD-3.A.45.a"].values["on_roll"])
    for roll in range(1, sixth + 1):
        side = _table("C")
        side.throw(7, 11, 9, *(4, 5, 6, 8, 10)[: roll - 1])
        [one] = settled(side.throw(9), ANN, KIND)
        assert ("MD-3.A.45.a" in cites([one])) is (roll == sixth)
        assert ("MD-5.J.3.a" in cites([one])) is (roll == sixth)


@pytest.mark.clause("MD-3.A.45.sm12")
@each_table
def test_MD_3_A_45_sm12__under_the_lowest_line_it_loses(table: str) -> None:
    """MD-3.A.45.sm12: three hits on A and C, two on B and D; one less loses the whole stake."""
    least = int(MD["MD-3.A.45.sm12"].values[f"min_hits_{table}"])
    for hits in range(6):
        side = _table(table)
        side.throw(6, *(4, 5, 8, 9, 10)[:hits])
        [one] = settled(side.throw(12), BOB, KIND)
        assert isinstance(one, e.WagerWon if hits >= least else e.WagerLost)
        assert ("MD-3.A.45.sm12" in cites([one])) is (hits < least)


@pytest.mark.clause("MD-3.A.45.sm13")
def test_MD_3_A_45_sm13__a_void_throw_and_a_surrender_leave_it_as_it_was() -> None:
    """MD-3.A.45.sm13: before the initial point and after, and the successor's next roll carries it on."""
    side = _table()
    for total in (7, 12, 6):
        side.void(total)
        assert side.up(ANN, KIND).progress == ()
    side.throw(11)
    side.surrender()
    assert side.up(ANN, KIND).progress == (0, 0)
    side.throw(8, 9)
    for total in (7, 8, 9):
        side.void(total)
    side.surrender()
    assert side.up(BOB, KIND).progress == (8, 1 << 9)
    side.throw(10, 4)
    assert {"MD-5.J.1.d", "MD-3.A.45.sm7"} <= cites([won(side.throw(7), BOB, KIND)])


@pytest.mark.clause("MD-3.A.45.sm13", "MD-3.A.45.sm1")
def test_MD_3_A_45_sm13__a_new_one_beside_one_carried_over_has_its_own_state() -> None:
    """MD-3.A.45.sm13: the first waits for its initial point; made anew for the next shooter, the second does too."""
    side = _table()
    side.throw(7)
    side.surrender()
    side.make(ANN, KIND, 10_00)
    side.throw(6)
    assert [side.up(ANN, KIND, number).progress for number in (0, 1)] == [(6, 0), (6, 0)]
    assert {one.wager.cents for one in settled(side.throw(7), ANN, KIND)} == {5_00, 10_00}


@pytest.mark.clause("MD-3.A.45.sm13")
def test_MD_3_A_45_sm13__a_throw_that_clears_come_wagers_is_no_come_out_roll() -> None:
    """MD-3.A.45.sm13: a wager that waits for its initial point waits on, whatever is thrown."""
    side = Side.of({KIND: "A"})
    side.throw(6)
    side.make(SHOOTER, "come", 10_00)
    side.throw(5, 6)
    side.do(c.DeclineLineWager(seat=SHOOTER))
    side.do(c.AcceptDice(seat=ANN))
    side.make(BOB, KIND, 20_00)
    side.throw(11)
    side.do(c.DeclineLineWager(seat=ANN))
    while side.table.position.offered_to:
        side.do(c.DeclineDice(seat=side.table.position.offered_to))
    assert side.table.position.phase == "clearing"
    assert not decided(side.throw(12, 4, 8, 7), KIND)
    assert side.up(BOB, KIND).progress == (0, 0)


@pytest.mark.clause("MD-3.A.45.sm13")
def test_MD_3_A_45_sm13__the_table_shows_the_points_hit_until_the_run_is_over() -> None:
    """MD-3.A.45.sm13: over a surrender too; when it has ended, none of this shooter's later points is shown."""
    side = _table()
    side.throw(7, 6, 4, 9)
    side.surrender()
    marker = side.marker(KIND)
    assert (marker.lit, marker.count, marker.clause) == ((4, 9), 2, "MD-3.A.45.sm13")
    side.throw(4)
    for total in (5, 8, 10, 6, 9, 9):
        side.throw(total)
        assert side.marker(KIND).lit == ()
    side.lose()
    side.throw(8, 10)
    assert side.marker(KIND).lit == (10,)


@pytest.mark.clause("MD-3.A.45", "MD-3.A.45.sm1")
@pytest.mark.parametrize("total", TOTALS)
def test_MD_3_A_45__the_first_come_out_roll_of_a_shooter_closes_it(total: int) -> None:
    """MD-3.A.45, MD-3.A.45.sm1: whatever it was; a wager begins with no initial point and no hits."""
    side = Side.of({KIND: "A"})
    made = side.make(ANN, KIND, 5_00)
    assert cites(made) == WINDOW
    assert side.up(ANN, KIND).progress == ()
    assert "MD-3.A.45" in cites(one for one in side.throw(total) if isinstance(one, e.WindowClosed))
    assert cites(side.refuse(make(BOB, KIND, 5_00))) == WINDOW
    assert cites(side.refuse(make(ANN, KIND, 5_00))) == WINDOW
    side.lose()
    side.make(BOB, KIND, 5_00)


@pytest.mark.clause("MD-5.J")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_MD_5_J__a_house_may_offer_it_by_one_of_four_tables(game: str) -> None:
    """MD-5.J: none by default; A to D and no other; paid once, for the most, and every figure has the stake inside."""
    for tables in ({}, {KIND: "none"}):
        assert cites(Side.of(tables, game=game).refuse(make(ANN, KIND, 5_00))) == {"MD-5.J"}
    [breach] = breaches_of("maryland", {"side_wagers": {KIND: "E"}})
    assert (breach.key, cites([breach])) == ("side_wagers.lucky_shooter", {"MD-5.J"})
    for table in TABLES:
        side = Side.of({KIND: table}, game=game)
        side.make(ANN, KIND, 5_00)
        before = side.rack(ANN)
        happened = side.throw(7, 11, 4, 5, 6, 8, 9, 10, 4)
        assert len(settled(happened, ANN, KIND)) == 1
        returns = int(LINES[table, TOP].values["returns"].removesuffix(":1"))
        assert side.rack(ANN) - before == 5_00 * returns  # and nothing for the 7 and the 11
        lines = side.rules.wagers[KIND].lines.values()
        assert {str(line.payout.pays).split(" ")[1] for line in lines if line.payout} == {MD["MD-5.J"].values["basis"]}


@pytest.mark.clause("MD-4.D.4")
def test_MD_4_D_4__nothing_locks_a_lucky_shooter_bet_unless_the_house_does() -> None:
    """MD-4.D.4: it may be reduced and removed at any time before the roll; a house may elect to keep it up."""
    reduce = c.ReduceWager(seat=BOB, wager=KIND, cents=5_00)
    remove = c.RemoveWager(seat=BOB, wager=KIND)
    free, locked = _table(), _table(side_wagers_locked=("lucky_shooter",))
    for step in ((), (11,), (6,), (5, 4)):
        free.throw(*step)
        locked.throw(*step)
        for command in (reduce, remove):
            assert cites(free.fork().do(command)) == {"MD-4.D"}
            assert cites(locked.refuse(command)) == {"MD-4.D.4"}
    free.do(reduce)
    free.do(remove)
    assert free.rack(BOB) == locked.rack(BOB) + STAKES[BOB]
    [breach] = breaches_of("maryland", {"side_wagers_locked": ("fire",)})
    assert cites([breach]) == {"MD-4.D.4"}
