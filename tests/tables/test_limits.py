"""Limits change after notice, and wagers already made keep the old ones."""

import pytest
from msgspec import to_builtins

from passline.game import commands as c
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.limits import as_of
from passline.tables.live import version_of
from passline.tables.rules_in_force import rules_of
from passline.tables.views.areas import areas_of
from passline.tables.views.table_view import view_of
from tests.tables.sitting import ANN, FLOOR, LABORATORY, Sitting, table_for_two


def _notice(least: int, most: int, minutes: int = -1) -> k.NoticeLimits:
    return k.NoticeLimits(wager_cents_min=least, wager_cents_max=most, in_minutes=minutes)


@pytest.mark.clause("AZ-III.D.3")
@pytest.mark.parametrize("rules", ["arizona", "maryland"])
def test_AZ_III_D_3__limits_change_after_notice_to_all_and_standing_wagers_keep_theirs(rules: str) -> None:
    """AZ-III.D.3: notice is recorded and as long as elected; a wager already made is settled as it was made."""
    sitting = Sitting(rules, approvals=LABORATORY)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    short = sitting.refusal(_notice(25_00, 1000_00, 29), FLOOR)
    assert "notice must be 30 (as this house elected) to 10080 minutes, not 29" in short
    assert (rules == "arizona") is ("AZ-III.D.3" in short)
    [noticed] = sitting.do(_notice(25_00, 1000_00), FLOOR)
    assert isinstance(noticed, t.LimitsNoticed)
    assert noticed.at == "2026-11-15T08:30:00.000000Z"
    sitting.wager(ANN, "field", 10_00)  # not in force yet
    before = sitting.table.rules
    sitting.wait(30)
    assert "25.00" in sitting.refusal(c.MakeWager(seat=1, wager="field", cents=10_00), ANN)
    assert sitting.table.notice is not None
    events = sitting.roll(2, 4)
    assert isinstance(events[0], t.LimitsChanged)
    live = sitting.table
    assert live.notice is None
    assert live.house["wager_cents_min"] == 25_00
    assert live.rules != before
    assert live.rules == version_of(to_builtins(rules_of(live).house), live.rulebook)
    assert [wager.kind for wager in live.game.position.layout] == ["pass"]  # below the new minimum, and it stays up
    sitting.roll(4, 2)
    assert sitting.rack(ANN) == 1000_00 - 10_00 + 10_00  # the field lost, the line won
    sitting.wager(ANN, "field", 25_00)


def test_pages_show_new_limits_in_time_even_if_nobody_sends_a_command() -> None:
    sitting = table_for_two()
    sitting.do(_notice(25_00, 1000_00), FLOOR)
    assert as_of(sitting.table, sitting.at) is sitting.table
    sitting.wait(30)
    now = as_of(sitting.table, sitting.at)
    assert view_of(now)["limits"]["min"] == 25_00
    assert view_of(now)["notice"] is None
    assert next(area.min for area in areas_of(now, 1) if area.kind == "pass") == 25_00


def test_an_increase_obeys_the_new_limits() -> None:
    sitting = table_for_two()
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(_notice(5_00, 20_00), FLOOR)
    sitting.wait(31)
    assert "20.00" in sitting.refusal(c.MakeWager(seat=1, wager="pass", cents=15_00), ANN)
    sitting.wager(ANN, "pass", 10_00)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (_notice(500_00, 100_00), "wager_cents_min"),
        (_notice(5_50, 100_00), "is not a multiple of the smallest chip"),
        (k.NoticeLimits(wager_cents_min=5_00, wager_cents_max=99_00, limits={"tea": {"min": 1, "max": 2}}), "tea"),
        (k.NoticeLimits(wager_cents_min=5_00, wager_cents_max=99_00, limits={"field": {"min": 1}}), "limits"),
        (_notice(5_00, 100_00, 10**9), "notice must be 30 "),
    ],
)
def test_limits_that_the_rules_do_not_allow_are_refused(command: k.NoticeLimits, why: str) -> None:
    assert why in Sitting().refusal(command, FLOOR)


def test_a_minimum_of_its_own_stays_within_the_limits_that_are_noticed() -> None:
    """Buy wagers start where vigorish is a chip; for the rest they have the table's limits, whatever these become."""
    for least, most in ((10_00, 100_00), (25_00, 1000_00)):
        sitting = table_for_two()
        sitting.do(_notice(least, most), FLOOR)
        sitting.wait(30)
        buy = next(area for area in areas_of(as_of(sitting.table, sitting.at), 1) if area.kind == "buy")
        assert (buy.min, buy.max) == (max(20_00, least), most)
    assert "limits.buy: the minimum 2000 is above the maximum 1900" in sitting.refusal(_notice(5_00, 19_00), FLOOR)
