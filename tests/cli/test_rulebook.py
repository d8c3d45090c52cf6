"""`passline rulebook` as people run it: begin a regulation, check it, list, read and compare."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.checks import clauses as checked
from passline.rules.pages.clause_matrix import Clause
from passline.rules.pages.library import regulations
from tests.tables.changed_rulebook import new_process

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "adding-a-regulation.md"


def _ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["rulebook", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def shelf(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """A folder with a rulebook that has just been begun."""
    assert _ran(capsys, "new", "new_harbour", "--into", tmp_path / "rulebooks")[0] == 0
    return tmp_path / "rulebooks"


def test_what_is_begun_is_sound_and_every_clause_is_cited(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    code, out, err = _ran(capsys, "check", "New-Harbour", "--rulebooks", shelf)
    assert (code, err) == (0, "")
    assert "new_harbour: sound; 10 wagers, craps, " in out
    assert "each cited" in out
    assert _ran(capsys, "check", shelf / "new_harbour")[0] == 0
    assert "new_harbour" not in regulations()
    text = (shelf / "new_harbour" / "wagers.toml").read_text(encoding="utf-8")
    assert text.startswith("#:schema ../schemas/wagers.json\n")
    assert 'cite = "NEW-HARBOUR-2.1"' in text
    assert (shelf / "schemas" / "wagers.json").is_file()


def test_what_is_begun_says_no_more_of_elections_than_it_must(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    page = shelf / "new_harbour" / "elections.toml"
    head, *entries = re.split(r"(?m)^(?=\[)", page.read_text(encoding="utf-8"))
    assert 0 < len(entries) < 15
    for entry in entries:
        page.write_text(head + "".join(other for other in entries if other is not entry), encoding="utf-8")
        key = entry.partition("]")[0].removeprefix("[")
        new_process()
        assert f"elections.toml: {key}: is missing" in "".join(_ran(capsys, "check", shelf / "new_harbour")[1:])


def test_a_copy_of_a_regulation_is_as_sound(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert _ran(capsys, "new", "desert", "--like", "Arizona", "--into", tmp_path)[0] == 0
    code, out, err = _ran(capsys, "check", tmp_path / "desert")
    assert (code, err) == (0, "")
    assert "office: sound\ntournament: sound\n" in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("New Harbour", "New Harbour: cannot name a rulebook"),
        ("practice", "practice: cannot name a rulebook"),
        ("maryland", "maryland: is the name of a rulebook already"),
        ("new_harbour", "new_harbour: is there already; choose another name, or another place with --into DIR"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(
    capsys: pytest.CaptureFixture[str], shelf: Path, name: str, said: str
) -> None:
    code, out, err = _ran(capsys, "new", name, "--into", shelf)
    assert (code, out) == (2, "")
    assert said in err


def test_every_fault_is_a_line_whatever_part_it_is_in(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    folder, matrix = shelf / "new_harbour", shelf / "clauses" / "new_harbour.csv"
    page = folder / "wagers.toml"
    page.write_text(page.read_text(encoding="utf-8").replace('name = "Any Seven"', "nmae = 7"), encoding="utf-8")
    matrix.write_text(matrix.read_text(encoding="utf-8").replace(",engine,", ",motor,", 1), encoding="utf-8")
    (folder / "office").mkdir()
    (folder / "office" / "dice.toml").write_text("[acs]\n", encoding="utf-8")
    code, out, err = _ran(capsys, "check", folder)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert any(line.startswith("clauses/new_harbour.csv:2: kind: ") for line in lines)
    assert any(line.startswith("new_harbour/wagers.toml: any_seven.nmae: is not a key here") for line in lines)
    assert any(line.startswith("new_harbour/office/dice.toml: acs: is not a section") for line in lines)
    assert re.fullmatch(rf"new_harbour: {len(lines) - 1} faults in .*new_harbour", lines[-1])


def test_a_clause_that_nobody_cites_is_a_fault(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    matrix = shelf / "clauses" / "new_harbour.csv"
    with matrix.open("a", encoding="utf-8") as file:
        file.write("NEW-HARBOUR-9,s. 9,dice,Dice are blue.,house,engine,,,,game\n")
    code, out, _ = _ran(capsys, "check", shelf / "new_harbour")
    assert (code, "NEW-HARBOUR-9: no entry cites it" in out) == (1, True)


def test_without_a_matrix_that_is_said(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    (shelf / "clauses" / "new_harbour.csv").unlink()
    said = "there is no clauses/new_harbour.csv beside its folder, so citations are not checked"
    assert said in _ran(capsys, "check", shelf / "new_harbour")[1]
    assert _ran(capsys, "matrix", shelf / "new_harbour")[0] == 2


def test_the_list_has_places_titles_and_faults(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    (shelf / "wreck").mkdir()
    (shelf / "wreck" / "general.toml").write_text('title = "Wreck"\n', encoding="utf-8")
    code, out, err = _ran(capsys, "list", "--rulebooks", shelf)
    assert (code, err) == (0, "")
    assert f"PASSLINE_RULEBOOKS {shelf}\n  new_harbour  New harbour craps\n  wreck        cannot be read:\n" in out
    assert "               wreck/general.toml: games: is missing" in out


def test_the_rulebook_and_its_clauses_are_printed_in_words(capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    assert "Any Seven" in _ran(capsys, "show", shelf / "new_harbour")[1]
    out = _ran(capsys, "matrix", shelf / "new_harbour")[1]
    assert (
        "NEW-HARBOUR-2.10  s. 2.10  engine, game\n    Any seven: one roll, on 7.\n    in wagers.toml: any_seven" in out
    )


def test_a_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _ran(capsys, "schema", "wagers.toml")
    assert (code, '"$schema"' in out) == (0, True)
    assert _ran(capsys, "schema", "tides")[0] == 2


def test_the_guide_explains_every_column_and_every_word_of_the_matrix(shelf: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8").replace("\\|", "|")
    listed = set(re.findall(r"`([^`]+)`", text[text.index("| column |") : text.index("## 2.")]))
    words = {"bet", "bets", "role", "approvals", "lab", *checked._MEDIA, *checked._FIGURES, *checked._ROLES}
    assert words | set(checked._KEYS) | set(checked._TERMS) <= listed
    assert set(Clause.__struct_fields__) <= listed
    with (shelf / "clauses" / "new_harbour.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == list(Clause.__struct_fields__)


def test_what_is_unlike_without_a_word_is_shown_and_is_no_fault(
    capsys: pytest.CaptureFixture[str], shelf: Path
) -> None:
    """Similar wagers may differ by law; whoever checks the regulation looks at each difference once."""
    page = shelf / "new_harbour" / "wagers.toml"
    before, head, entry = page.read_text(encoding="utf-8").partition("[dont_come]\n")
    unbarred = re.sub(r"^first_void = .*\n", "", entry, count=1, flags=re.MULTILINE).replace("[2, 3]", "[2, 3, 12]", 1)
    page.write_text(before + head + unbarred, encoding="utf-8")
    code, out, _err = _ran(capsys, "check", shelf / "new_harbour")
    assert "to look at: new_harbour/wagers.toml: dont_come.first_void: is missing, though dont_pass has it" in out
    assert (code, "new_harbour: sound" in out) == (0, True)
