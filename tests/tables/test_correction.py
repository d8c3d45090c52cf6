"""Correcting the last roll: play goes on as if the right roll had been keyed in, or the correction is refused."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.dice import OUTCOMES, Roll
from passline.game import commands as c
from passline.refusal import Refused
from passline.streams.course import Actor, Decision
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.duties import unfit_signature
from passline.tables.live import LiveTable, with_faces
from passline.tables.views.table_view import view_of
from passline.tables.views.wording import lines_of
from tests.cases import one_in
from tests.tables.random_commands import RandomCommands
from tests.tables.sitting import ALL, ANN, BOB, CREW, PLAYERS, Sitting

BOX = CREW["boxperson"]


def _correct(first: int, second: int) -> k.CorrectRoll:
    return k.CorrectRoll(first=first, second=second, reason="the die was misread")


def _at_a_point() -> Sitting:
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "dont_pass", 15_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    return sitting


def test_correcting_a_loser_7_gives_back_the_line_wagers_and_the_dice() -> None:
    sitting = _at_a_point()
    before = sitting.table
    sitting.roll(3, 4)
    assert (sitting.rack(ANN), sitting.rack(BOB)) == (990_00, 1015_00)
    sitting.do(c.AcceptDice(seat=2), BOB)
    assert (sitting.table.hand, sitting.table.game.position.shooter) == (2, 2)
    [corrected] = sitting.do(_correct(3, 5), BOX)
    assert isinstance(corrected, t.RollCorrected)
    assert (corrected.was_first, corrected.was_second, corrected.corrects) == (3, 4, before.version + 1)
    assert sum(move.cents for move in corrected.movements) == 0
    assert [text.split(" (")[0] for text in corrected.dropped] == ["Bob: accept-dice"]
    live = sitting.table
    assert (live.hand, live.game.position.shooter, live.game.position.puck) == (1, 1, 6)
    assert (sitting.rack(ANN), sitting.rack(BOB)) == (990_00, 985_00)
    assert [(one.first, one.second) for one in live.track.rolls] == [(2, 4), (3, 5)]
    assert live.track.totals[7 - 2] == 0
    assert live.track.totals[8 - 2] == 1


def test_a_correction_lists_what_is_paid_and_what_is_undone() -> None:
    sitting = _at_a_point()
    sitting.wager(ANN, "place_win", 12_00, 8)
    sitting.roll(2, 3)
    before = sitting.table
    sitting.do(c.RemoveWager(seat=1, wager="place_win", number=8), ANN)
    events = sitting.do(_correct(3, 5), BOX)
    lines = lines_of(before, sitting.table, events)
    assert lines[0].startswith("the roll 2-3 is corrected to 3-5: the die was misread")
    assert lines[1].startswith("Ann Place 8 wins 14.00 (12.00 at 7 to 6)")
    assert lines[2] == "undone, since it is no longer possible: Ann: remove-wager place_win 8 (MD-4.D)"
    assert view_of(sitting.table)["settled"][0].winnings == 14_00


def test_the_lines_of_a_correction_reveal_no_rack() -> None:
    """Ann wagers what she won; the corrected roll lost, so she does not have it."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1, 150_00)
    sitting.wager(ANN, "pass", 100_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    sitting.wager(ANN, "field", 130_00)
    before = sitting.table
    events = sitting.do(_correct(1, 1), BOX)
    text = " ".join(lines_of(before, sitting.table, events, seats=()))
    assert "no longer possible: Ann: make-wager field 130.00 (" in text
    assert "50.00" not in text


def test_correcting_back_restores_the_table() -> None:
    sitting = _at_a_point()
    sitting.roll(1, 2)
    sitting.wager(ANN, "field", 5_00)
    before = sitting.table
    sitting.do(_correct(5, 1), BOX)
    assert sitting.table.game != before.game
    sitting.do(_correct(1, 2), BOX)
    assert (sitting.table.game, sitting.table.track, sitting.table.since) == (before.game, before.track, before.since)
    assert [one.entry.version for one in sitting] == list(range(1, len(sitting.entries) + 1))


def test_only_the_last_roll_is_corrected_and_only_until_the_next_throw() -> None:
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    assert "there is no roll to correct" in sitting.refusal(_correct(1, 2), BOX)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), CREW["dealer"])
    sitting.roll(2, 4)
    sitting.do(k.DiceOut(), sitting.stick)
    assert "in the air again" in sitting.refusal(_correct(1, 2), BOX)
    sitting.do(k.KeyDice(first=2, second=2, first_lie="off_table"), sitting.stick)
    assert "there is no roll to correct" in sitting.refusal(_correct(1, 2), BOX)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (k.CorrectRoll(first=2, second=4, reason="misread"), "are the faces already recorded"),
        (k.CorrectRoll(first=2, second=7, reason="misread"), "are not the faces of two dice"),
        (k.CorrectRoll(first=2, second=5, reason=" "), "needs a reason"),
    ],
)
def test_a_correction_has_other_faces_and_a_reason(command: k.CorrectRoll, why: str) -> None:
    assert why in _at_a_point().refusal(command, BOX)


def test_a_correction_is_refused_if_a_player_it_pays_or_charges_has_left() -> None:
    sitting = _at_a_point()
    sitting.roll(3, 4)  # Bob wins 15
    sitting.do(c.DeclineDice(seat=2), BOB)
    sitting.do(c.LeaveSeat(seat=2), BOB)
    refusal = sitting.refusal(_correct(3, 5), BOX)
    assert "seat 2 has left" in refusal or "cannot be undone" in refusal


def test_a_player_who_left_with_the_same_chips_does_not_prevent_a_correction() -> None:
    sitting = _at_a_point()
    sitting.sit(PLAYERS[2], 3)
    sitting.roll(1, 2)
    sitting.do(c.LeaveSeat(seat=3), PLAYERS[2])
    sitting.do(_correct(3, 4), BOX)
    assert sitting.table.players.keys() == {1, 2}


def test_a_correction_is_signed_by_the_boxperson_and_never_by_its_sender() -> None:
    correction = _correct(1, 2)
    stick, box, floor = CREW["stickperson"], CREW["boxperson"], CREW["floorperson"]
    assert unfit_signature(correction, stick, None) is not None
    assert unfit_signature(correction, stick, floor) is not None
    assert unfit_signature(correction, stick, box) is None
    assert unfit_signature(correction, box, box) is not None
    assert unfit_signature(correction, box, floor) is None
    assert "the player may not give" in _at_a_point().refusal(correction, ANN)


def test_a_wrong_call_can_be_corrected_before_it_is_settled() -> None:
    automate = tuple(step for step in ALL if step not in {"call", "settle", "pass"})
    sitting = Sitting(dice="physical", automate=automate)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    sitting.do(c.CallRoll(total=12), sitting.stick)
    sitting.do(_correct(6, 5), BOX)
    assert sitting.table.game.position.dice == "called"
    sitting.do(c.Settle(), CREW["dealer"])
    assert sitting.rack(ANN) == 1010_00


# --- The property -----------------------------------------------------------------------------------------------------

THROWS = (
    k.Roll,
    k.DiceOut,
    k.KeyDice,
    k.CorrectRoll,
    k.CloseTable,
    k.FreezeTable,
    c.CallNoRoll,
    c.DecideDispute,
)


def _roll(sitting: Sitting, faces: Roll) -> bool:
    shooter = sitting.table.game.position.shooter
    if sitting.table.dice == "physical":
        verdict = sitting.ask(k.KeyDice(first=faces.first, second=faces.second), sitting.stick)
    else:
        sitting.faces = [faces]
        player = sitting.table.players.get(shooter)
        who = next((one for one in PLAYERS if player and one.account == player.account), ANN)
        verdict = sitting.ask(k.Roll(seat=shooter), who)
    return isinstance(verdict, Decision)


def _acts(sitting: Sitting, random: Random, number: int) -> list[tuple[TableCommand, Actor]]:
    """Send random commands that throw no dice; return those that were accepted."""
    commands = RandomCommands(sitting.table)
    done: list[tuple[TableCommand, Actor]] = []
    for _ in range(number):
        command, by = commands.draw(random, sitting.table)
        if not isinstance(command, THROWS) and isinstance(sitting.ask(command, by), Decision):
            done.append((command, by))
    return done


def _played(rules: str, dice: str, automate: tuple[str, ...], random: Random) -> Sitting:
    sitting = Sitting(rules, dice=dice, automate=automate, house={"seats": 4})
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    for _ in range(60):
        _acts(sitting, random, 3)
        position = sitting.table.game.position
        if (
            position.dice == "held"
            and position.layout
            and random.random() < 0.3
            and _roll(sitting, random.choice(OUTCOMES))
        ):
            return sitting
    return sitting


@pytest.mark.parametrize(
    ("rules", "dice", "automate"),
    one_in(
        3,
        [("maryland", "physical", ALL), ("colorado", "physical", ALL), ("maryland", "physical", ("offer", "choose"))],
        others=pytest.mark.whole,
    ),
)
@settings(max_examples=25)
@given(random=st.randoms(use_true_random=True))
def test_a_corrected_roll_gives_the_same_table_as_throwing_it(
    rules: str, dice: str, automate: tuple[str, ...], random: Random
) -> None:
    sitting = _played(rules, dice, automate, random)
    start = sitting.live
    wrong, right = random.sample(OUTCOMES, 2)
    if not _roll(sitting, wrong):
        return
    done = _acts(sitting, random, 12)
    verdict = sitting.ask(_correct(right.first, right.second), BOX)
    if isinstance(verdict, Refused):
        assert "left since" in str(verdict) or "cannot be undone" in str(verdict)
        return
    corrected = verdict.events[-1]
    assert isinstance(corrected, t.RollCorrected)
    assert sum(move.cents for move in corrected.movements) == 0
    other = Sitting(rules, dice=dice, automate=automate, house={"seats": 4})
    other.live, other.at = start, sitting.at
    assert _roll(other, right)
    refused = 0
    for command, by in done:
        again = with_faces(command, right.first, right.second) if isinstance(command, c.Command) else command
        refused += isinstance(other.ask(again, by), Refused)
    assert refused == len(corrected.dropped)
    _same(sitting.table, other.table)


def _same(one: LiveTable, other: LiveTable) -> None:
    assert one.game == other.game
    assert one.track == other.track
    assert one.since == other.since
    assert one.players == other.players
    assert {key: cents for key, cents in one.balances.items() if cents} == {
        key: cents for key, cents in other.balances.items() if cents
    }
