"""Dice that are not the game's, elections and styles of houses on the command line: every page says what they are."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from passline.cli.main import main

pytestmark = pytest.mark.long

NOT = "NOT the game's dice"
SEVEN = ("--dice", "biased:srr=6.5")


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run a command that exits with `code`. Return what it printed, or the error if it failed."""
    assert main(arguments) == code
    out, error = capsys.readouterr()
    return out if code == 0 else error


@pytest.mark.whole
def test_every_page_says_that_the_dice_are_not_the_games(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    short = ("--rolls", "5")
    chart = str(tmp_path / "chart.svg")
    few = ("--sessions", "100", "--no-exact")
    pages = [
        ("analyze", "pass", *short, *SEVEN),
        ("analyze", "pass", "--rolls", "50", "--ruin-at-most", "5%", *SEVEN),
        ("simulate", "pass", *short, *few, *SEVEN),
        ("replay", "pass", *short, *SEVEN),
        ("shooter", "--at-least", "20", *SEVEN),
        ("odds", "maryland", "--game", "craps", "--wager", "pass", *SEVEN),
    ]
    for page in pages:
        assert NOT in output(capsys, *page), page
        assert NOT not in output(capsys, *page[:-2]), page
    output(capsys, "analyze", "pass", *short, *SEVEN, "--plot", chart)
    assert "one seven in 6.5 rolls" in Path(chart).read_text(encoding="utf-8")
    output(capsys, "simulate", "pass", *short, *few, *SEVEN, "--plot", chart, "--charts", "final")
    assert "one seven in 6.5 rolls" in Path(chart).read_text(encoding="utf-8")


@pytest.mark.whole
def test_json_has_the_weights(capsys: pytest.CaptureFixture[str]) -> None:
    for page in (("analyze", "pass", "--rolls", "5"), ("simulate", "pass", "--rolls", "5", "--sessions", "10")):
        (found,) = json.loads(output(capsys, *page, *SEVEN, "--json"))
        assert found["dice_are"] == NOT
        assert Fraction(found["seven"]) == Fraction(2, 13)
        assert sum(found["weights"]) == 390
        assert "dice" not in json.loads(output(capsys, *page, "--json"))[0]
    (line, *_) = json.loads(output(capsys, "odds", "maryland", "--wager", "any_seven", *SEVEN, "--json"))
    assert line["dice_are"] == NOT
    assert Fraction(line["edge"]) == 1 - 5 * Fraction(2, 13)


@pytest.mark.whole
def test_recorded_rolls_are_played_and_replayed_in_their_order(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("2-2 3-4 6-5 3-3 5-4 1-6\n", encoding="utf-8")
    shown = output(capsys, "replay", "pass", "--rolls", "8", "--dice", str(file), "--session", "3")
    assert f"{NOT}: 6 recorded rolls of 2 hands in mine.txt" in shown
    begins = "the session begins with roll 3 of the record" in shown
    thrown = [line.split()[1] for line in shown.splitlines() if line[:4].strip().isdigit() and "-" in line[:10]]
    order = "6-5 3-3 5-4 1-6 2-2 3-4" if begins else "2-2 3-4 6-5 3-3 5-4 1-6"
    assert thrown == [*order.split(), *order.split()[:2]]
    assert "the simulator plays the same session" in shown
    simulated = output(capsys, "simulate", "pass", "--rolls", "8", "--dice", str(file), "--sessions", "50")
    assert "exact" not in simulated
    error = output(capsys, "analyze", "pass", "--rolls", "5", "--dice", str(file), code=2)
    assert "recorded rolls have no law" in error
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert NOT in output(capsys, "play", "--plain", "--dice", str(file))


def test_houses_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output(capsys, "analyze", "field", "--rolls", "1", "--exact", "--json", "--house", "10x"))
    assert found[0]["strategy"] == "field"
    pair = json.loads(
        output(capsys, "analyze", "pass:odds=10", "--rolls", "2", "--json", "--vary", "odds=10,20", "--bankroll", "900")
    )
    assert [analysis["strategy"] for analysis in pair] == ["pass:odds=10, odds=10", "pass:odds=10, odds=20"]
    assert pair[0]["mean_cents"] == pair[1]["mean_cents"]
    simulated = output(capsys, "simulate", "pass", "--rolls", "2", "--sessions", "20", "--vary", "odds=10,20")
    assert "pass, odds=10" in simulated


def test_elections_and_styles_are_refused_with_their_clause(capsys: pytest.CaptureFixture[str]) -> None:
    short = ("analyze", "pass:odds=20", "--rolls", "5", "--bankroll", "900")
    assert "ruin" in output(capsys, *short, "--house", "20x")
    refused = output(capsys, *short, "--house", "20x", "--rules", "colorado", code=2)
    assert "[CO-2308-1-cap, CO-2308-1-house]" in refused
    assert "CO-2308" in output(capsys, *short, "--rules", "colorado", "--set", "odds_cents_max=20000", code=2)
    assert "foo: is not a key of a house" in output(capsys, *short, "--set", "foo=3", code=2)
    assert "write KEY=VALUE" in output(capsys, *short, "--set", "odds", code=2)
    assert "write KEY=A,B" in output(capsys, *short, "--vary", "odds=3", code=2)
    assert "30x: there is no such file" in output(capsys, *short, "--house", "30x", code=2)
    (line,) = json.loads(
        output(capsys, "odds", "--rules", "maryland", "--wager", "field", "--set", "wager_cents_min=1000", "--json")
    )
    assert line["stake"] == 10_00


def test_other_dice_are_refused_where_they_make_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    assert "choose fair, or dice such as" in output(capsys, "analyze", "pass", "--dice", "loaded", code=2)
    assert "a GPU throws fair dice alone" in output(capsys, "simulate", "pass", *SEVEN, "--on", "gpu", code=2)
    assert "nowhere.txt: there is no such file" in output(capsys, "simulate", "pass", "--dice", "nowhere.txt", code=2)
