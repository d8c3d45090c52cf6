"""Files of sessions: every session in order, and never a file that is not finished."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from passline.automaton.arrays import ENDINGS
from passline.automaton.terms import Terms
from passline.errors import CrapsError
from passline.simulation.backends.cpu.backend import session_records
from passline.simulation.records import write_records
from passline.simulation.simulation import prepare_strategy
from tests.simulation.session_cases import MARYLAND

TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)


def test_a_file_has_every_session_in_order(tmp_path: Path) -> None:
    molly = prepare_strategy(MARYLAND, "molly", TERMS)
    path = tmp_path / "sessions.csv"
    write_records(molly.tables, molly.limits, path, seed=5, sessions=300)
    with path.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    ((_, rows),) = session_records(molly.tables, molly.limits, seed=5, sessions=300)
    assert [int(row["session"]) for row in read] == list(range(300))
    assert [ENDINGS.index(row["ending"]) for row in read] == rows[:, 0].tolist()
    assert [int(row["final_cents"]) for row in read] == (rows[:, 2] * molly.tables.unit).tolist()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(CrapsError, match=r"written as \.csv or \.parquet"):
        write_records(molly.tables, molly.limits, tmp_path / "sessions.txt", seed=5, sessions=3)


def test_an_interrupted_file_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.simulation.records._write_csv", stopped)
    molly = prepare_strategy(MARYLAND, "molly", TERMS)
    with pytest.raises(KeyboardInterrupt):
        write_records(molly.tables, molly.limits, tmp_path / "sessions.csv", seed=5, sessions=3)
    assert list(tmp_path.iterdir()) == []
