"""`passline simulate` and `passline replay`: their output, their files and their errors."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from passline import Rules, Terms
from passline.automaton.arrays import Short
from passline.cli.main import main
from passline.dice_weights import DiceWeights
from passline.exact.session.law import Solving
from passline.simulation.simulation import exact_of


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


def test_records_of_several_strategies_name_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    few = ("--sessions", 3, "--rolls", 5, "--no-exact", "--records", tmp_path / "sessions.csv")
    assert ran(capsys, "simulate", "pass", "pass", "field", *few)[0] == 0
    head, *rows = (tmp_path / "sessions.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("strategy,session,ending")
    assert [row.split(",")[:2] for row in rows] == [
        [f'"{name}"', str(session)] for name in ("pass", "field") for session in range(3)
    ]


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


class SlowClock:
    """A clock on which a second passes whenever somebody looks, so that every roll solved takes a second."""

    def __init__(self) -> None:
        self._now = count()

    def monotonic(self) -> float:
        return float(next(self._now))


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SlowClock()
    for module in ("simulate", "exact_beside"):
        monkeypatch.setattr(f"passline.cli.{module}.time", clock)


def _solved(monkeypatch: pytest.MonkeyPatch, *, interrupt: bool = False) -> list[int]:
    """Return a list that every roll solved for the exact answers will be in; interrupt at the fifth on request."""
    solved: list[int] = []

    def noted(
        rules: Rules, strategy: str, terms: Terms, *, short: Short, dice: DiceWeights, solving: Solving
    ) -> object:
        def one(done: int, total: int | None) -> None:
            solved.append(done)
            if interrupt and done == 5:
                raise KeyboardInterrupt
            solving(done, total)

        return exact_of(rules, strategy, terms, short=short, dice=dice, solving=one)

    monkeypatch.setattr("passline.simulation.simulation.exact_of", noted)
    return solved


PLAY = ("simulate", "pass", "--sessions", "100", "--rolls", "300", "--json")


@pytest.mark.usefixtures("slow_clock")
def test_exact_answers_are_left_out_when_they_would_take_longer_than_the_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = _solved(monkeypatch)
    code, out, err = ran(capsys, *PLAY)
    (found,) = json.loads(out)
    assert (code, found["sessions"], "exact" in found) == (0, 100, False)
    assert err == "passline: the exact answers for pass would take longer than the play; --exact shows them\n"
    assert 0 < max(solved) < 30  # it was given up soon, not after the 300 seconds


@pytest.mark.usefixtures("slow_clock")
def test_exact_answers_that_are_asked_for_are_solved_however_long_they_take(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = _solved(monkeypatch)
    code, out, err = ran(capsys, *PLAY, "--exact")
    (found,) = json.loads(out)
    assert (code, err, max(solved)) == (0, "", 300)
    assert set(found["exact"]) >= {"ruin", "mean_cents"}


def test_exact_answers_that_are_not_wanted_are_not_begun(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = _solved(monkeypatch)
    code, out, err = ran(capsys, *PLAY, "--no-exact")
    assert (code, err, solved) == (0, "", [])
    assert "exact" not in json.loads(out)[0]


def test_an_interrupt_leaves_the_exact_answers_out_and_shows_the_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = _solved(monkeypatch, interrupt=True)
    code, out, err = ran(capsys, *PLAY)
    (found,) = json.loads(out)
    assert (code, found["sessions"], "exact" in found, max(solved)) == (0, 100, False, 5)
    assert err == "passline: the exact answers for pass are left out after Ctrl-C\n"


@pytest.mark.parametrize(
    ("is_kept", "first"),
    [(False, "compiling the kernels for this machine (once; about half a minute)"), (True, "loading the kernels")],
)
def test_waiting_for_kernels_and_for_exact_answers_is_shown(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    is_kept: bool,  # noqa: FBT001 - of a test
    first: str,
) -> None:
    begun: list[str] = []
    shown: list[tuple[int, int | None, str]] = []

    @contextmanager
    def bar(what: str) -> Iterator[Callable[[int, int | None, str], None]]:
        begun.append(what)
        yield lambda done, total, text: shown.append((done, total, text))

    for module in ("simulate", "exact_beside"):
        monkeypatch.setattr(f"passline.cli.{module}.progress_bar", bar)
    monkeypatch.setattr("passline.cli.simulate.has_kernels", lambda _folder: is_kept)
    assert ran(capsys, *PLAY, "--exact")[0] == 0
    text = "rolls of the exact answers for pass solved (Ctrl-C leaves them out)"
    assert [one for one in shown if one[2] == text][-1] == (300, 300, text)
    assert begun[0] == first
