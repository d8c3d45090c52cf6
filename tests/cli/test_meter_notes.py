"""What analyses and simulations say of the meter of a progressive: where it stands, and where nobody has an edge."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.money import dollars
from tests.game.progressive import ADDED, BASE, CHANCES, STAKE
from tests.rules.lawful import pages_with
from tests.rules.shelved import shelve

HOUSE = 'rules = "lakeside"\n[side_wagers]\njackpot = "A"\n'


@pytest.mark.parametrize("command", ["analyze", "simulate"])
@pytest.mark.parametrize("is_json", [False, True])
def test_the_report_says_where_the_meter_stands(
    command: str, *, is_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shelve(pages_with(ADDED), tmp_path / "shelf", monkeypatch)
    house = tmp_path / "house.toml"
    house.write_text(HOUSE, encoding="utf-8")
    few = ["--sessions", "1000", "--no-exact"] if command == "simulate" else []
    arguments = [command, "pass", "--house", str(house), "--rolls", "5", *few, *(["--json"] if is_json else [])]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    lost = STAKE * (1 - CHANCES[1] - CHANCES[2]) - CHANCES[1] * 4 * STAKE
    even = lost / (CHANCES[2] + CHANCES[1] / 10)
    note = (
        f"Beacon Jackpot: played with {dollars(BASE)} on its meter, its base, all the time; the house has no edge from "
        f"{dollars(ceil(even))} on it on"
    )
    assert note in (shown.err if is_json else shown.out)
