"""A dispute freezes a table; breaches of conduct are reported with their clause."""

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approval, Approvals
from passline.tables.commands import TableCommand
from tests.tables.sitting import ALL, ANN, BOB, BOX, CREW, FLOOR, LABORATORY, OWNER, PLAYERS, Sitting, table_for_two


def test_a_frozen_table_refuses_everything_until_it_is_released() -> None:
    sitting = table_for_two()
    assert "only a player at the table" in sitting.refusal(k.FreezeTable(reason="cocked"), PLAYERS[2])
    assert "the surveillance may not give" in sitting.refusal(k.FreezeTable(reason="cocked"), CREW["surveillance"])
    assert "a reason of" in sitting.refusal(k.FreezeTable(reason=""), ANN)
    [frozen] = sitting.do(k.FreezeTable(reason="the die was cocked", seat=2, shown={"1": 4, "2": 3}), ANN)
    assert frozen == t.TableFrozen("the die was cocked", 1, {"1": 4, "2": 3})
    asks: tuple[tuple[TableCommand, Actor], ...] = (
        (c.MakeWager(seat=1, wager="pass", cents=10_00), ANN),
        (c.LeaveSeat(seat=2), BOB),
        (k.CloseTable(), OWNER),
        (c.Fill(cents=100_00), BOX),
    )
    for command, by in asks:
        assert "frozen over a dispute: the die was cocked" in sitting.refusal(command, by)
    assert "already frozen" in sitting.refusal(k.FreezeTable(reason="again"), ANN)
    assert "already frozen" in sitting.refusal(k.FreezeTable(reason="I saw it too", shown={"2": 3}), BOB)
    assert sitting.table.frozen == frozen
    assert "a finding of" in sitting.refusal(k.ReleaseTable(finding=""), FLOOR)
    sitting.do(k.ReleaseTable(finding="it lay flat"), FLOOR)
    assert "is not frozen" in sitting.refusal(k.ReleaseTable(finding="it lay flat"), FLOOR)
    sitting.wager(ANN, "pass", 10_00)


def _report(sitting: Sitting, freeze: int = 0, **shown: int) -> k.ReportShown:
    """Return a report of what the screens of these seats had shown before a freeze, by default the newest one."""
    by_seat = {seat.removeprefix("seat"): last for seat, last in shown.items()}
    return k.ReportShown(freeze=freeze or sitting.table.froze, shown=by_seat)


def test_reports_from_other_processes_add_to_what_screens_had_shown_and_never_lower_it() -> None:
    sitting = table_for_two()
    assert "is not frozen, or was frozen by another entry than" in sitting.refusal(_report(sitting, seat1=3), THE_HOUSE)
    sitting.do(k.FreezeTable(reason="cocked", shown={"1": 4, "2": 0}), ANN)
    frozen = sitting.table.frozen
    assert sitting.table.froze == sitting.table.version
    for person_ in (ANN, BOX, FLOOR, OWNER):
        assert "nobody may give" in sitting.refusal(_report(sitting, seat2=3), person_)
    assert "nobody is at seat 9" in sitting.refusal(_report(sitting, seat2=3, seat9=1), THE_HOUSE)
    for nothing in (_report(sitting), _report(sitting, seat1=4), _report(sitting, seat1=2, seat2=0)):
        assert "is already recorded" in sitting.refusal(nothing, THE_HOUSE)
    assert sitting.table.frozen == frozen
    freeze = sitting.table.froze
    assert sitting.do(_report(sitting, seat1=2, seat2=3), THE_HOUSE) == (t.ScreensShown(freeze, {"2": 3}),)
    assert sitting.table.frozen == t.TableFrozen("cocked", 1, {"1": 4, "2": 3})
    sitting.do(_report(sitting, seat1=5, seat2=3), THE_HOUSE)  # of a second screen of Ann's, at a third process
    assert sitting.table.frozen == t.TableFrozen("cocked", 1, {"1": 5, "2": 3})
    assert sitting.table.froze == freeze
    sitting.do(k.ReleaseTable(finding="it lay flat"), FLOOR)
    assert "is not frozen, or was frozen by another entry than" in sitting.refusal(_report(sitting, seat2=4), THE_HOUSE)
    sitting.do(k.FreezeTable(reason="again", shown={"1": 0, "2": 0}), ANN)
    late = _report(sitting, freeze, seat2=4)
    assert "is not frozen, or was frozen by another entry than" in sitting.refusal(late, THE_HOUSE)
    assert sitting.table.frozen == t.TableFrozen("again", 1, {"1": 0, "2": 0})


def _disputed(rules: str, game: str) -> Sitting:
    """Open a table with dice at rest on 4-3, which Bob says they are not."""
    automate = tuple(step for step in ALL if step not in {"call", "settle", "confirm"})
    sitting = Sitting(rules, dice="physical", house={"game": game}, automate=automate)
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(4, 3)
    sitting.do(c.DisputeFaces(seat=2), BOB)
    return sitting


@pytest.mark.parametrize(
    ("rules", "game", "deciders", "clause"),
    [
        pytest.param(*case, marks=pytest.mark.clause(case[-1]))
        for case in (
            ("colorado", "craps", {"boxperson", "floorperson"}, "CO-2319-decide"),
            ("colorado", "craps_free_craps", {"boxperson", "floorperson"}, "CO-2319-decide"),
            ("section2", "craps", {"boxperson"}, "S2-j1ii.A"),
            ("section2", "mini_craps", {"floorperson"}, "S2-j1ii.B"),
            ("maryland", "craps", {"boxperson"}, "MD-9.E.1"),
            ("maryland", "mini_craps", {"floorperson"}, "MD-9.E.2"),
        )
    ],
)
def test_those_whom_the_regulation_names_decide_a_dispute_live(
    rules: str, game: str, deciders: set[str], clause: str
) -> None:
    """CO-2319-decide, MD-9.E.2: whatever role a command claims, it is given in the sender's own."""
    for first, second in ((4, 4), (0, 0)):  # other faces, or a void throw
        for role in deciders:
            sitting = _disputed(rules, game)
            for other in {"dealer", "stickperson", "boxperson", "floorperson"} - deciders:
                asked = c.DecideDispute(by=role, first=first, second=second)  # type: ignore[arg-type]
                assert clause in sitting.refusal(asked, CREW[other])
            assert "may not give" in sitting.refusal(c.DecideDispute(first=first, second=second), OWNER)
            sitting.refusal(c.DecideDispute(first=first, second=second), ANN)
            [decided, *_rest] = sitting.do(c.DecideDispute(first=first, second=second), CREW[role])
            assert decided.by == role  # type: ignore[union-attr]
            assert clause in decided.clause  # type: ignore[union-attr]
            position = sitting.table.game.position
            assert (position.is_disputed, position.faces) == (False, (first, second))


@pytest.mark.clause("AZ-II.N.3")
def test_AZ_II_N_3__advice_is_a_breach_only_while_that_player_has_a_wager_pending() -> None:
    """AZ-II.N.3: no dealer, boxperson, stickperson or supervisor advises a player who has a wager pending."""
    sitting = Sitting("arizona", approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    advice = k.ReportConduct(breach="strategy_advice", seat=1, role="dealer", text="told to take odds")
    assert "no wager pending" in sitting.refusal(advice, FLOOR)
    sitting.wager(BOB, "pass", 10_00)
    assert "no wager pending" in sitting.refusal(advice, FLOOR)
    sitting.wager(ANN, "pass", 10_00)
    [reported] = sitting.do(advice, FLOOR)
    assert reported == t.ConductReported("strategy_advice", 1, "dealer", "told to take odds", "AZ-II.N.3")
    for role in ("dealer", "boxperson", "stickperson", "floorperson"):
        [reported] = sitting.do(replace(advice, role=role), FLOOR)
        assert isinstance(reported, t.ConductReported)
        assert (reported.role, reported.clause) == (role, "AZ-II.N.3")
    for role in ("", "player", "shooter", "owner", "surveillance", "regulator"):
        assert "AZ-II.N.3" in sitting.refusal(replace(advice, role=role), FLOOR)
    assert "is not a breach under this regulation" in table_for_two().refusal(advice, FLOOR)


@pytest.mark.clause("AZ-II.N.3")
def test_AZ_II_N_3__advice_during_the_last_roll_is_recorded_once_it_is_decided() -> None:
    """AZ-II.N.3: what counts is whether that player had a wager pending when the advice was given."""
    sitting = Sitting("arizona", approvals=LABORATORY, dice="physical")
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    late = k.ReportConduct(breach="strategy_advice", seat=2, role="dealer", during="last_roll")
    assert "no wager pending" in sitting.refusal(replace(late, during=""), FLOOR)
    assert "no wager pending" in sitting.refusal(replace(late, seat=3), FLOOR)
    assert "is neither last_roll nor" in sitting.refusal(replace(late, during="yesterday"), FLOOR)
    sitting.do(late, FLOOR)
    sitting.do(c.LeaveSeat(seat=2), BOB)
    sitting.do(c.TakeSeat(seat=2), PLAYERS[3])
    assert "no wager pending" in sitting.refusal(late, FLOOR)  # the wager was somebody else's


@pytest.mark.clause("AZ-II.N.2")
def test_AZ_II_N_2__a_prediction_aid_is_a_breach_until_both_approve() -> None:
    """AZ-II.N.2: no aid that projects outcomes unless the TGO and the SGA both approve it."""
    sitting = Sitting("arizona", approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    aid = k.ReportConduct(breach="prediction_aid", seat=1, text="a tracker on a phone")
    [reported] = sitting.do(aid, CREW["surveillance"])
    assert isinstance(reported, t.ConductReported)
    assert reported.clause == "AZ-II.N.2"
    sitting.approvals = Approvals((Approval("prediction_aid", "TGO", "1", "2026-01-02"),))
    sitting.do(aid, BOX)
    sitting.approvals = Approvals((*sitting.approvals.on_file, Approval("prediction_aid", "SGA", "2", "2026-01-02")))
    assert "have approved the aid" in sitting.refusal(aid, BOX)
    assert "nobody is at seat 9" in sitting.refusal(k.ReportConduct(breach="prediction_aid", seat=9), BOX)
