"""The impact sheet of an amendment, over a log that was dealt under the text before it."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.game import commands as c
from passline.papers.impact import (
    PaidOtherwise,
    amendment_of,
    changed_duties,
    changed_papers,
    house_breaches,
    year_under,
)
from passline.store.memory import MemoryLog
from passline.tables import commands as k
from tests.rules.amended import NAME, ORDER, amended, write_amended
from tests.tables.changed_rulebook import new_process
from tests.tables.midnight import HARD, HARD_6, PASS, House
from tests.tables.running_floor import ANN, done

__all__ = ["amended"]  # a fixture
GONE = 'repeals = ["wagers.any_seven"]\n'


def _dealt() -> MemoryLog:
    """Return a log in which a hardway won, and an Any Seven lost."""

    async def deal() -> MemoryLog:
        log = MemoryLog()
        house = House(log, (2, 2), (3, 3), (4, 3))
        house.at = "2026-12-30T12:00:00.000000Z"
        table = await house.open(5_000_00)
        large = c.MakeWager(seat=1, wager="field", cents=1_500_00)
        await done(table, ANN, c.BuyIn(seat=1, cents=2_000_00))
        for command in (PASS, k.Roll(seat=1), HARD_6, c.MakeWager(seat=1, wager="any_seven", cents=5_00), large):
            await done(table, ANN, command)
        for _ in range(2):
            await done(table, ANN, k.Roll(seat=1))
        await house.floor.close()
        return log

    return asyncio.run(deal())


def test_a_years_log_tells_what_would_have_been_paid_and_refused(amended: Path) -> None:
    write_amended(amended.parent, GONE + ORDER + HARD)
    new_process()
    log = _dealt()
    change = amendment_of(NAME, "2027-01.toml")
    year = year_under(change, (stored.entry for stored in log.read()))
    assert (year.first, year.last, year.rolls) == (date(2026, 1, 1), date(2027, 1, 1), 3)
    assert {paid.wager: paid for paid in year.wagers} == {
        "hardway": PaidOtherwise("hardway", paid=90_00, would_pay=50_00),
        "any_seven": PaidOtherwise("any_seven", refused=1, refused_cents=5_00, is_unknown=True),
        "field": PaidOtherwise("field", refused=1, refused_cents=1_500_00),
    }


def test_papers_houses_and_duties_that_change_are_named(amended: Path) -> None:
    write_amended(amended.parent, ORDER + '\n[office.acts.draft_house]\nname = "Drafted anew"\n')
    new_process()
    change = amendment_of(NAME, "2027-01.toml")
    changed, same = changed_papers(change)
    assert {"rules", "card"} <= {*changed}
    assert not {*changed} & {*same}
    assert house_breaches(change, {"wager_cents_max": 100000}) == ()
    [breach] = house_breaches(change, {"wager_cents_max": 100001})
    assert "wager_cents_max: 100001 is above the maximum, 100000" in breach
    assert list(changed_duties(change)) == ["acts: draft_house: changed"]


def test_the_command_prints_the_sheet(capsys: pytest.CaptureFixture[str], amended: Path, tmp_path: Path) -> None:
    house = tmp_path / "pier.toml"
    house.write_text(f'name = "Pier"\nrules = "{NAME}"\nwager_cents_max = 200000\n', "utf-8")
    assert main(["rulebook", "impact", str(amended / "amendments" / "2027-01.toml"), "--house", str(house)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("quay: Order 27-01, in force from 2027-01-01\n")
    for said in (
        "  before  2 to 1",
        "  now     3 to 1",
        "Field: before 5.5556% (1/18); now 0.0000% (0).",
        "To print again: rules, card",
        "The default house of quay: stays lawful",
        "pier.toml: wager_cents_max: 200000 is above the maximum, 100000",
        "Duties of the office\n====================\nNothing changes.\n",
    ):
        assert said in re.sub(r"\s+", " ", out) or said in out, out
    assert main(["rulebook", "impact", str(house)]) == 2
    assert "is not an amendment of a rulebook" in capsys.readouterr().err
