"""The steps of a hand file: cases/steps.txt has lines, each with its command or what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.errors import CrapsError
from passline.game.hand_files.steps import STEPS, Words, read_step
from tests.case_files import cases_of

STEP_LINES = cases_of(Path(__file__).parent.parent / "cases" / "steps.txt")


def _step(line: str) -> str:
    name = max((name for name in STEPS if f"{line} ".startswith(f"{name} ")), key=len)
    try:
        return str(read_step(name, Words(line[len(name) :], {"Ann": 1, "Bob": 12})))
    except CrapsError as error:
        return str(error)


@pytest.mark.parametrize(("line", "told"), STEP_LINES, ids=[line for line, _ in STEP_LINES])
def test_a_step_of_a_hand_is_read_into_its_command(line: str, told: list[str]) -> None:
    assert [_step(line)] == told
