"""What every command has in common: exit codes, signals, outputs, names in any case, arguments that are checked."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from passline import Rules, Terms, analyze, simulate
from passline.automaton.terms import SessionError
from passline.cli import output
from passline.cli.main import main
from passline.cli.output import progress_bar, side_by_side
from tests.waiting import wait_until

RUN = [sys.executable, "-c", "import sys; from passline.cli.main import main; sys.exit(main())"]


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("simulate pass --auto-precision 0", "--auto-precision 0: the mean is never known exactly"),
        ("simulate pass --goal 400 --sessions 10", "a goal of 400.00 is not above the bankroll of 500.00"),
        ("analyze pass --goal 500 --rolls 5", "a goal of 500.00 is not above the bankroll of 500.00"),
        ("analyze pass --rolls 5 --finish --exact", "wagers are played out after a number of rolls, at a goal"),
        ("analyze pass --rolls 5 --json --plot -", "--json and --plot both name -"),
        ("shooter --json --plot -", "--json and --plot both name -"),
    ],
)
def test_what_cannot_be_done_is_refused_before_it_begins(
    capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    code, out, err = ran(capsys, *line.split())
    assert (code, out) == (2, "")
    assert said in err


def test_numbers_are_written_as_people_write_large_ones(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = ran(capsys, "analyze", "pass", "--rolls", "1e1", "--json")
    assert (code, json.loads(out)[0]["terms"]["rolls"]) == (0, 10)
    code, _out, err = ran(capsys, "analyze", "pass", "--rolls", "1.5")
    assert (code, "a whole number from 1 to 1e15" in " ".join(err.replace("│", " ").split())) == (2, True)


def test_open_wagers_count_at_face_and_the_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    _code, out, _err = ran(capsys, "analyze", "pass", "--rolls", "1")
    assert "Wagers still up at the end count at face; --finish plays them out." in out
    assert "501.11" in out
    _code, out, _err = ran(capsys, "analyze", "PASS", "--rolls", "1", "--finish", "--json")
    (found,) = json.loads(out)
    assert found["open_wagers"] == "played out"
    assert found["mean_cents"] == pytest.approx(500_00 - 10_00 * 7 / 495, abs=1e-6)


@pytest.mark.parametrize("strategy", ["pass:odds=2", "iron_cross", "dont_pass"])
@pytest.mark.parametrize("goal", [None, 530_00])
def test_wagers_are_played_out_whatever_ended_the_session(strategy: str, goal: int | None) -> None:
    """A fair share of the money is up at each end; playing it out costs what the house's edge takes of it."""
    terms = Terms(bankroll_cents=60_00, rolls=7, goal_cents=goal and 90_00)
    rules = Rules.of("maryland")
    at_face, finished = (analyze(rules, strategy, terms, finish=one).law for one in (False, True))
    assert at_face is not None
    assert finished is not None
    assert sum(finished.chances) == pytest.approx(1, abs=1e-12)
    assert (finished.ruin, finished.goal) == pytest.approx((at_face.ruin, at_face.goal), abs=1e-12)
    assert finished.mean_cents != pytest.approx(at_face.mean_cents, abs=1)
    assert finished.error < 1e-10
    assert finished.is_finished


def test_names_are_understood_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = ran(capsys, "HOUSE", "Show", "--RULES", "Section2", "--game", "Mini-Craps")
    assert (code, out.startswith("Section 2 craps and mini-craps")) == (0, True)


def test_python_arguments_are_checked() -> None:
    rules, terms = Rules.of("maryland"), Terms(bankroll_cents=100_00, rolls=5)
    with pytest.raises(SessionError, match="short='drop': choose stop"):
        analyze(rules, "pass", terms, short="drop")  # type: ignore[arg-type]
    with pytest.raises(SessionError, match="short='drop': choose stop"):
        simulate(rules, "pass", terms, short="drop")  # type: ignore[arg-type]
    for named, said in (
        ({"sessions": -5}, "sessions=-5: a whole number"),
        ({"seed": -1}, "seed=-1"),
        ({"precision_cents": 0.0}, "precision_cents=0.0"),
        ({"cores": 0}, "cores=0"),
    ):
        with pytest.raises(SessionError, match=said):
            simulate(rules, "pass", terms, **named)


def test_results_have_a_short_repr() -> None:
    rules, terms = Rules.of("maryland"), Terms(bankroll_cents=100_00, rolls=5)
    found = analyze(rules, "pass", terms)
    assert repr(found).startswith("<Analysis of pass, 7 states: <SessionLaw from 100.00, at most 5 rolls: ruin 0.0000")
    played = simulate(rules, "pass", terms, sessions=100)
    assert repr(played).startswith("<Simulation pass: 100 sessions from 100.00, at most 5 rolls, mean ")
    assert all(len(repr(one)) < 200 for one in (found, found.law, played, played.results))


def test_six_strategies_are_rows() -> None:
    names = [f"strategy_{number}:unit=1000,odds=2" for number in range(6)]
    facts = [[("states", "118"), ("ruin", "1.234567%"), ("mean", "499.12 ± 0.34"), ("50% quantile", "490.00")]] * 6
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(side_by_side(names, facts, width=80))
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert lines[0].split() == ["strategy", "mean", "ruin", "median"]
    assert [line.split()[0] for line in lines[1:]] == names
    assert all("499.12 ± 0.34" in line for line in lines[1:])


def test_progress_is_shown_after_a_second_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("PASSLINE_PROGRESS", "on")
    monkeypatch.setattr(output, "_PATIENCE_S", 0.05)
    with progress_bar("entries checked") as show:
        show(7, 20, "entries checked")
        wait_until(lambda: "passline: entries checked: 7 of 20, " in shown.getvalue())
    shown.seek(0)
    shown.truncate()
    monkeypatch.setattr(output, "_PATIENCE_S", 60)
    with progress_bar("entries checked"):
        pass
    assert shown.getvalue() == ""


def _started(*words: str, stdout: int | None = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen([*RUN, *words], stdout=stdout, stderr=subprocess.PIPE, text=True)


def test_a_broken_pipe_is_quiet_and_has_its_own_exit_code() -> None:
    read, write = os.pipe()
    os.close(read)
    done = _started("house", "show", stdout=write)
    os.close(write)
    assert (done.communicate(timeout=60)[1], done.returncode) == ("", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_says_what_to_do() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = _started("house", "show", stdout=full.fileno())
    error = done.communicate(timeout=60)[1]
    assert (done.returncode, error) == (
        2,
        "passline: standard output: No space left on device: free some room there, or name another place\n",
    )


@pytest.fixture
def running(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*RUN, *request.param.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PASSLINE_PROGRESS": "on"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - the background ignores it
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.long
@pytest.mark.parametrize(
    "running",
    ["simulate pass --rolls 100000 --sessions 1e6 --bankroll 100000000 --cores 1"],
    indirect=True,
    ids=["simulate"],
)
def test_long_sessions_show_progress_and_can_be_interrupted(running: subprocess.Popen[str]) -> None:
    """Slices go by rolls: a million sessions of 100,000 rolls report within moments, and Ctrl-C shows what is done."""
    assert running.stderr is not None
    for line in running.stderr:
        if "sessions played" in line:
            break
    running.send_signal(signal.SIGINT)
    out, _err = running.communicate(timeout=120)
    assert running.returncode == 0
    assert "Interrupted after " in out


@pytest.mark.long
@pytest.mark.parametrize("running", ["analyze pass --rolls 1e8"], indirect=True, ids=["analyze"])
@pytest.mark.whole
def test_long_mathematics_shows_progress_and_can_be_interrupted(running: subprocess.Popen[str]) -> None:
    assert running.stderr is not None
    assert any("solving pass" in line for line in running.stderr)
    running.send_signal(signal.SIGINT)
    out, _err = running.communicate(timeout=120)
    assert (running.returncode, out) == (130, "")


def test_defaults_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = ran(capsys, "simulate", "-h")
    shown = " ".join(out.replace("│", " ").split())
    assert code == 0
    for default in ("(maryland)", "(200 if no limit is given)", "1000000", "(unless they take longer than the play)"):
        assert f"[default: {default}]" in shown
