"""`passline play` as a command: options, plain mode, errors in one line."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from passline.cli.main import main

pytestmark = pytest.mark.long

Play = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return a function that plays the lines of a script."""

    def run(*options: str, lines: str = "") -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), encoding="utf-8"))
        code = main(["play", *options])
        said = capsys.readouterr()
        return subprocess.CompletedProcess(options, code, said.out, said.err)

    return run


def test_a_script_plays_line_by_line(play: Play) -> None:
    done = play("--dice", "seeded:7", lines="pass 10\nroll\npass 10\n\nodds\nroll\n")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    expected = ["Roll 1: 6-5. Yo-leven, front line winner.", "Roll 2: 3-2. Five, mark the point."]
    expected += ["Roll 3: 1-6. Seven out, line away.", "Your Pass odds 5 loses 40.00 [MD-6.A]"]
    assert [line for line in done.stdout.splitlines() if line in expected] == expected
    assert done.stdout.splitlines()[-1] == "Bought in for $500, leaving with $460: down $40."


def test_the_same_seed_throws_the_same_dice(play: Play) -> None:
    lines = "pass 10\nroll\nroll\nroll\nroll\nhistory\n"
    runs = {play("--plain", "--dice", f"seeded:{seed}", lines=lines).stdout for seed in (8, 8, 9)}
    assert len(runs) == 2


def test_dice_are_electronic_by_default_and_may_be_typed(play: Play) -> None:
    assert "Roll 1: " in play(lines="pass 10\nroll\n").stdout
    assert "Roll 1: 3-4. Seven, front line winner." in play("--dice", "typed", lines="pass 10\nroll\n34\n").stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rules", "atlantis"), "atlantis"),
        (("--rules", "colorado", "--game", "mini_craps"), "colorado deals craps"),
        (("--house", "no-such-file.toml"), "no-such-file.toml"),
        (("--dice", "loaded"), "--dice loaded: choose seeded:7"),
        (("--dice", "seeded:x"), "'x' is not a seed"),
        (("--bankroll", "lots"), "'lots' is not an amount in dollars"),
        (("--bankroll", "0"), "nothing to change"),
        (("--bankroll", "2.50"), "cannot be made of 1.00 chips"),
    ],
)
def test_bad_options_are_one_line(play: Play, options: tuple[str, ...], words: str) -> None:
    done = play(*options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_house_file_sets_name_and_limits(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('rules = "maryland"\nname = "The Quiet Corner"\nwager_cents_min = 2500\n', encoding="utf-8")
    done = play("--house", str(path), lines="pass 10\nquit\npass 25\n")
    assert "The Quiet Corner: craps, $25 to $5000" in done.stdout
    assert "10.00 is under the minimum, 25.00" in done.stdout
    assert "Your Pass Line is made" not in done.stdout  # after quit nothing is read


def test_junk_input_does_not_end_the_game() -> None:
    """In a process as people start it, whose input is bytes."""
    junk = b"\x00\xff\xfe\n" + b"x" * 5_000 + b"\n\xe2\x82\nfield 5\n"
    command = [sys.executable, "-m", "passline", "play", "--plain"]
    done = subprocess.run(command, input=junk, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"Your Field is made for 5.00" in done.stdout
    assert b"unknown word" in done.stdout
