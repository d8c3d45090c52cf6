"""`passline certify`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.exact.certificates import certificate, checker


def test_a_certificate_is_written_checked_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, program = tmp_path / "pass.json", tmp_path / "check.py"
    asked = ["certify", "pass", "--bankroll", "50", "--rolls", "6", "--goal", "80", "--to", str(file)]
    assert main([*asked, "--checker", str(program)]) == 0
    assert "long run: edge on initial" in capsys.readouterr().out
    assert program.read_bytes() == Path(checker.__file__).read_bytes()
    assert main(["certify", "--verify", str(file)]) == 0
    assert "its arrays are those of the rules" in capsys.readouterr().out
    page = json.loads(file.read_text(encoding="utf-8"))
    assert page["proofs"]["session"]["goal_cents"] == 80_00
    file.write_text(file.read_text(encoding="utf-8").replace('"unit": 1000', '"unit": 2000'), encoding="utf-8")
    assert main(["certify", "--verify", str(file)]) == 2
    assert "refuted: its digest is not that of its content" in capsys.readouterr().err


@pytest.fixture
def digits_max() -> Iterator[int]:
    """The least that Python allows instead of its 4,300, which take a session of 2,800 rolls and two minutes."""
    usual, least = sys.get_int_max_str_digits(), sys.int_info.str_digits_check_threshold
    sys.set_int_max_str_digits(least)
    yield least
    sys.set_int_max_str_digits(usual)


def test_a_session_whose_fractions_are_longer_than_python_reads_is_certified(
    digits_max: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.json"
    asked = ["--rules", "maryland", "--bankroll", "10", "--goal", "30", "--rolls", "450"]
    assert main(["certify", "pass", *asked, "--to", str(file)]) == 0
    assert max(map(len, certificate.read_certificate(file).results["session"].values())) > 2 * digits_max
    capsys.readouterr()
    assert main(["certify", "--verify", str(file)]) == 0
    assert "confirmed by the checker" in capsys.readouterr().out
    alone = [sys.executable, "-I", "-X", f"int_max_str_digits={digits_max}", checker.__file__, str(file)]
    assert "CONFIRMED" in subprocess.run(alone, check=True, capture_output=True, text=True).stdout
    assert sys.get_int_max_str_digits() == digits_max


def test_a_wager_is_certified_at_its_minimum_or_a_stake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "--wager", "place-win", "--number", "6", "--to", "-"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["player"]["wager"] == {"kind": "place_win", "number": 6, "cents": 6_00, "odds": ""}
    assert "1/66" in told.err
    assert main(["certify", "--wager", "pass", "--stake", "10", "--odds", "pass_odds"]) == 0
    assert "7/1870" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to certify: name a STRATEGY"),
        (["pass", "--wager", "pass"], "STRATEGY and --wager: name a STRATEGY"),
        (["--wager", "place"], "has no wager 'place'; did you mean place_win, place_lose?"),
        (["pass", "--goal", "600"], "--goal 600: is for a session; give --rolls too"),
        (["pass", "--number", "6"], "--number 6: is for a wager; name it with --wager"),
        (["--verify", "no.json"], "no.json: there is no such file"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", *words]) == 2
    assert said in capsys.readouterr().err
