"""`passline best`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passline.cli.main import main


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.whole
def test_the_file_it_writes_is_what_it_says_to_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "double.policy"
    assert main(["best", "--goal", "1000", "--unit", "100", "--rules", "maryland", "--save", str(file)]) == 0
    shown = capsys.readouterr().out
    chance = next(line for line in shown.splitlines() if line.startswith("chance")).split()[-1]
    play = next(line for line in shown.splitlines() if line.startswith("Play it: passline "))
    assert main([*play.removeprefix("Play it: passline ").split(), "--rules", "maryland"]) == 0
    reached = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("goal reached"))
    assert reached.split()[-1] == chance
    assert main(["strategies", str(file)]) == 2
    assert "is a policy" in capsys.readouterr().err
    assert main(["strategies", str(file), "--rules", "maryland", "--play", "2-2,3-4"]) == 0
    assert "before roll 2" in capsys.readouterr().out


def test_json_has_the_value_its_bounds_and_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["best", "--finish", "60", "--rolls", "3", "--bankroll", "30", "--menu", "field=10/20", "--unit", "10"]
    assert main([*arguments, "--rules", "maryland", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["gap"] == 0
    assert answer["value"] <= answer["upper"]
    assert answer["exact"].count("/") == 1
    assert answer["policy"][0]["runs"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--goal", "1000", "--longest"], "name one purpose"),
        ([], "name a purpose"),
        (["--longest"], "give --rolls or --hours"),
        (["--longest", "--rolls", "5", "--hours", "1"], "leave one out"),
        (["--goal", "400"], "is not above the bankroll"),
        (["--goal", "1000", "--menu", "molly"], "has no wager"),
        (["--goal", "1000", "--save", "double.toml"], "must end in .policy"),
        (["--finish", "0", "--rolls", "5"], "name an amount"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", "--rules", "maryland", *arguments]) == 2
    assert said in capsys.readouterr().err
