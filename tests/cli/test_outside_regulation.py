"""A regulation nobody has seen goes through every command: only the folder that it lies in is named."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.pages.library import FOLDERS
from tests.cases import one_in
from tests.forks import run_passline
from tests.rules.rulebooks import HARBOUR

pytestmark = pytest.mark.long

SHELF = str(HARBOUR.parent)
HAND = """rules harbour
player Ann 100.00
shooter Ann
wager Ann pass 10.00
roll 4-4
roll 6-2
expect Ann pass wins 10.00
"""
SESSION = ("--bankroll", "100", "--rolls", "20")
COMMANDS: dict[str, tuple[Sequence[str], str]] = {  # each with something that it prints
    "odds": (["odds", "Harbour", "--wager", "field"], "Par sheet: Harbour craps"),
    "house show": (["house", "show", "--rules", "harbour"], "Berth Bet"),
    "house new": (["house", "new", "--rules", "harbour"], 'rules = "harbour"'),
    "house check": (["house", "check", "{house}"], "lawful craps under harbour"),
    "house print": (["house", "print", "harbour", "--html", "-"], "Tide Bet"),
    "rulebook diff": (["rulebook", "diff", "harbour", "maryland"], "Harbour craps | "),
    "hands": (["hands", "{hand}"], "1 hand, 1 passed"),
    "conformance": (["conformance", "harbour"], "harbour"),
    "duties": (["duties", "harbour"], "office harbour"),
    "strategies": (["strategies"], "molly"),
    "analyze": (["analyze", "pass", "--rules", "harbour", *SESSION], "ruin"),
    "simulate": (["simulate", "pass", "--rules", "harbour", "--sessions", "1000", *SESSION], "pass"),
    "replay": (["replay", "pass", "--rules", "harbour", "--seed", "1", "--session", "1", *SESSION], "Quay"),
    "shooter": (["shooter", "--rules", "harbour"], "rolls"),
    "tournament example": (["tournament", "example", "--rules", "harbour"], "Regatta of Dice"),
    "tournament check": (["tournament", "check", "{plan}"], "lawful under harbour"),
    "tournament sheet": (["tournament", "sheet", "{plan}"], "Regatta of Dice"),
}


IN_MONEY = {"house show", "house print", "tournament check", "tournament sheet"}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    house, hand = tmp_path / "house.toml", tmp_path / "one.hand"
    house.write_text('rules = "harbour"\nname = "The Bollard"\nwager_cents_min = 300\n', encoding="utf-8")
    hand.write_text(HAND, encoding="utf-8")
    return {"house": str(house), "hand": str(hand), "plan": str(HARBOUR / "tournament" / "example" / "plan.toml")}


@pytest.mark.parametrize("name", one_in(4, COMMANDS, others=pytest.mark.whole))
def test_the_command_takes_it(capsys: pytest.CaptureFixture[str], files: dict[str, str], name: str) -> None:
    arguments, said = COMMANDS[name]
    code = main([*(word.format(**files) for word in arguments), "--rulebooks", SHELF])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert said in captured.out


@pytest.fixture
def in_euro(tmp_path: Path) -> Path:
    """A shelf whose rulebook counts in another currency."""
    shelf = tmp_path / "euro"
    shutil.copytree(HARBOUR, shelf / "harbour")
    page = shelf / "harbour" / "general.toml"
    page.write_text('currency = "€"\n' + page.read_text(encoding="utf-8"), encoding="utf-8")
    return shelf


@pytest.mark.parametrize(
    "name",
    one_in(4, [name for name in COMMANDS if name not in {"strategies", "rulebook diff"}], others=pytest.mark.whole),
)
def test_a_command_prints_the_sign_of_its_currency_alone(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], in_euro: Path, name: str
) -> None:
    arguments, said = COMMANDS[name]
    code = main([*(word.format(**files) for word in arguments), "--rulebooks", str(in_euro)])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert said in captured.out
    assert [line for line in captured.out.splitlines() if re.search(r"\$\d| \$", line)] == []
    assert ("€" in captured.out) is (name in IN_MONEY)


def test_the_option_leaves_the_environment_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    before = dict(os.environ)
    assert main(["house", "new", "--rules", "harbour", "--rulebooks", SHELF]) == 0
    assert dict(os.environ) == before
    assert main(["house", "new", "--rules", "harbour"]) == 2
    said = capsys.readouterr().err
    assert "there is no rulebook 'harbour'; choose colorado, section2, arizona, maryland (looked for in" in said


def test_the_environment_names_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDERS, SHELF)
    done = run_passline("odds", "harbour", "--wager", "field")
    assert (done.returncode, "Breakwater Bet" in done.stdout) == (0, True), done.stderr


def test_a_folder_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["odds", "maryland", "--rulebooks", str(tmp_path / "gone")]) == 2
    assert capsys.readouterr().err == f"passline: --rulebooks {tmp_path / 'gone'}: is not a folder\n"


def test_a_faulty_neighbour_breaks_no_command_about_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "general.toml").write_text("title = 1\n", encoding="utf-8")
    places = ("--rulebooks", str(tmp_path), "--rulebooks", SHELF)
    for arguments in (["odds", "harbour", "--wager", "field"], ["strategies"], ["house", "show"]):
        assert main([*arguments, *places]) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert main(["odds", "broken", *places]) == 2
    assert "broken/general.toml: title: " in capsys.readouterr().err
