"""What a line stands for: each step of a hand file the command it is read into, each table the line it prints as.

cases/steps.txt and cases/tables.txt have the lines, cases/hands.txt whole hands on a line; where one cannot be read,
what is wrong with it is told below it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.errors import CrapsError
from passline.game.hand_files import play_hand
from passline.game.hand_files.steps import STEPS, Words, read_step
from passline.game.notation import format_table, parse_table
from tests.case_files import cases_of

CASES = Path(__file__).parent / "cases"
STEP_LINES, TABLE_LINES = cases_of(CASES / "steps.txt"), cases_of(CASES / "tables.txt")
HANDS = cases_of(CASES / "hands.txt")


def _step(line: str) -> str:
    name = max((name for name in STEPS if f"{line} ".startswith(f"{name} ")), key=len)
    try:
        return str(read_step(name, Words(line[len(name) :], {"Ann": 1, "Bob": 12})))
    except CrapsError as error:
        return str(error)


def _table(line: str) -> str:
    try:
        return format_table(parse_table(line))
    except CrapsError as error:
        return str(error)


def _hand(hand: str) -> list[str]:
    try:
        report = play_hand(hand.replace(" / ", "\n"), label="hand")
    except CrapsError as error:
        return [str(error)]
    return [f"{one.line} {one.step}: expected {one.expected}, got {one.got}" for one in report.differences]


@pytest.mark.parametrize(("line", "told"), STEP_LINES, ids=[line for line, _ in STEP_LINES])
def test_a_step_of_a_hand_is_read_into_its_command(line: str, told: list[str]) -> None:
    assert [_step(line)] == told


@pytest.mark.parametrize(("line", "told"), TABLE_LINES, ids=[line for line, _ in TABLE_LINES])
def test_a_table_is_read_from_its_line_and_prints_the_same_in_order(line: str, told: list[str]) -> None:
    assert [_table(line)] == told


@pytest.mark.parametrize(("hand", "told"), HANDS, ids=[hand for hand, _ in HANDS])
def test_a_hand_differs_from_what_it_says_as_is_told_and_no_more(hand: str, told: list[str]) -> None:
    assert _hand(hand) == told
