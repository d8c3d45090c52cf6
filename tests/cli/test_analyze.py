"""`passline analyze` and `passline shooter`: their output, their files and their errors."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from passline.cli.main import main

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("COLUMNS", "100")


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run a command that exits with `code`. Return what it printed, or the error if it failed."""
    assert main(arguments) == code
    out, error = capsys.readouterr()
    return out if code == 0 else error


@pytest.mark.whole
def test_a_session_is_shown_with_its_terms_policy_and_error(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "analyze", "molly", "pass", "--goal", "750", "--short", "ride").splitlines()
    assert shown[0].startswith("A session from 500.00, at most 200 rolls, goal 750.00; short of money the player makes")
    rows = {line.split("  ")[0].strip(): line.split()[-2:] for line in shown[2:]}
    assert {"ruin", "goal reached", "mean", "50% quantile", "mean rolls"} <= set(rows)
    assert rows["ruin"][0].endswith("%")
    assert float(rows["ruin"][1]) < 1e-9, "a rare chance is never shown as 0"
    assert {"expected loss", "edge on action", "edge on initial wagers", "average wager"} <= set(rows)
    assert "loss/hour at 60 rolls" in output(capsys, "analyze", "pass", "--rolls", "9", "--pace", "60")


def test_json_holds_the_whole_law_and_its_chances_add_up_to_1(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(output(capsys, "analyze", "pass:odds=2", "--rolls", "12", "--exact", "--json"))
    chances = [Fraction(chance) for _equity, chance in found["law"]]
    assert sum(chances) == 1
    mean = sum(equity * chance for (equity, _), chance in zip(found["law"], chances, strict=True))
    assert Fraction(found["mean_cents"]) == mean
    assert found["error"] == 0
    floats = json.loads(output(capsys, "analyze", "pass:odds=2", "--rolls", "12", "--json"))[0]
    assert abs(floats["mean_cents"] - float(mean)) < 1e-6
    assert 0 < floats["error"] < 1e-12


@pytest.mark.parametrize("limit", ["--rolls", "--decisions", "--hands"])
def test_each_limit_ends_a_session(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    (found,) = json.loads(output(capsys, "analyze", "pass", limit, "5", "--json"))
    assert found["mean_rolls"] == (pytest.approx(5) if limit == "--rolls" else pytest.approx(5 * 557 / 165, rel=0.01)
                                   if limit == "--decisions" else pytest.approx(5 * 1671 / 196, rel=0.01))  # fmt: skip


def test_parts_over_the_budget_have_mean_and_deviation_and_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "analyze", "molly + field", "--budget", "10")
    assert "states 118 + 7" in " ".join(shown.split())
    assert "more than 10 together" in shown
    for limit in (("--goal", "600"), ("--hands", "1"), ("--decisions", "1"), ("--rolls", "5", "--hands", "1")):
        error = output(capsys, "analyze", "molly + field", "--budget", "10", *limit, code=2)
        assert "limit only rolls" in error


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("moly",), "there is no strategy 'moly'; did you mean molly"),
        (("pass:unit=100",), "1.00 is under the minimum, 5.00 [MD-3.B.1]"),
        (("fire",), "does not offer Fire [MD-2.D.4"),
        (("pass", "--bankroll", "5"), "less than the 10.00 that the first wagers call for"),
        (("pass", "--bankroll", "5"), "[MD-3.B.1]"),
        (("pass", "--bankroll", "lots"), "'lots' is not an amount in dollars"),
        (("pass", "--rules", "nevada"), "nevada"),
        (("pass", "--shooter-loss", "100"), "ride"),
        (("molly + field", "--budget", "10", "--bankroll", "5"), "less than the 15.00 that the first wagers call for"),
        (("pass", "--budget", "0"), "a budget of 0 states"),
        (("pass:unit=0",), "never makes a wager"),
        (("pass:unit=-500",), "is negative: -500"),
        (("fire",), "a house file can offer it"),
        (("pass", "--plot", "nowhere/x.png"), "there is no such folder"),
        (("pass", "--plot", "x.bmp"), "the name must end in .png, .svg, .pdf"),
        (("pass", "--decisions", "100000000"), "rows: limit to fewer"),
    ],
)
def test_an_impossible_analysis_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    error = output(capsys, "analyze", *arguments, code=2)
    assert why in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("rolls", ["0", "-3", "1e16", "many", "1.5"])
def test_a_number_of_rolls_that_is_none_says_what_one_is(capsys: pytest.CaptureFixture[str], rolls: str) -> None:
    error = output(capsys, "analyze", "pass", "--rolls", rolls, code=2)
    assert f"{rolls}: a whole number from 1 to 1e15" in error


@pytest.mark.whole
def test_charts_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    laws, ruin, hand, points = (tmp_path / name for name in ("laws.svg", "ruin.png", "hand.svg", "points.svg"))
    output(capsys, "analyze", "pass", "field", "--rolls", "20", "--plot", str(laws), "--plot-ruin", str(ruin))
    output(capsys, "shooter", "--plot", str(hand))
    output(capsys, "shooter", "--count", "points", "--different", "--plot", str(points))
    assert "field" in laws.read_text(encoding="utf-8")
    assert ruin.read_bytes().startswith(b"\x89PNG")
    assert hand.stat().st_size > 1000
    assert "Different points" in points.read_text(encoding="utf-8")


def test_one_hand_in_five_and_a_half_billion_has_154_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "shooter", "--at-least", "154").splitlines()
    assert shown[0].endswith("1 in 5.59e+09")
    assert float(1 / Fraction(shown[1])) == pytest.approx(5.59e9, rel=1e-3)


def test_the_law_of_a_hand_has_its_mean_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Mean 1671/196 = 8.525510" in output(capsys, "shooter")
    law = json.loads(output(capsys, "shooter", "--count", "points", "--json"))
    assert law["mean"] == "67/98"
    assert law["law"][0] == [0, "98/165", "1"]
    fewer = json.loads(output(capsys, "shooter", "--count", "points", "--different", "--at-least", "6", "--json"))
    assert float(Fraction(fewer["chance"])) == pytest.approx(0.000162, abs=5e-7)  # all six points: 1 in 6,156
    assert "1 in 6.16e+03" in output(capsys, "shooter", "--count", "points", "--different", "--at-least", "6")
    assert "--different is for points and numbers" in output(capsys, "shooter", "--different", code=2)
    assert "1 in 1.28e+64" in output(capsys, "shooter", "--at-least", "1000")
    assert "--count tens: choose one of rolls, points" in output(capsys, "shooter", "--count", "tens", code=2)


def test_sessions_are_solved_backwards(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "analyze", "pass", "--rolls", "50", "--ruin-at-most", "5%")
    assert "ruin with a chance of at most 5%" in shown
    rows = {line[:18].strip(): line.split()[-1] for line in shown.splitlines()}
    assert (rows["smallest bankroll"], rows["just fails"]) == ("80.00", "70.00")
    asked = ("analyze", "pass", "--bankroll", "100", "--json")
    (goal,) = json.loads(output(capsys, *asked, "--rolls", "50", "--goal-at-least", "1/4"))
    assert (goal["found"], goal["meets"]["cents"], goal["fails"]["cents"]) == ("highest goal", 140_00, 150_00)
    (rolls,) = json.loads(output(capsys, *asked, "--goal", "150", "--rolls-for", "0.25"))
    assert (rolls["chance_of"], rolls["meets"]["rolls"], rolls["fails"]["rolls"]) == ("goal reached", 67, 66)
    assert rolls["fails"]["chance"] < 0.25 <= rolls["meets"]["chance"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--ruin-at-most", "5"), "'5' is not a chance: write it as 5%, 0.05 or 1/20"),
        (("--ruin-at-most", "5%", "--rolls-for", "5%"), "--ruin-at-most and --rolls-for: ask one at a time"),
        (("--goal-at-least", "5%", "--goal", "600"), "the second finds the goal; leave out the first"),
        (("--ruin-at-most", "5%", "--finish"), "--ruin-at-most and --finish: the answer is a number"),
        (("--ruin-at-most", "5%", "--short", "ride"), "ruin need not fall with it"),
    ],
)
def test_a_question_that_cannot_be_answered_backwards_is_refused(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    assert why in output(capsys, "analyze", "pass", *options, code=2)


def test_the_longest_of_many_hands_and_the_eigenvalues_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  50%  144" in output(capsys, "shooter", "--longest-of", "1e9")
    answer = json.loads(output(capsys, "shooter", "--longest-of", "1e9", "--at-least", "154", "--spectrum", "--json"))
    tail = float(Fraction(answer["chance"]))
    assert answer["chance_in_any"] == pytest.approx(1 - (1 - tail) ** 1e9, rel=1e-6)
    assert answer["eigenvalues"][0][0] == pytest.approx(0.862473751659322, abs=1e-15)
    assert answer["denominator"][0] == 23328
    assert "no eigenvalues" in output(capsys, "shooter", "--count", "points", "--different", "--spectrum", code=2)
