"""`passline certify`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.exact.certificates import checker


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
