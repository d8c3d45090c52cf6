"""`passline simulate` and `passline replay` as a person runs them."""

import json
from pathlib import Path

import pytest

from passline.cli.main import main


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command: its exit code, what it printed and what it complained of."""
    code = main([str(one) for one in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_strategies_stand_side_by_side_with_the_exact_answers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "simulate", "molly", "pass", "--sessions", "2e4", "--seed", 7, "--goal", 750)
    assert (code, err) == (0, "")
    assert out.startswith("20,000 sessions from 500.00, at most 200 rolls, goal 750.00; short of money")
    assert "24.727450%" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("goal")] == ["goal"]
    again = ran(capsys, "simulate", "molly", "pass", "--sessions", 20000, "--seed", 7, "--goal", 750, "--cores", 1)
    assert again == (code, out, err)


def test_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "simulate", "pass", "--sessions", 1000, "--hands", 5, "--no-exact", "--json")
    (said,) = json.loads(out)
    assert code == 0
    assert said["sessions"] == sum(said["endings"].values()) == 1000
    assert sum(count for _, count in said["histograms"]["final"]) == 1000
    assert "exact" not in said


def test_files_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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
        (("--plot", "chart.gif"), "is written as .png, .svg, .pdf"),
        (("--records", "nowhere/sessions.csv"), "there is no such folder"),
        (("--bankroll", "5"), "is below the first outlay of 10.00"),
        (("--seed", "-1"), "is not a seed"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(
    options: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ran(capsys, "simulate", "pass", *options)
    assert (code, out) == (2, "")
    assert why in err


def test_records_are_of_one_strategy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = ran(capsys, "simulate", "pass", "molly", "--records", tmp_path / "sessions.csv")
    assert code == 2
    assert "for one strategy" in err


def test_a_precision_adds_sessions(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "simulate", "pass", "--sessions", 1000, "--auto-precision", "0.50", "--json")
    (said,) = json.loads(out)
    assert code == 0
    assert (said["mean_cents"][2] - said["mean_cents"][1]) / 2 <= 50
    assert said["sessions"] > 1000


def test_a_session_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "replay", "molly", "--seed", 7, "--session", 3, "--rolls", 12)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "session 3 of seed 7: molly, from 500.00, at most 12 rolls"
    assert lines[-2:] == [
        "ended: limit after 12 rolls with 702.00, 200.00 wagered",
        "the simulator plays the same session",
    ]
    assert "  12  3-5        702.00" in lines


def test_a_shooter_is_sat_out_in_a_replay(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--short", "ride", "--shooter-loss", 20, "--rolls", 120)
    code, out, _ = ran(capsys, "replay", "field", "--seed", 1, "--session", 0, *options)
    assert code == 0
    assert "sits out until the next shooter" in out
