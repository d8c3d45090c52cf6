"""`--on DAY` and NAME@DAY: the command line about the text of a day."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.pages.day import DAY as DAY_VARIABLE
from tests.rules.amended import NAME, ORDER, amended, write_amended
from tests.tables.changed_rulebook import new_process

__all__ = ["amended"]  # a fixture


def _ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([*map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_par_sheet_is_that_of_the_day(capsys: pytest.CaptureFixture[str], amended: Path) -> None:  # noqa: ARG001
    edges = {}
    for day in ("2026-12-31", "2027-01-01"):
        code, out, err = _ran(capsys, "odds", NAME, "--wager", "field", "--on", day)
        assert (code, err) == (0, "")
        edges[day] = "5.55" in out, "no edge" in out
    assert edges["2026-12-31"] != edges["2027-01-01"]
    assert DAY_VARIABLE not in os.environ


def test_one_regulation_on_two_days_side_by_side(capsys: pytest.CaptureFixture[str], amended: Path) -> None:  # noqa: ARG001
    code, out, err = _ran(capsys, "rulebook", "diff", f"{NAME}@2026-12-31", "Quay@2027-01-01")
    assert (code, err) == (0, "")
    assert "quay@2026-12-31  " in out
    assert "3 to 1" in out
    assert "Field: quay@2026-12-31 5.55" in out
    code, out, _err = _ran(capsys, "rulebook", "diff", f"{NAME}@2027-01-01", f"{NAME}@2027-01-02")
    assert code == 0
    assert "are one text" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("odds", NAME, "--on", "soon"), "--on soon: is not a day such as 2026-12-01"),
        (("rulebook", "diff", f"{NAME}@soon", NAME), "quay@ soon: is not a day"),
        (("verify", "--on", "2027-01-01"), ""),
    ],
)
def test_what_is_no_day_is_refused(
    capsys: pytest.CaptureFixture[str],
    amended: Path,  # noqa: ARG001
    arguments: tuple[str, ...],
    said: str,
) -> None:
    code, _out, err = _ran(capsys, *arguments)
    assert code
    assert said in err


def test_check_reads_the_texts_of_later_days(capsys: pytest.CaptureFixture[str], amended: Path) -> None:
    code, out, err = _ran(capsys, "rulebook", "check", NAME, "--on", "2026-06-01")
    assert (code, err) == (0, "")
    assert "changes on 2027-01-01: passline rulebook diff quay quay@2027-01-01" in out
    code, out, err = _ran(capsys, "rulebook", "check", NAME, "--on", "2027-06-01")
    assert (code, err) == (0, "")
    assert "amended by Order 27-01, in force from 2027-01-01" in out
    assert "amended" in _ran(capsys, "rulebook", "show", NAME, "--on", "2027-06-01")[1]
    write_amended(amended.parent, ORDER.replace("[house]\nwager_cents_max = 100000\n", ""), file="2027-01")
    new_process()
    code, out, err = _ran(capsys, "rulebook", "check", NAME, "--on", "2026-06-01")
    assert (code, err) == (1, "")
    assert "on 2027-01-01: quay/house.toml: wager_cents_max: " in out


def test_a_house_is_checked_on_a_day(capsys: pytest.CaptureFixture[str], amended: Path, tmp_path: Path) -> None:
    del amended
    house = tmp_path / "house.toml"
    house.write_text(f'name = "Pier"\nrules = "{NAME}"\nwager_cents_max = 200000\n', "utf-8")
    code, out, err = _ran(capsys, "house", "check", house, "--on", "2026-12-31")
    assert (code, err) == (0, "")
    assert "Pier: lawful craps under quay" in out
    assert "warning: from 2027-01-01 on (Order 27-01): wager_cents_max: 200000 is above the maximum, 100000" in out
    code, out, err = _ran(capsys, "house", "check", house, "--on", "2027-01-01")
    assert (code, err) == (1, "")
    assert "wager_cents_max: " in out
    house.write_text(f'name = "Pier"\nrules = "{NAME}"\nwager_cents_max = 100000\n', "utf-8")
    assert (
        "note: from 2027-01-01 on (Order 27-01): still lawful"
        in _ran(capsys, "house", "check", house, "--on", "2026-12-31")[1]
    )
    assert "Order" not in _ran(capsys, "house", "check", house, "--on", "2027-01-01")[1]
