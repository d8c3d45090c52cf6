"""Evidence that goes with dice: from cup to cup, table to table, and over every closing."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from passline.bookkeeping.dice_sets import DiceSet, set_after
from passline.dice import OUTCOMES
from passline.exact.dice_evidence import DiceEvidence, DiceSequence, evidence_of
from passline.exact.dice_faults import FAULTS
from passline.game.events import DiceThrown, RollSettled, SeatLeft
from passline.tables.events import DiceSetPutIn, TableClosed
from tests.office.accounts.cups import Cups, rolls_until_alarm
from tests.tables.sitting import AT


def test_dice_with_serial_numbers_take_their_evidence_to_every_cup_and_table_and_over_every_closing() -> None:
    needed = rolls_until_alarm(50)
    cups = Cups()
    cups.place("craps-1", "ABCDE")
    assert cups.open("craps-1").dice == tuple("ABCDE")
    assert cups.roll("craps-1", 2).rolls == 2
    cups.take("craps-1", TableClosed(0, 0))
    assert not cups.now("craps-1").is_in_use
    assert (cups.open("craps-1").number, cups.now("craps-1").rolls) == (1, 2), "it goes on after a closing"
    cups.leave("ABCDE")
    cups.place("craps-1", "ABCDE")
    assert (cups.roll("craps-1").number, cups.now("craps-1").rolls) == (2, 3), "it goes on in a new placing"
    cups.leave("ABCDE")
    cups.place("craps-2", "EDCBA")
    cups.take("craps-1", TableClosed(0, 0))
    cups.open("craps-2")
    assert cups.now("craps-2").curve[0].rolls == 3
    assert cups.roll("craps-2", needed - 4).alarm is None
    while (alarm := cups.roll("craps-2").alarm) is None:
        assert cups.now("craps-2").rolls < needed + 2
    assert alarm.sets == 1
    assert alarm.rolls >= needed, "as if nobody had touched them, but that the table has its own past"
    cups.take("craps-2", TableClosed(0, 0))
    cups.leave("ABCDE")
    cups.place("craps-1", "ABCDE")
    cups.open("craps-1")
    assert cups.roll("craps-1", faces=(1, 2)).alarm is not None, "dice that alarmed alarm again where they come back"


def test_a_die_among_others_brings_its_own_evidence_and_a_set_has_the_mean() -> None:
    cups = Cups(one_in=1000)
    cups.place("craps-1", "ABCD")
    cups.open("craps-1")
    cups.roll("craps-1", 4)
    cups.place("craps-2", "EFGH")
    cups.open("craps-2")
    alone = evidence_of([(1, 2)])
    cups.roll("craps-2", faces=(1, 2))
    suspect = cups.now("craps-1").value
    cups.leave("AB")
    assert cups.now("craps-1").dice == ("C", "D"), "the others stay in the cup, as a set of their own"
    assert cups.now("craps-1").value == pytest.approx(suspect)
    assert cups.now("craps-1").sets == 3, "eight dice and two tables weigh as 16 dice; two dice and a table as 6"
    cups.place("craps-2", "AB")
    mixed = cups.now("craps-2")
    assert [line.names for line in mixed.lines] == [tuple("EFGH"), tuple("AB")]
    table = f"table craps-2 in {AT[:7]}"
    assert [line.names for line in mixed.pools] == [(table,)]
    assert mixed.of(table) == alone, "its table has heard what it threw"
    assert mixed.value == pytest.approx(((4 + 4) * alone.value + 2 * suspect) / 10), "a table weighs as four dice"
    _, said = DiceSequence().after(6, 6)
    cups.roll("craps-2")
    assert cups.now("craps-2").of("E") == alone.after(said), "each goes on from its own past"


def test_dice_that_were_taken_away_while_none_came_are_still_those_that_are_thrown() -> None:
    cups = Cups()
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    cups.roll("craps-1", 2)
    cups.leave("AB")
    assert not cups.now("craps-1").unaccounted
    assert (cups.roll("craps-1").number, cups.now("craps-1").rolls) == (1, 3)
    assert cups.roll("craps-1", 0).unaccounted == cups.sequence, "and the roll is told of"
    cups.place("craps-1", "CD")
    assert (cups.now("craps-1").number, cups.now("craps-1").rolls) == (2, 0)
    cups.leave("CD")
    cups.place("craps-1", "AB")
    assert cups.now("craps-1").rolls == 3, "and their evidence stays with them"


def test_the_level_of_a_set_does_not_fall_when_other_tables_close() -> None:
    cups = Cups(one_in=50)
    tables = {f"craps-{number}": dice for number, dice in enumerate(("AB", "CD", "EF", "GH"), start=1)}
    for table, dice in tables.items():
        cups.place(table, dice)
        cups.open(table)
    for table in ("craps-2", "craps-3", "craps-4"):
        cups.take(table, TableClosed(0, 0))
    needed = rolls_until_alarm(50 * len(tables))
    assert cups.roll("craps-1", needed - 1).alarm is None
    alarm = cups.roll("craps-1").alarm
    assert alarm is not None
    assert (alarm.rolls, alarm.sets) == (needed, len(tables))
    cups.place("craps-5", "JK")
    assert cups.open("craps-5").sets == 2, "dice that were not there then begin with those in use now"
    cups.leave("AB")
    cups.place("craps-5", "AB")
    assert cups.now("craps-5").among == 8, "and a die takes the count along"


@pytest.mark.sweep
def test_fair_dice_alarm_as_seldom_as_was_said_when_all_tables_close_but_the_one_with_the_worst() -> None:
    random, one_in, tables, trials = Random(1), 2, [f"craps-{number}" for number in range(6)], 40
    alarms = 0
    for _ in range(trials):
        cups = Cups(one_in=one_in)
        for table in tables:
            cups.open(table)
        for _ in range(150):
            for table in tables:
                cups.roll(table, faces=(random.randint(1, 6), random.randint(1, 6)))
        worst = max(tables, key=lambda table: cups.now(table).value)
        for table in tables:
            if table != worst:
                cups.take(table, TableClosed(0, 0))
        while cups.now(worst).rolls < 800 and cups.now(worst).alarm is None:
            cups.roll(worst, faces=(random.randint(1, 6), random.randint(1, 6)))
        alarms += any(one.alarm for one in cups.sets.values())
    assert alarms <= trials / one_in


def test_papers_that_move_dice_which_are_still_thrown_begin_no_evidence_anew() -> None:
    """Craps 1 throws its dice all the while; by the papers they lie at craps 2 in between."""
    cups = Cups(one_in=10**6)
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    cups.roll("craps-1", 5)
    cups.leave("AB")
    cups.place("craps-2", "AB")
    cups.roll("craps-1", 8)
    expected = evidence_of([(6, 6)] * 13)
    cups.open("craps-2")
    cups.roll("craps-2", faces=(1, 2))
    expected = expected.after(DiceSequence().after(1, 2)[1])
    assert cups.now("craps-2").of("A") == expected, "what both cups threw counts"
    cups.roll("craps-1")
    assert cups.now("craps-1").rolls == 15, "in each of them"
    cups.leave("AB")
    cups.place("craps-1", "AB")
    known = cups.roll("craps-1").of("B")
    assert known is not None
    assert known.counts == evidence_of([(6, 6)] * 15 + [(1, 2)]).counts
    assert known.rolls == 16


def test_a_correction_takes_back_the_last_roll_of_its_table_when_the_dice_were_thrown_elsewhere_since() -> None:
    cups = Cups(one_in=50)
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    while cups.roll("craps-1").alarm is None:
        pass
    rolls = cups.now("craps-1").rolls
    cups.leave("AB")
    cups.place("craps-2", "AB")
    cups.open("craps-2")
    cups.roll("craps-2", faces=(1, 2))
    known = cups.correct("craps-1", was=(6, 6), right=(3, 4))
    expected = evidence_of([*[(6, 6)] * (rolls - 1), (3, 4)]).after(DiceSequence().after(1, 2)[1])
    assert known.counts == expected.counts
    assert known.of("A") == known.of("B")
    assert getattr(known.of("A"), "log_value", 0) == pytest.approx(expected.log_value)
    assert known.alarm is None


def test_fair_dice_gain_nothing_by_being_put_together_and_on_average_nothing_by_a_roll() -> None:
    """So the sum over all dice is a fair wager, whatever somebody does who sees the evidence."""
    cups = Cups(one_in=10**6)
    for table, dice, faces in (("craps-1", "AB", (6, 6)), ("craps-2", "CD", (1, 2))):
        cups.place(table, dice)
        cups.open(table)
        cups.roll(table, 9, faces)
    before = {
        name: cups.now(table).of(name) for table, name in zip(["craps-1"] * 2 + ["craps-2"] * 2, "ABCD", strict=True)
    }
    cups.leave("ABCD")
    cups.place("craps-1", "AD")
    cups.place("craps-2", "BC")
    mixed = cups.now("craps-1")
    for table, dice in (("craps-1", "AD"), ("craps-2", "BC")):
        assert [cups.now(table).of(name) for name in dice] == [before[name] for name in dice]
    after = [set_after(mixed, 2, (RollSettled(one.first, one.second, ""),)).value for one in OUTCOMES]
    assert sum(after) / len(OUTCOMES) == pytest.approx(mixed.value)


def test_the_evidence_of_a_table_outlasts_a_set_with_serial_numbers() -> None:
    cups = Cups(one_in=10**6)
    cups.open("craps-1")
    cups.roll("craps-1", 4)
    month = f"craps-1 in {AT[:7]}"
    cups.place("craps-1", "AB")
    cups.roll("craps-1", 2)
    cups.place("craps-1", "CD")
    cups.take("craps-1", DiceSetPutIn(9, AT, ""))
    table = cups.now("craps-1").of(month)
    assert table is not None
    assert table.rolls == 4, "those with numbers have their own"


def test_a_set_that_a_table_records_never_takes_the_number_of_another() -> None:
    cups = Cups()
    for dice in ("AB", "CD", "EF"):
        cups.place("craps-1", dice)
        cups.open("craps-1")
        cups.roll("craps-1")
        cups.leave(dice)
    assert cups.now("craps-1").number == 3
    assert cups.take("craps-1", DiceSetPutIn(1, AT, "")).number == 4
    assert sorted(cups.sets) == [("craps-1", number) for number in range(1, 5)]


def test_dice_of_one_delivery_are_a_lot_whose_evidence_all_their_tables_feed_until_an_alarm_was_told() -> None:
    cups = Cups(one_in=1000)
    cups.leave("ABCD")  # as the office stores what it has just received
    cups.place("craps-1", "AB")
    cups.place("craps-2", "CD")
    cups.open("craps-1")
    assert cups.open("craps-2").sets == 2, "four dice, two tables and a lot weigh as 16 dice; a set as 10"
    lot = f"lot received {AT[:10]}"
    cups.roll("craps-1", 3)
    cups.roll("craps-2", 2, faces=(1, 2))
    heard = cups.now("craps-2").of(lot)
    assert heard is not None
    assert heard.rolls == 5
    own = evidence_of([(6, 6)] * 3)
    assert cups.now("craps-1").of("A") == cups.now("craps-1").of(f"table craps-1 in {AT[:7]}") == own
    sequence = DiceSequence()
    for _ in range(2):
        sequence, said = sequence.after(1, 2)
        own = own.after(said)
    assert heard == own, "in each cup the dice look back at that cup's own rolls"
    while cups.roll("craps-1").alarm is None:
        pass
    cups.leave("AB")
    cups.place("craps-1", "EF")
    assert cups.now("craps-1").pools[0].evidence.rolls == 0, "the alarm has told of the table"
    corrected = cups.correct("craps-2", was=(1, 2), right=(3, 4)).of(lot)
    assert corrected == DiceEvidence().anew().after(DiceSequence().after(1, 2)[0].after(3, 4)[1])
    known = cups.roll("craps-2", faces=(1, 2)).of(lot)
    assert known is not None
    assert known.rolls == 2, "and of the lot"


def test_a_correction_takes_nothing_from_a_lot_that_began_anew_since_though_it_heard_the_same_pair_elsewhere() -> None:
    cups = Cups(one_in=1000)
    cups.leave("ABCDGH")
    for table, dice in (("craps-1", "AB"), ("craps-2", "CD"), ("craps-3", "GH")):
        cups.place(table, dice)
        cups.open(table)
    cups.roll("craps-2", faces=(1, 2))
    while cups.roll("craps-1").alarm is None:
        pass
    cups.leave("AB")
    cups.place("craps-1", "EF")
    cups.roll("craps-3", faces=(1, 2))
    lot = f"lot received {AT[:10]}"
    told = cups.correct("craps-2", was=(1, 2), right=(3, 4)).of(lot)
    elsewhere = DiceEvidence().anew().after(DiceSequence().after(1, 2)[1])
    assert told == elsewhere.after(DiceSequence().after(3, 4)[1])
    own = cups.now("craps-2").of("C")
    assert own is not None
    assert own.counts == evidence_of([(3, 4)]).counts, "the dice themselves have heard it, and take it back"
    cups.roll("craps-2", faces=(5, 5))
    known = cups.correct("craps-2", was=(5, 5), right=(2, 2)).of(lot)
    assert known is not None
    assert known.counts == evidence_of([(1, 2), (3, 4), (2, 2)]).counts, "a later roll is in the lot, and is taken back"


def test_no_pool_is_more_than_six_nats_behind_whoever_knew_a_fault_and_its_dice() -> None:
    """What a pool has of its set's evidence and a fault of the battery's is at least 1/403, whatever else is silent."""
    sets = list[DiceSet]()
    for number in range(2, 9):
        dice = "ABCDEFGH"[:number]
        for lots in [(dice,), (dice[:2], dice[2:])] if number > 2 else [(dice,)]:
            cups = Cups()
            for day, lot in enumerate(lots, start=1):
                cups.leave(lot, at=f"2026-11-0{day}{AT[10:]}")
            cups.place("craps-1", dice)
            cups.open("craps-1")
            cups.shoot("craps-1", "ann")
            sets.append(cups.now("craps-1"))
            assert len(sets[-1].pools[0].names) == 1 + len(lots)
    plain = Cups()
    plain.open("craps-1")
    plain.shoot("craps-1", "ann")
    for known in (*sets, plain.now("craps-1")):
        least = min(share for line, share in known.shares[:-1])
        for fault in FAULTS:
            assert -log(fault.share * least) <= 6.0, (known.dice, fault.name)


def test_each_shooter_has_evidence_and_all_who_ever_come_share_the_stakes_of_their_table() -> None:
    cups = Cups(one_in=10**6)
    cups.open("craps-1")
    cups.roll("craps-1", 3)
    begun = cups.now("craps-1").value
    assert begun == pytest.approx(evidence_of([(6, 6)] * 3).value), "while nobody is known the table has all"
    sequence = DiceSequence()
    for _ in range(3):
        sequence = sequence.after(6, 6)[0]
    own = dict.fromkeys(("ann", "bob", "cy"), DiceEvidence())
    everybody = cups.now("craps-1").lines[0].evidence
    for turn, faces in (("ann", (6, 6)), ("bob", (1, 2)), ("ann", (6, 6)), ("cy", (3, 3)), ("bob", (5, 5))):
        cups.shoot("craps-1", turn, 4, faces)
        for _ in range(4):
            sequence, said = sequence.after(*faces)
            own[turn], everybody = own[turn].after(said), everybody.after(said)
        now = cups.now("craps-1")
        assert (now.shooters.account, now.shooters.evidence) == (turn, own[turn])
        shares = {"ann": 1 / 2, "bob": 1 / 6, "cy": 1 / 12}  # who has not come yet is at 1
        staked = sum(share * own[who].value for who, share in shares.items()) + 1 - sum(shares.values())
        assert now.shooters.value == pytest.approx(begun * staked)
        assert now.value == pytest.approx((7 * everybody.value + begun * staked) / 8), (
            "a half is the set's, 3/8 the table's"
        )
    assert [line.names[0] for line, _ in now.shares][-1] == "shooter Bob, number 2 at this table"
    assert now.shooters.known == 3


def test_fair_dice_gain_nothing_on_average_by_who_throws_them() -> None:
    """The mean over what comes next is what was: before and after the first shooter, one who returns, and nobody."""
    cups = Cups(one_in=10**6)
    cups.leave("ABCDE")
    cups.place("craps-1", "ABCDE")
    cups.open("craps-1")
    for who in ("", "ann", "bob", "", "ann", "cy", "bob"):
        before = cups.now("craps-1").value
        cups.shoot("craps-1", who)
        handed = cups.now("craps-1")
        assert handed.value == pytest.approx(before), "to hand the dice over says nothing"
        after = [set_after(handed, 2, (RollSettled(one.first, one.second, ""),)).value for one in OUTCOMES]
        assert sum(after) / len(OUTCOMES) == pytest.approx(handed.value)
        cups.roll("craps-1", 3, (6, 5) if who == "ann" else (1, 3))


def test_a_correction_takes_a_roll_back_from_who_threw_it_and_an_alarm_that_was_told_begins_shooters_anew() -> None:
    cups = Cups(one_in=1000)
    cups.open("craps-1")
    cups.shoot("craps-1", "ann", 2)
    known = cups.correct("craps-1", was=(6, 6), right=(3, 4))
    assert known.shooters.evidence.counts == evidence_of([(6, 6), (3, 4)]).counts
    cups.take("craps-1", DiceSetPutIn(2, AT, ""))
    assert cups.now("craps-1").shooters.evidence.rolls == 2, "another set does not begin them anew"
    cups.take("craps-1", SeatLeft(1, 0, 0))
    cups.take("craps-1", DiceThrown(1))
    assert cups.now("craps-1").shooters.account == "", "nobody sits there now"
    while cups.shoot("craps-1", "bob", 1).alarm is None:
        pass
    cups.take("craps-1", DiceSetPutIn(3, AT, ""))
    assert cups.now("craps-1").shooters.known == 0
    assert cups.shoot("craps-1", "bob", 1).shooters.evidence.rolls == 1


def test_a_correction_takes_a_roll_back_from_every_pool() -> None:
    cups = Cups(one_in=1000)
    cups.leave("AB")
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    cups.roll("craps-1", 2)
    known = cups.correct("craps-1", was=(6, 6), right=(3, 4))
    expected = evidence_of([(6, 6), (3, 4)])
    for line in (*known.lines, *known.pools):
        assert line.evidence.counts == expected.counts
        assert line.evidence.log_value == pytest.approx(expected.log_value)
    assert known.sequence == set_after(known, 9, ()).sequence
    again = evidence_of([(6, 6), (3, 4), (4, 4)])
    assert getattr(cups.roll("craps-1", faces=(4, 4)).of("A"), "log_value", 0) == pytest.approx(again.log_value)
