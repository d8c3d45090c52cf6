"""`passline dice`, and `--against` of analyze and simulate."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.dice_sources import seeded_rolls
from passline.dice_weights import dice_named, weighted_rolls
from passline.exact.dice_evidence import evidence_of

pytestmark = pytest.mark.long


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run a command that exits with `code`. Return what it printed, or the error if it failed."""
    assert main(arguments) == code
    out, error = capsys.readouterr()
    return out if code == 0 else error


def test_evidence_is_shown_and_drawn_after_every_roll(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, chart = tmp_path / "loaded.txt", tmp_path / "evidence.svg"
    rolls = list(islice(weighted_rolls(dice_named("biased:6=3"), 3), 150))
    file.write_text("\n".join(map(str, rolls)), encoding="utf-8")
    found = json.loads(output(capsys, "dice", "test", str(file), "--json"))
    assert len(found["log10_evidence"]) == 150
    for count in (1, 50, 150):
        value = evidence_of([(roll.first, roll.second) for roll in rolls[:count]]).value
        assert 10 ** found["log10_evidence"][count - 1] == pytest.approx(value)
    assert found["log10_evidence"][found["alarm_after"] - 1] >= 3 > found["log10_evidence"][found["alarm_after"] - 2]
    shown = output(capsys, "dice", "test", str(file), "--plot", str(chart))
    assert f"It came to 1,000 to 1 after {found['alarm_after']:,} rolls" in shown
    assert "Evidence against fair dice" in chart.read_text(encoding="utf-8")
    file.write_text("\n".join(map(str, islice(seeded_rolls(5), 100))), encoding="utf-8")
    assert "no reason to call the dice unfair" in output(capsys, "dice", "test", str(file))
    file.write_text("3-4\nseven\n", encoding="utf-8")
    assert "line 2, 'seven'" in output(capsys, "dice", "test", str(file), code=2)


def test_break_even_is_shown_with_its_bracket(capsys: pytest.CaptureFixture[str]) -> None:
    assert "8.500000 to 8.500001" in output(capsys, "dice", "break-even", "field")
    (found,) = json.loads(output(capsys, "dice", "break-even", "field", "--json"))
    assert Fraction(found["low"]) == Fraction(17, 2)
    assert "breaks even below" in output(capsys, "dice", "break-even", "field", "--face", "4")


@pytest.mark.whole
def test_strategies_are_compared_on_the_same_dice(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sessions.csv"
    terms = ("--rolls", "20", "--bankroll", "900")
    played = ("simulate", "pass", "--against", "field", *terms, "--sessions", "300", "--no-exact")
    assert "pass less field" in output(capsys, *played, "--records", str(file))
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    finals = {name: [int(row["final_cents"]) for row in rows if row["strategy"] == name] for name in ("pass", "field")}
    differences = [first - second for first, second in zip(finals["pass"], finals["field"], strict=True)]
    *both, pair = json.loads(output(capsys, *played, "--json"))
    assert [found["strategy"] for found in both] == ["pass", "field"]
    assert pair["mean_difference_cents"] == pytest.approx(sum(differences) / 300)
    assert (pair["ahead"], pair["level"]) == (sum(d > 0 for d in differences), differences.count(0))
    assert "level" in output(capsys, "analyze", "pass", "--against", "field", *terms)
    *_, law = json.loads(output(capsys, "analyze", "pass", "--against", "field", *terms, "--exact", "--json"))
    assert sum(Fraction(chance) for _cents, chance in law["law"]) == 1
    short = ("analyze", "pass", "--against", "field", "--rolls", "90", "--bankroll", "60")
    assert "no law of a difference: field is short of money" in output(capsys, *short)
    assert "leave out --on" in output(capsys, *played, "--on", "gpu", code=2)
