"""`passline odds`: the table, JSON, PDF and spreadsheet, and its errors."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

from passline import __version__
from passline.cli.main import main
from passline.documents.as_pdf import as_pdf
from passline.documents.as_xlsx import as_xlsx
from passline.exact.par.printed import groups, par_pages, printed_par
from passline.exact.par.sheet import sheet
from passline.rules.explain.paper_head import SIGNED_BY
from passline.rules.rules import Rules

pytestmark = pytest.mark.long

KEYS = {
    *("game", "wager", "number", "option", "stake", "win", "lose", "push", "edge", "edge_on_outlay", "edge_resolved"),
    *("edge_per_roll", "rolls", "sd", "variance", "pays", "favours", "favourable_stakes", "house", "clauses"),
    *("volatility_index", "greatest_gain", "greatest_gain_chance", "return_95"),
}
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
HOUSE = """\
rules = "colorado"
name = "The Rounding House"
unpayable = "round_up"
side_wagers = { fire = "FB-1" }
"""


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command. Return its exit code, output and errors."""
    code = main([str(one) for one in arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


@pytest.mark.whole
def test_the_table_fits_in_100_columns(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    code, out, err = ran(capsys, "odds", "--house", house)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    assert "…" not in out
    assert re.search(r"6, 8 +6\.00 45\.45 54\.55 +0\.00 +1\.5152 +1/66", out)
    assert "! 6, 8: no edge for the house at stakes of 5.00, 7.00-10.00" in out
    assert "The Rounding House" in out
    assert "edge per roll: the edge divided by the rolls" in out


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_the_table_fits_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.delenv("NO_COLOR", raising=False)
    code, out, _ = ran(capsys, "odds", "arizona", "--wager", "place_win")
    plain = COLOURS.sub("", out)
    assert code == 0
    assert out != plain
    assert max(map(len, plain.splitlines())) <= min(width, 100)
    assert "…" not in plain
    assert ("per roll " in plain) == (width >= 100)


def test_only_the_wager_asked_for_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "odds", "maryland", "--game", "craps", "--wager", "any_seven")
    assert code == 0
    assert "elected: pays 26 to 5" in out
    assert "! 26 to 5: the player has the edge" in out
    assert "Place" not in out


def test_json_has_the_keys_and_exact_values(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "odds", "section2", "--json", "--wager", "pass")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert all(set(row) == KEYS for row in rows)
    plain = rows[0]
    assert (plain["game"], plain["number"], plain["option"], plain["stake"]) == ("craps", None, None, 500)
    assert (plain["edge"], plain["rolls"], plain["push"]) == ("7/495", "557/165", "0/1")
    assert Fraction(plain["win"]) + Fraction(plain["lose"]) == 1
    assert abs(Decimal(plain["sd"]) ** 2 - Decimal("0.9998000204")) < Decimal("1e-9")
    assert {row["game"] for row in rows} == {"craps", "mini_craps"}
    assert "odds 2x" in {row["option"] for row in rows}


def test_json_is_limited_to_a_number_and_a_stake(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    options = ("--wager", "place_win", "--number", "6", "--stake", "5", "--json")
    code, out, _ = ran(capsys, "odds", "--house", house, *options)
    assert code == 0
    (row,) = json.loads(out)
    assert (row["number"], row["stake"], row["edge"], row["favours"]) == ("6", 500, "0/1", "nobody")
    assert row["favourable_stakes"][0] == {"first": 500, "last": 500, "step": 100}
    code, out, _ = ran(capsys, "odds", "colorado", "--rules", "colorado", "--game", "craps", *options)
    assert json.loads(out)[0]["option"] == "rounded up"


def test_a_hop_is_named_by_its_dice(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "odds", "arizona", "--wager", "hop", "--number", "3-1", "--json")
    assert code == 0
    assert [row["number"] for row in json.loads(out)] == ["1-3"]


@pytest.mark.whole
def test_a_pdf_is_the_same_every_time(capsys: pytest.CaptureFixture[str], tmp_path: Path, house: Path) -> None:
    files = tmp_path / "one.pdf", tmp_path / "two.pdf"
    for file in files:
        code, out, err = ran(capsys, "odds", "--house", house, "--pdf", file)
        assert (code, out, err) == (0, "", f"{file}: {file.stat().st_size:,} bytes\n")
    one, two = (file.read_bytes() for file in files)
    assert one.startswith(b"%PDF-")
    assert one == two


def test_a_spreadsheet_has_numbers_fractions_and_filters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sheet.xlsx"
    code, _, _ = ran(capsys, "odds", "maryland", "--game", "craps", "--wager", "any_seven", "--xlsx", file)
    assert code == 0
    with zipfile.ZipFile(file) as book:
        assert book.testzip() is None
        page = book.read("xl/worksheets/sheet1.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
        names = book.read("xl/workbook.xml").decode()
    assert re.search(r'<c r="J2" s="\d+"><v>0\.16666666666666\d*</v>', page), "the edge is a number"
    for text in ("any_seven", "26 to 5", "1/6", "-1/30", "player", "5.00-1000.00 by 5.00", "Maryland craps"):
        assert text in texts
    assert 'state="frozen"' in page
    assert '<autoFilter ref="A1:AE3"/>' in page
    assert 'name="definitions"' in names


def test_files_written_twice_are_the_same_bytes() -> None:
    made = sheet(Rules.of("section2"), wager="place_win")
    book_data = as_xlsx("Par sheet", par_pages(made))
    assert as_xlsx("Par sheet", par_pages(made)) == book_data
    assert as_pdf(printed_par(made)) == as_pdf(printed_par(made))
    with zipfile.ZipFile(io.BytesIO(book_data)) as book:
        assert len([name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]) == 3


def _texts(data: bytes) -> tuple[list[str], str]:
    """Return the names of a workbook's pages, and all its texts."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
        return names, book.read("xl/sharedStrings.xml").decode()


def test_one_workbook_has_several_houses_with_their_elections_and_heads(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, house: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text('rules = "colorado"\nname = "Bay: [Casino]"\nwager_cents_min = 1000\n', encoding="utf-8")
    book, pdf = tmp_path / "book.xlsx", tmp_path / "book.pdf"
    options = ("--wager", "field", "--xlsx", book, "--pdf", pdf, "--in-force", "2026-12-01")
    code, _out, err = ran(capsys, "odds", "--house", house, "--house", other, *options)
    assert code == 0, err
    assert pdf.read_bytes().startswith(b"%PDF-")
    names, texts = _texts(book.read_bytes())
    first, second = "The Rounding House", "Bay Casino"
    assert names == [first, f"{first} house", second, f"{second} house", "definitions"]
    for file in (house, other):
        assert sha256(file.read_bytes()).hexdigest() in texts
    for said in ("Table minimum", "$10", "2026-12-01", f"passline {__version__}", *SIGNED_BY):
        assert said in texts


def test_houses_of_one_name_have_pages_of_their_own() -> None:
    made = sheet(Rules.of("section2"), wager="field")
    names, _ = _texts(as_xlsx("Par sheets", par_pages(made, made)))
    assert len(set(names)) == len(names) == 5
    assert all(len(name) <= 31 for name in names)


def test_every_line_has_its_clauses_and_its_exact_edge() -> None:
    rules = Rules.of("maryland", house={"side_wagers": {"fire": "A", "lucky_shooter": "A"}})
    for wager in ("fire", "lucky_shooter", "place_win"):
        made = sheet(rules, wager=wager)
        (group,) = groups(made)
        edges = {str(line.par.edge) for line in made.lines}
        assert all(row.clauses.startswith("MD-") for row in group.rows)
        assert {row.exact or row.figures["fraction"] for row in group.rows} == edges


def test_numbers_with_equal_figures_share_a_row() -> None:
    (group,) = groups(sheet(Rules.of("section2"), wager="place_win"))
    assert [row.label for row in group.rows] == ["4, 10", "5, 9", "6, 8"]
    assert group.pays == ("pays 9 to 5 (4, 10), 7 to 5 (5, 9), 7 to 6 (6, 8)",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nevada",), "there is no rulebook 'nevada'; choose colorado, section2, arizona, maryland"),
        ((), "name a regulation (colorado, section2, arizona, maryland) or a --house FILE"),
        (("maryland", "--rules", "arizona"), "maryland or --rules arizona: name one regulation"),
        (("arizona", "--game", "mini_craps"), "arizona deals craps, not mini_craps"),
        (("arizona", "--wager", "plaice"), "there is no wager 'plaice' here; choose pass,"),
        (("arizona", "--wager", "place_win", "--number", "7"), "place_win is not made on 7; choose 4, 5, 6, 8, 9, 10"),
        (("arizona", "--wager", "place_win", "--number", "6", "--stake", "7"), "[AZ-"),
        (("arizona", "--stake", "five"), "'five' is not an amount in dollars"),
        (("arizona", "--stake", "0"), "a stake must be more than 0"),
        (("arizona", "--pdf", "nowhere/x.pdf"), "nowhere/x.pdf: there is no such folder"),
        (("--house", "missing.toml"), "there is no such file"),
        (("arizona", "--in-force", "2026-12-01"), "is for a house; name a --house FILE"),
        (("arizona", "--in-force", "soon"), "--in-force soon: is not a day such as 2026-12-01"),
    ],
)
def test_wrong_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, out, err = ran(capsys, "odds", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("passline: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_house_is_named_once(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    code, out, err = ran(capsys, "odds", "--house", house, "--house", house.parent / "." / house.name)
    assert (code, out) == (2, "")
    assert "is named twice; name each house once" in err


def test_a_house_of_another_regulation_is_refused(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    code, _, err = ran(capsys, "odds", "maryland", "--house", house)
    assert code == 2
    assert "is a house of colorado" in err


def test_a_terminal_shows_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, _ = ran(capsys, "odds", "arizona", "--wager", "hardway", "--json")
    assert code == 0
    assert len(json.loads(out)) == 4


def test_an_interrupt_exits_without_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.exact.par.sheet._lines", interrupted)
    code, out, err = ran(capsys, "odds", "arizona", "--wager", "hardway")
    assert (code, out) == (130, "")
    assert "Traceback" not in err


def test_several_outputs_are_made_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pdf, sheet = tmp_path / "sheet.pdf", tmp_path / "sheet.xlsx"
    code, out, _err = ran(capsys, "odds", "arizona", "--wager", "hardway", "--json", "--pdf", pdf, "--xlsx", sheet)
    assert (code, {line["wager"] for line in json.loads(out)}) == (0, {"hardway"})
    assert (pdf.read_bytes()[:5], sheet.read_bytes()[:2]) == (b"%PDF-", b"PK")
