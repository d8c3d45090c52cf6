"""Notices for players: each tells only its player, with money and clause, and stays on file."""

from msgspec.structs import replace

from passline.game import commands as c
from passline.rules.rules import AUTOMATED
from passline.tables import commands as k
from passline.tables.views.notices import PlayerNotice, find_notices, has_notices
from tests.tables.sitting import ANN, BOB, BOX, FLOOR, PLAYERS, Sitting, table_for_two
from tests.tables.views.viewed import projected


def _at_a_point() -> Sitting:
    """Return a table with physical dice where Ann shoots at the point 6, and Bob has a field wager up."""
    sitting = Sitting("section2", dice="physical", automate=tuple(sorted(AUTOMATED - {"confirm"})))
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.wager(BOB, "field", 10_00)
    return sitting


def _notices(sitting: Sitting, account: str, table: str = "craps-1") -> list[PlayerNotice]:
    store, _log = projected(sitting)
    return find_notices(store, account, table)


def test_a_correction_tells_each_player_what_it_does_to_them() -> None:
    """5-5 was read as 5-6: the field pays 2 to 1 on neither, yet 10 and 11 pay Bob alike; corrected to 4-3 he loses."""
    sitting = _at_a_point()
    sitting.roll(5, 6)
    racks = [sitting.rack(who) for who in (ANN, BOB)]
    happened = sitting.do(k.CorrectRoll(first=4, second=3, reason="Misread dice"), BOX)
    assert has_notices(happened)
    (ann,), (bob,) = _notices(sitting, "ann"), _notices(sitting, "bob")
    assert ann.kind == bob.kind == "correction"
    assert ann.says == "The last roll is corrected from 5-6 to 4-3: Misread dice"
    assert (ann.cents, bob.cents) == (sitting.rack(ANN) - racks[0], sitting.rack(BOB) - racks[1])
    assert bob.cents == -20_00  # stake and winnings went back; the field lost
    assert any(line.startswith("Your Pass Line loses 10.00") for line in ann.lines)
    assert [line for line in bob.lines if "Field loses 10.00" in line]
    assert not [line for line in ann.lines if "Field" in line]
    assert ann.clause == bob.clause != ""
    assert ann.sequence == len(sitting.entries)


CAT = PLAYERS[2]


def _field_of_four() -> Sitting:
    """Return a table where Bob, at seat 2, won the field with 3-1 and left, and Cat took his seat."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 25_00)
    sitting.shoot(ANN)
    sitting.roll(3, 1)
    sitting.do(c.LeaveSeat(seat=2), BOB)
    sitting.sit(CAT, 2)
    return sitting


def test_a_correction_tells_a_seat_s_next_player_nothing_of_the_one_who_left() -> None:
    sitting = _field_of_four()
    sitting.do(k.CorrectRoll(first=2, second=2, reason="misread"), BOX)
    (cat,), (bob,) = _notices(sitting, "cat"), _notices(sitting, "bob")
    assert (cat.lines, cat.cents) == ((), 0)
    assert [line for line in bob.lines if line.startswith("Your Field wins 25.00")]
    assert bob.cents == 0


def test_who_left_for_another_seat_gets_one_notice_of_a_correction() -> None:
    sitting = _field_of_four()
    sitting.sit(BOB, 3)
    sitting.wager(BOB, "come", 50_00)
    sitting.do(k.CorrectRoll(first=2, second=2, reason="misread"), BOX)
    (bob,) = _notices(sitting, "bob")
    assert [line.split(" wins")[0] for line in bob.lines] == ["Your Field"]


def test_who_was_not_there_for_the_roll_and_left_is_told_nothing_of_it() -> None:
    sitting = _field_of_four()
    sitting.do(c.LeaveSeat(seat=2), CAT)
    sitting.do(k.CorrectRoll(first=2, second=2, reason="misread"), BOX)
    assert _notices(sitting, "cat") == []
    assert len(_notices(sitting, "bob")) == 1


def test_what_a_correction_undoes_is_told_by_seat_and_not_by_name() -> None:
    sitting = Sitting(dice="physical")
    namesake = replace(ANN, account="another-ann")
    sitting.sit(ANN, 1)
    sitting.sit(namesake, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(3, 1)
    sitting.wager(namesake, "come", 50_00)
    sitting.do(k.CorrectRoll(first=3, second=4, reason="misread"), BOX)
    (ann,), (other,) = _notices(sitting, "ann"), _notices(sitting, "another-ann")
    assert not [line for line in ann.lines if line.startswith("Undone")]
    assert [line for line in other.lines if line.startswith("Undone: make-wager come 50.00 (")]
    assert (ann.cents, other.cents) == (20_00, 50_00)


def test_what_is_undone_of_a_player_who_left_is_not_told_to_the_next_at_the_seat() -> None:
    """Bob made a come wager, took it down and left before Cat sat down; with a natural there is no come wager."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(3, 1)
    sitting.wager(BOB, "come", 50_00)
    sitting.do(c.RemoveWager(seat=2, wager="come"), BOB)
    sitting.do(c.LeaveSeat(seat=2), BOB)
    sitting.sit(CAT, 2)
    sitting.wager(CAT, "come", 25_00)
    sitting.do(k.CorrectRoll(first=3, second=4, reason="misread"), BOX)
    (cat,), (bob,) = _notices(sitting, "cat"), _notices(sitting, "bob")
    undone = [[line.split(" (")[0] for line in one.lines] for one in (bob, cat)]
    assert undone == [["Undone: make-wager come 50.00", "Undone: remove-wager come"], ["Undone: make-wager come 25.00"]]
    assert (bob.cents, cat.cents) == (0, 25_00)


def test_the_finding_of_a_dispute_is_told_with_what_was_disputed() -> None:
    sitting = _at_a_point()
    sitting.do(k.FreezeTable(reason="my field was paid short"), BOB)
    assert _notices(sitting, "bob") == []
    sitting.do(k.ReleaseTable(finding="paid $5 more"), FLOOR)
    for who in ("ann", "bob"):
        (told,) = _notices(sitting, who)
        assert told.kind == "finding"
        assert told.says == "The dispute over 'my field was paid short' is decided: paid $5 more"
        assert told.clause.startswith("S2-")


def test_the_decision_of_disputed_faces_is_told() -> None:
    sitting = Sitting("section2", dice="physical", automate=tuple(sorted(AUTOMATED - {"confirm", "call", "settle"})))
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    sitting.do(c.DisputeFaces(seat=2), BOB)
    sitting.do(c.DecideDispute(first=5, second=5), BOX)
    (told,) = _notices(sitting, "bob")
    assert (told.kind, told.says) == ("finding", "The disputed faces are decided by the boxperson: 5-5")
    assert told.clause


def test_a_late_wager_that_nobody_confirmed_is_told_to_its_player_only() -> None:
    sitting = _at_a_point()
    sitting.do(k.DiceOut(), sitting.stick)
    sitting.wager(BOB, "any_seven", 5_00)
    sitting.roll(5, 4)
    (told,) = _notices(sitting, "bob")
    assert told.kind == "returned"
    assert told.says == "Your Any Seven was returned: nobody confirmed it before the dice came to rest"
    assert told.cents == 5_00
    assert "S2-c1" in told.clause
    assert _notices(sitting, "ann") == []


def test_a_barred_roll_and_a_wager_that_is_taken_down_are_no_notices() -> None:
    sitting = table_for_two()
    sitting.wager(ANN, "dont_pass", 10_00)
    sitting.wager(BOB, "field", 10_00)
    sitting.do(c.RemoveWager(seat=2, wager="field"), BOB)
    sitting.shoot(ANN)
    assert not has_notices(sitting.roll(6, 6))
    assert _notices(sitting, "ann") == _notices(sitting, "bob") == []


def test_only_the_newest_are_shown_oldest_first_and_none_of_another_table() -> None:
    sitting = _at_a_point()
    for number in range(25):
        sitting.do(k.FreezeTable(reason="again"), BOB)
        sitting.do(k.ReleaseTable(finding=f"finding {number}"), FLOOR)
    found = _notices(sitting, "bob")
    assert [one.says.rpartition(" ")[2] for one in found] == [str(number) for number in range(5, 25)]
    assert _notices(sitting, "bob", "craps-2") == []
