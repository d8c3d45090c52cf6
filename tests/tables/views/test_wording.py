"""The events of a table in words, with amounts only for those who may know them."""

import pytest

from passline.game import commands as c
from passline.rules.rulebook_reader import rulebook_of
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.entries import TABLE_CODEC
from passline.tables.views.wording import lines_of
from tests.tables.sitting import ANN, CREW, Sitting, at_a_point

RACK = 7_777_00


def test_others_are_not_told_the_amount_of_a_buy_in_a_cash_out_or_a_fill() -> None:
    sitting = Sitting()
    sitting.do(c.TakeSeat(seat=1), ANN)
    before = sitting.table
    events = sitting.do(c.BuyIn(seat=1, cents=RACK), CREW["dealer"])
    assert lines_of(before, sitting.table, events, seats=()) == ("Ann changes cash for chips",)
    assert lines_of(before, sitting.table, events, seats=(1,)) == ("Ann changes 7777.00 for chips",)
    assert lines_of(before, sitting.table, events) == ("Ann changes 7777.00 for chips",)
    before = sitting.table
    events = sitting.do(c.LeaveSeat(seat=1), ANN)
    assert "7777" not in " ".join(lines_of(before, sitting.table, events, seats=()))
    before = sitting.table
    events = sitting.do(c.Fill(cents=5_00), CREW["boxperson"])
    assert lines_of(before, sitting.table, events, seats=()) == ()


def _told(sitting: Sitting, command: k.OwnCommand, by: Actor) -> tuple[str, str, str]:
    """Return what everybody, a player without a seat and the crew are told."""
    before = sitting.table
    events = sitting.do(command, by)
    seen = (lines_of(before, sitting.table, events, seats=seats) for seats in ((), (0,), None))
    public, unseated, crew = ("; ".join(lines) for lines in seen)
    return public, unseated, crew


def test_what_is_seen_of_a_player_is_told_to_the_crew_and_not_to_that_player() -> None:
    """Players read nothing of an irregularity: it may be about one of them."""
    sitting = Sitting("colorado", dice="physical")
    sitting.sit(ANN, 1)
    for command, crew in (
        (
            k.ReportIrregularity(text="Ann adds chips late"),
            "irregularity 1 is reported: Ann adds chips late [CO-2319-notify]",
        ),
        (
            k.DirectAction(irregularity=1, action="let her play on"),
            "directed about irregularity 1: let her play on [CO-2319-direct]",
        ),
        (
            k.ObserveAction(irregularity=1),
            "what was directed about irregularity 1 was done and watched: it is closed [CO-2319-observe]",
        ),
    ):
        assert _told(sitting, command, CREW["boxperson"]) == ("", "", crew)


def test_nobody_is_accused_in_public() -> None:
    """Why dice are condemned, and whose conduct is recorded, is for the crew and the regulator."""
    out = "set 1 of the dice may not be thrown any more; a new set must be put in"
    condemn = k.CondemnDice(reason="tampered", text="seat 1 switched a die")
    told = _told(at_a_point(), condemn, CREW["dealer"])
    assert told == (out, out, f"{out}: it is tampered: seat 1 switched a die [MD-7.F.3]")
    breach = k.ReportConduct(breach="prediction_aid", seat=1, text="a phone under the rail")
    public, unseated, crew = _told(at_a_point("arizona"), breach, CREW["floorperson"])
    assert public == unseated == "a breach of conduct is recorded"
    assert crew == "a breach is recorded, prediction aid at Ann [AZ-II.N.2]"


def test_events_of_the_table_itself_have_words() -> None:
    sitting = at_a_point()
    lines: list[str] = []
    commands: tuple[tuple[k.OwnCommand, Actor], ...] = (
        (k.CorrectRoll(first=1, second=5, reason="misread"), CREW["boxperson"]),
        (k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=100_00), CREW["floorperson"]),
        (k.FreezeTable(reason="cocked"), ANN),
        (k.ReportShown(freeze=sitting.table.version + 3, shown={"1": 3, "2": 2}), THE_HOUSE),
        (k.ReleaseTable(finding="flat"), CREW["floorperson"]),
    )
    for command, by in commands:
        before = sitting.table
        events = sitting.do(command, by)
        lines += lines_of(before, sitting.table, events)
    assert lines == [
        "the roll 2-4 is corrected to 1-5: misread [MD-9.E.1]",
        "from 2026-11-15T08:30:00.000000Z the limits are 10.00 to 100.00 [MD-3.B.1]",
        "the table is frozen over a dispute of Ann: cocked",
        "shown before the freeze: to Ann up to entry 3, to Bob up to entry 2",
        "play continues: flat",
    ]


@pytest.mark.clause("CO-2310-simul", "S2-h1.simul", "MD-8.A.throw")
@pytest.mark.parametrize(
    ("rules", "clause"), [("colorado", "CO-2310-simul"), ("section2", "S2-h1.simul"), ("maryland", "MD-8.A.throw")]
)
def test_an_opening_prints_how_a_text_without_electronic_dice_is_read(rules: str, clause: str) -> None:
    """CO-2310-simul, S2-h1.simul, MD-8.A.throw: dice thrown by hand; the reading for others is told at opening."""
    reading = rulebook_of(rules).general.live.electronic_dice
    assert reading is not None
    for dice in ("electronic", "physical"):
        sitting = Sitting(rules, dice=dice)
        lines = lines_of(None, sitting.table, TABLE_CODEC.events(sitting.entries[0].entry))
        told = [f"electronic dice: {reading.reading} [{clause}]"] if dice == "electronic" else []
        assert [line for line in lines if line.startswith("electronic dice")] == told
