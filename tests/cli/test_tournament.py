"""`passline tournament` as people run it: its output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passline.cli.main import main


def _ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command; return its exit code, output and error output."""
    code = main(["tournament", *(str(one) for one in arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """The example of Colorado."""
    path = tmp_path / "plan.toml"
    path.write_text(_ran(capsys, "example")[1], encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "lawful"),
    [
        ("colorado", "Spring Craps Classic: lawful under colorado; a player could spend $630\n"),
        ("arizona", "Desert Shootout: lawful under arizona; a player could spend $120\n"),
    ],
)
def test_an_example_is_lawful(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, lawful: str) -> None:
    code, out, err = _ran(capsys, "example", "--rules", name)
    assert (code, err) == (0, "")
    path = tmp_path / "plan.toml"
    path.write_text(out, encoding="utf-8")
    assert _ran(capsys, "check", path) == (0, lawful, "")


def test_every_breach_is_a_line_with_its_clause(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    text = text.replace("buy_in_cents = 10000", "buy_in_cents = 3_333_400").replace("is_licensed = true\n", "")
    file.write_text(text, encoding="utf-8")
    breaches = (
        "premises.is_licensed: it is held on licensed premises only [CO-2315.03-place]\n"
        "events: a player could spend $100,182 on buy-ins; the limit is $100,000 [CO-2315.05-buyins]\n"
        "events: a player could spend $100,332 on entry fees and buy-ins together; the limit is $100,000"
        " [CO-2315.05-combined]\n"
        "events: in the initial rounds a player could buy chips for $100,182; the limit of buy-ins is $100,000"
        " [CO-2315.06-structure]\n"
    )
    assert _ran(capsys, "check", file) == (1, breaches, "")
    assert _ran(capsys, "sheet", file) == (1, breaches, "")


def test_a_plan_that_cannot_be_read_lists_its_faults(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace("splits = true", "split = true"), encoding="utf-8")
    expected = "split: is not a key here; did you mean splits?\n"
    assert _ran(capsys, "check", file) == (1, expected, "")
    file.write_text('name = "x"\n', encoding="utf-8")
    code, out, err = _ran(capsys, "check", file)
    assert (code, out) == (2, "")
    assert 'rules: a tournament names its regulation, such as rules = "colorado"' in err


@pytest.mark.parametrize("name", ["maryland", "section2"])
def test_a_text_without_tournaments_is_named(capsys: pytest.CaptureFixture[str], file: Path, name: str) -> None:
    file.write_text(f'rules = "{name}"\n', encoding="utf-8")
    for arguments in (["check", file], ["sheet", file], ["example", "--rules", name]):
        code, out, err = _ran(capsys, *arguments)
        assert (code, out) == (2, "")
        assert err.startswith(f"passline: {name}: its text (")
        assert "has no tournaments; those with tournaments are colorado, arizona" in err


def test_a_sheet_is_printed_with_its_clauses(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, err = _ran(capsys, "sheet", file)
    assert (code, err) == (0, "")
    assert out.startswith("Rules of the tournament Spring Craps Classic\n============")
    assert (
        "  house rules: Except as changed by these tournament rules, tournament play shall follow the house rules of"
        " Lucky Strike Casino. [CO-2315.08-1]\n"
    ) in out


def test_a_sheet_is_written_as_a_pdf(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    pdf = tmp_path / "sheet.pdf"
    code, out, err = _ran(capsys, "sheet", file, "--pdf", pdf)
    assert (code, err) == (0, "")
    data = pdf.read_bytes()
    assert data.startswith(b"%PDF")
    assert out == f"{pdf}: {len(data):,} bytes\n"
    code, out, err = _ran(capsys, "sheet", file, "--pdf", tmp_path / "sheet.txt")
    assert (code, out) == (2, "")
    assert "must end with .pdf" in err
    code, out, err = _ran(capsys, "sheet", file, "--pdf", tmp_path / "nowhere" / "sheet.pdf")
    assert (code, out) == (2, "")
    assert "No such file" in err


def test_a_plan_is_simulated_with_named_strategies(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for rolls in (60, 50):
        text = text.replace(f"rolls = {rolls}", "rolls = 5").replace("fifty rolls", "5 rolls")
    file.write_text(text, encoding="utf-8")
    words = ("simulate", file, "--entries", 20, "--runs", 3, "--strategies", "pass:unit=10000, field:unit=20000")
    code, out, err = _ran(capsys, *words)
    assert (code, err) == (0, "")
    assert "Main event: 20 entries, held 3 times, seed 0." in out
    assert "60 rolls an hour (45 seconds of wagering, 15 for the throw)" in out
    assert "one wager of the last roll decided it: " in out
    assert _ran(capsys, *words) == (0, out, "")
    code, out, _ = _ran(capsys, *words, "--json", "--pace", 120)
    found = json.loads(out)
    assert (code, found["runs"], sum(found["wins"]), found["minutes"]) == (0, 3, 3, 7.5)
    code, out, err = _ran(capsys, "simulate", file, "--event", "Nothing")
    assert (code, out) == (2, "")
    assert "Spring Craps Classic has no event 'Nothing'; it has Main event, Champions' table" in err
