"""A month of another system: what is planted in its files is found, line by line; bad files say where they are bad."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.errors import CrapsError
from passline.office.shadow.month import COLUMNS, read_month
from passline.office.shadow.replay import Finding, ShadowReport, replay_month
from tests.grids import every

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "shadow"
GUIDE = ROOT / "docs" / "guides" / "another-systems-month.md"


@pytest.fixture(scope="module")
def report() -> ShadowReport:
    """The report of the example, with something planted in each of its files."""
    return replay_month(read_month(EXAMPLE))


def _lines(report: ShadowReport, kind: str) -> dict[tuple[str, int], Finding]:
    return {(finding.file, finding.line): finding for finding in report.findings if finding.kind == kind}


def test_what_would_have_been_refused_is_named_by_line_and_clause(report: ShadowReport) -> None:
    refused = _lines(report, "refused")
    assert {place: finding.clause for place, finding in refused.items()} == {
        ("slips.csv", 8): "practice",
        ("slips.csv", 22): "nevada table games",
        ("slips.csv", 33): "practice",
        ("drops.csv", 74): "practice",
        ("boxes.csv", 89): "nevada table games",
    }
    assert "the same person has had this slip in hand before" in refused["slips.csv", 8].why
    assert refused["drops.csv", 74].why == "nobody is named who signed: who watches the box being taken off"


def test_what_would_have_been_found_is_named_by_line(report: ShadowReport) -> None:
    found = _lines(report, "found")
    assert "two people counted the inventory differently" in found["inventories.csv", 41].why
    assert "43 x $100.00; on record 44 x $100.00" in found["inventories.csv", 127].why
    assert "is missing" in found["boxes.csv", 23].why
    assert "2 of 3" in found["boxes.csv", 89].why
    assert found["slips.csv", 13].what == "fill slip 1211"
    assert "$1,706.66 less" in found["ratings.csv", 199].why
    assert sum(finding.kind == "found" for finding in report.findings) == len(found) - 1 + 2, "and a day nobody counted"


def test_the_win_is_that_of_the_files_added_up_by_hand(report: ShadowReport) -> None:
    """Of the table of which everything is known: last closer, credits and drop, less first opener and fills."""

    def rows(file: str) -> list[dict[str, str]]:
        with (EXAMPLE / file).open(encoding="utf-8", newline="") as lines:
            return [*csv.DictReader(lines)]

    def cents(text: str) -> int:
        return sum(int(unit) * int(count) for unit, _, count in (part.partition(":") for part in text.split()))

    inventories = [row for row in rows("inventories.csv") if row["table"] == "C1"]
    gone = cents(inventories[-1]["chips"]) - cents(inventories[0]["chips"]) + 100_00  # a chip that an opener missed
    slips = {
        kind: sum(cents(row["chips"]) for row in rows("slips.csv") if (row["kind"], row["table"]) == (kind, "C1"))
        for kind in ("fill", "credit")
    }
    drop = sum(cents(row["cash"]) for row in rows("boxes.csv") if row["box"].startswith("C1"))
    won = sum(result.win or 0 for result in report.results if result.table == "C1")
    assert won == gone + slips["credit"] + drop - slips["fill"]


def test_what_the_other_system_does_not_record_is_said_of_each_line(report: ShadowReport) -> None:
    lacking = [finding for finding in report.findings if finding.kind == "not recorded"]
    assert {finding.clause for finding in lacking} == {"nevada table games"}
    assert any("broken down in view" in finding.why for finding in lacking)


def test_under_another_regulation_other_clauses_are_named(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "month")
    head = tmp_path / "month" / "month.toml"
    head.write_text(
        head.read_text(encoding="utf-8").replace('"section2"', '"arizona"').replace('presets = ["nevada"]\n', "")
    )
    for file in ("inventories.csv", "drops.csv", "slips.csv", "boxes.csv"):
        path = tmp_path / "month" / file
        path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:12]))
    (tmp_path / "month" / "ratings.csv").unlink()
    clauses = {finding.clause for finding in replay_month(read_month(tmp_path / "month")).findings}
    assert any(clause.startswith("AZ-") for clause in clauses)


@every(bad=[
    ("slips.csv", "F1203,fill", "F1203,till", "kind: 'till' is not fill or credit"),
    ("slips.csv", ",flo,", ",flow,", "slips.csv:2: supervisor: 'flow' is not in people.csv"),
    ("boxes.csv", "2000:", "2000=", "is not chips by denomination"),
    ("drops.csv", "2026-02-02", "02/02/26", "drops.csv:2: at: '02/02/26 15:50' is not a local time"),
    ("drops.csv", "box_off", "box", "drops.csv:1: column 'box_off' is missing"),
    ("inventories.csv", ",day,", ",noon,", "inventories.csv:2: shift: month.toml has no shift 'noon'"),
    ("people.csv", "cashier", "caller", "people.csv:8: roles: 'caller' names no role 'caller'"),
    ("ratings.csv", ",30,", ",half,", "ratings.csv:2: minutes: 'half' is not a whole number"),
    ("month.toml", "section2", "atlantis", "month.toml: regulation: there is no 'atlantis'"),
    ("month.toml", "zone", "zones", "month.toml: facility.zones"),
])  # fmt: skip
def test_a_bad_file_says_its_line_and_column(tmp_path: Path, bad: tuple[str, str, str, str]) -> None:
    file, right, wrong, said = bad
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    path = tmp_path / file
    path.write_text(path.read_text(encoding="utf-8").replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(CrapsError, match=re.escape(said)):
        read_month(tmp_path)


def test_a_file_that_must_be_there_is_named(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "month")
    (tmp_path / "month" / "inventories.csv").unlink()
    with pytest.raises(CrapsError, match=r"inventories\.csv: is missing"):
        read_month(tmp_path / "month")


def test_the_command_prints_and_writes_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["office", "import", str(EXAMPLE), "--to", str(tmp_path / "month.xlsx")]) == 0
    assert (tmp_path / "month.xlsx").read_bytes()[:2] == b"PK"
    assert main(["office", "import", str(EXAMPLE)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"slips\.csv +8 .*same person has had this slip in hand before.* practice", said)


def test_the_guide_has_every_column() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    missing = [
        f"{file}: {name}"
        for file, columns in COLUMNS.items()
        for name, column in columns.items()
        if f"| `{name}` | {column.means}{'' if column.is_needed else ' (may be empty or left out)'} |" not in text
    ]
    assert not missing
