"""`passline simulate` and `passline replay`: their output, their files and their errors."""

import json
from pathlib import Path

import pytest

from passline.cli.main import main


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command. Return its exit code, output and errors."""
    code = main([str(one) for one in arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_strategies_are_shown_side_by_side_with_the_exact_answers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "simulate", "molly", "pass", "--sessions", "2e4", "--seed", 7, "--goal", 750)
    assert (code, err) == (0, "")
    assert out.startswith("20,000 sessions from 500.00, at most 200 rolls, goal 750.00; short of money")
    assert "24.727450%" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("goal")] == ["goal"]
    again = ran(capsys, "simulate", "molly", "pass", "--sessions", 20000, "--seed", 7, "--goal", 750, "--cores", 1)
    assert again == (code, out, err)


def test_json_counts_every_session(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "simulate", "pass", "--sessions", 1000, "--hands", 5, "--no-exact", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["sessions"] == sum(found["endings"].values()) == 1000
    assert sum(count for _, count in found["histograms"]["final"]) == 1000
    assert "exact" not in found


def test_charts_and_records_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot, records = tmp_path / "chart.svg", tmp_path / "sessions.csv"
    options = ("--sessions", 500, "--plot", plot, "--charts", "final,survival", "--records", records)
    code, _, err = ran(capsys, "simulate", "pass", *options)
    assert (code, err) == (0, "")
    assert plot.read_bytes().startswith(b"<?xml")
    assert len(records.read_text(encoding="utf-8").splitlines()) == 501


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sessions", "1.5"), "a whole number from 1 to 1e15"),
        (("--sessions", "many"), "a whole number from 1 to 1e15"),
        (("--plot", "chart.gif"), "the name must end in .png, .svg, .pdf"),
        (("--records", "nowhere/sessions.csv"), "there is no such folder"),
        (("--bankroll", "5"), "is below the first outlay of 10.00"),
        (("--seed", "-1"), "is not a seed"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_played(
    options: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ran(capsys, "simulate", "pass", *options)
    assert (code, out) == (2, "")
    assert why in err


def test_records_of_several_strategies_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = ran(capsys, "simulate", "pass", "molly", "--records", tmp_path / "sessions.csv")
    assert code == 2
    assert "for one strategy" in err


def test_sessions_are_added_until_the_precision_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "simulate", "pass", "--sessions", 1000, "--auto-precision", "0.50", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert (found["mean_cents"][2] - found["mean_cents"][1]) / 2 <= 50
    assert found["sessions"] > 1000


def test_a_replay_shows_every_roll_and_agrees_with_the_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "replay", "molly", "--seed", 7, "--session", 3, "--rolls", 12)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "session 3 of seed 7: molly, from 500.00, at most 12 rolls"
    assert lines[-2:] == [
        "ended: limit after 12 rolls with 702.00, 200.00 wagered",
        "the simulator plays the same session",
    ]
    assert "  12  3-5        702.00" in lines


def test_a_replay_shows_when_the_player_sits_out(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--short", "ride", "--shooter-loss", 20, "--rolls", 120)
    code, out, _ = ran(capsys, "replay", "field", "--seed", 1, "--session", 0, *options)
    assert code == 0
    assert "sits out until the next shooter" in out
