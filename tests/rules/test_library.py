"""Which rulebooks are known: those of the package, of installed packages and of named folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passline.acts.rules import office_of, sound_offices
from passline.rules.clauses import REGULATIONS, clauses_of, find_clause
from passline.rules.pages.library import FOLDERS, known_rulebooks, regulations
from passline.rules.pages.texts import RulebookError, RulebookFaults
from passline.rules.rulebook_reader import rulebook_of, sound_regulations, unsound_regulations
from passline.rules.rules import Rules
from tests.packages import pip_install
from tests.rules.rulebooks import HARBOUR

_MATRIX = "id,cite,area,summary,actor,kind,values,depends,trap,part\n"
_ROW = "HB-1,s. 1,wagers,Only these wagers.,house,engine,,,,office\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own with the invented rulebook, named in the environment."""
    folder = tmp_path / "shelf"
    shutil.copytree(HARBOUR, folder / "harbour")
    monkeypatch.setenv(FOLDERS, str(folder))
    return folder


def _write_matrix(shelf: Path, text: str) -> None:
    (shelf / "clauses").mkdir()
    (shelf / "clauses" / "harbour.csv").write_text(text, encoding="utf-8")


def test_a_folder_in_the_environment_is_known(shelf: Path) -> None:
    assert regulations() == (*REGULATIONS, "harbour")
    assert Rules.of("harbour").wagers["pass"].entry.name == "Quay Bet"
    assert office_of("harbour").name == "harbour"
    assert known_rulebooks().folder("harbour") == shelf / "harbour"


def test_the_folder_of_one_rulebook_may_be_named_itself(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(HARBOUR, shelf / "other")
    monkeypatch.setenv(FOLDERS, str(shelf / "harbour"))
    assert regulations() == (*REGULATIONS, "harbour")


def test_what_is_known_follows_the_environment(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = rulebook_of("harbour").digest
    other = shelf.parent / "other"
    shutil.copytree(HARBOUR, other / "harbour")
    page = other / "harbour" / "general.toml"
    page.write_text(page.read_text(encoding="utf-8").replace("Harbour craps", "Island craps"), encoding="utf-8")
    monkeypatch.setenv(FOLDERS, str(other))
    assert rulebook_of("harbour").general.title == "Island craps"
    assert rulebook_of("harbour").digest != digest


def test_a_name_that_nobody_has_is_refused_with_all_names_and_places(shelf: Path) -> None:
    with pytest.raises(RulebookError) as refused:
        rulebook_of("atlantis")
    said = str(refused.value)
    assert said.startswith("there is no rulebook 'atlantis'; choose colorado, section2, arizona, maryland, harbour (")
    assert f"looked for in Passline; PASSLINE_RULEBOOKS {shelf}" in said


def test_a_place_that_is_not_there_is_said_to_be(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, bare = shelf / "nowhere", shelf.parent / "bare"
    bare.mkdir()
    monkeypatch.setenv(FOLDERS, os.pathsep.join((str(gone), str(bare), str(shelf))))
    assert rulebook_of("harbour").name == "harbour"
    with pytest.raises(RulebookError) as refused:
        rulebook_of("atlantis")
    assert f"{gone} (No such file or directory)" in str(refused.value)
    assert f"{bare} (has no folder of a rulebook)" in str(refused.value)


@pytest.mark.parametrize("name", ["harbour", "maryland"])
def test_two_of_one_name_are_refused_and_the_others_work(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    other = shelf.parent / "other"
    shutil.copytree(HARBOUR, other / name)
    monkeypatch.setenv(FOLDERS, os.pathsep.join((str(shelf), str(other))))
    with pytest.raises(RulebookError, match=f"there are two rulebooks '{name}': of .* and of .*{other}; rename one"):
        rulebook_of(name)
    assert name not in sound_regulations()
    assert rulebook_of("colorado").name in sound_regulations()


@pytest.mark.parametrize("name", ["Harbour", "practice", "the-harbour"])
def test_a_name_that_cannot_stand_in_addresses_is_refused(shelf: Path, name: str) -> None:
    (shelf / "harbour").rename(shelf / name)
    with pytest.raises(RulebookError, match="is not a name for a rulebook"):
        known_rulebooks().folder(name)


def test_a_faulty_folder_is_named_with_file_and_key_and_breaks_no_other(shelf: Path) -> None:
    shutil.copytree(HARBOUR, shelf / "island")
    page = shelf / "island" / "wagers.toml"
    page.write_text(page.read_text(encoding="utf-8").replace('name = "Quay Bet"', "nam = 1"), encoding="utf-8")
    assert sound_regulations() == (*REGULATIONS, "harbour")
    faults = str(unsound_regulations()["island"])
    assert "island/wagers.toml: pass.nam" in faults
    assert "island" not in sound_offices()


def test_a_faulty_office_leaves_the_game_alone(shelf: Path) -> None:
    (shelf / "harbour" / "office" / "office.toml").write_text("[acs]\n", encoding="utf-8")
    assert "harbour" in sound_regulations()
    assert "harbour" not in sound_offices()
    with pytest.raises(RulebookFaults, match="harbour/office"):
        office_of("harbour")


def test_the_clause_matrix_lies_beside_the_folder(shelf: Path) -> None:
    _write_matrix(shelf, _MATRIX + _ROW)
    assert clauses_of("harbour")["HB-1"].cite == "s. 1"
    assert find_clause("HB-1") == ("harbour", clauses_of("harbour")["HB-1"])
    with pytest.raises(RulebookFaults, match=r"points: cites HB-2, which is not a clause of harbour"):
        rulebook_of("harbour")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (_MATRIX.replace("trap,", ""), "clauses/harbour.csv: trap: is missing from the first line"),
        (
            _MATRIX.replace("trap", "trick"),
            "clauses/harbour.csv: there is no column trick; the columns are: id,",
        ),
        (_MATRIX + _ROW.replace("engine", "motor"), "clauses/harbour.csv:2: kind: Invalid enum value 'motor'"),
        (_MATRIX + _ROW.replace("HB-1", ""), "clauses/harbour.csv:2: id: is empty"),
        (_MATRIX + _ROW.replace("HB-1", "HB 1"), "clauses/harbour.csv:2: id: 'HB 1' has a space or one of , ; | ="),
        (_MATRIX + _ROW + _ROW, "clauses/harbour.csv:3: id: HB-1 is the id of another row already"),
        (_MATRIX + _ROW.replace("engine,", "engine,pays"), "clauses/harbour.csv:2: values: 'pays' is not a word and"),
        (_MATRIX + _ROW.replace("engine,", "engine,a=1;a=2"), "clauses/harbour.csv:2: values: a is said twice"),
        (_MATRIX + _ROW.replace("engine,,", "engine,,HB-9"), "clauses/harbour.csv: HB-1: depends: HB-9: is not a"),
        (_MATRIX + "HB-1,s. 1\n", "clauses/harbour.csv:2: has not as many columns as the first line, which has 10"),
        (_MATRIX + '"HB-1,s. 1\n', "clauses/harbour.csv:2: unexpected end of data"),
    ],
)
def test_a_fault_of_the_matrix_has_its_file_and_line(shelf: Path, text: str, fault: str) -> None:
    _write_matrix(shelf, text)
    with pytest.raises(RulebookFaults) as refused:
        rulebook_of("harbour")
    assert fault in str(refused.value)
    assert find_clause("MD-5.A.5") is not None


PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "harbour-rules"
version = "1"

[project.entry-points."passline.rulebooks"]
harbour = "harbour_rules"
gone = "no_such_package.rulebooks"
"""


@pytest.mark.long
@pytest.mark.whole
def test_an_installed_package_has_a_shelf(tmp_path: Path) -> None:
    """A small package is built and installed; nothing of it is run, and one that is not there breaks nothing."""
    source, there = tmp_path / "source", tmp_path / "installed"
    shutil.copytree(HARBOUR, source / "harbour_rules" / "harbour")
    (source / "harbour_rules" / "__init__.py").write_text("raise SystemExit('code of a rulebook is run')\n", "utf-8")
    (source / "pyproject.toml").write_text(PACKAGE, encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, cwd=source, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    pip_install(Path(sys.executable), "--no-index", "--no-deps", "--target", str(there), str(wheel))
    known = {**os.environ, "PYTHONPATH": str(there), FOLDERS: ""}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "passline", *words]
        return subprocess.run(
            command, check=False, env=known, cwd=tmp_path, capture_output=True, text=True, timeout=600
        )

    listed = run("rulebook", "list").stdout
    assert f"package harbour-rules {there / 'harbour_rules'}\n  harbour   Harbour craps" in listed
    assert run("house", "new", "--rules", "harbour").returncode == 0
    refused = run("odds", "atlantis").stderr
    assert "choose colorado, section2, arizona, maryland, harbour" in refused
    assert "no_such_package.rulebooks (ModuleNotFoundError" in refused
