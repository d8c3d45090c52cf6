"""`passline strategies`: the list, one strategy, JSON and errors."""

import json
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.strategy.lookup import known_strategies


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command. Return its exit code, output and errors."""
    code = main(["strategies", *(str(one) for one in arguments)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_every_strategy_is_listed_with_its_parameters_and_regulations(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = ran(capsys)
    assert (code, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines() if line[:1].islower()} == set(known_strategies())
    assert "                   unit=1000,odds=2,points=3; every regulation\n" in out
    assert "unit=500; colorado, maryland\n" in out
    assert max(map(len, out.splitlines())) <= 100


def test_one_strategy_is_shown_with_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "fire")
    assert (code, err) == (0, "")
    assert "Source: The rules of the wager itself" in out
    assert "unit = 500  cents of the wager\n" in out
    assert "Played under colorado, maryland.\nNot under section2: fire.toml: wish[0].make: section2 has no wager" in out
    assert out.endswith('[[wish]]\nmake = "fire"\ncents = "exact(unit)"\n')


def test_json_has_parameters_wagers_and_regulations(capsys: pytest.CaptureFixture[str]) -> None:
    every = json.loads(ran(capsys, "--json")[1])
    assert [one["name"] for one in every] == list(known_strategies())
    one = json.loads(ran(capsys, "hop", "--json")[1])
    assert one["parameters"]["numbers"] == {"default": [116, 125, 134], "about": "the pairs of dice"}
    assert one["wagers"] == ["hop"]
    assert one["regulations"] == ["colorado", "section2", "arizona", "maryland"]
    assert one["file"].startswith('name = "hop"\n')


def test_a_strategy_file_is_checked_and_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ndescription = "Big."\nsource = "Me."\n[[wish]]\nmake = "big"\non = [6]\ncents = 5\n'
    )
    code, out, _err = ran(capsys, path)
    assert code == 0
    assert "Played under colorado.\n" in out
    path.write_text(path.read_text().replace('"big"', '"bigg"'))
    code, out, err = ran(capsys, path)
    assert (code, out) == (2, "")
    assert f"passline: {path}: wish[0].make: colorado has no wager 'bigg'; did you mean big?" in err


def test_an_unknown_name_is_refused_with_the_nearest_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "fier") == (2, "", "passline: there is no strategy 'fier'; did you mean fire or field?\n")
