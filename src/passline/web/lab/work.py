"""What a process of the laboratory does: it answers one question at a time, line by line, in JSON."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from time import monotonic

import msgspec

from passline.errors import CrapsError
from passline.refusal import Refusal
from passline.rules.elections import HouseBreaches
from passline.rules.pages.library import default_regulation
from passline.side_processes import Tell, unpack_question
from passline.web.lab.answers import LabLine, LabProgress, LabReady, LabRefused
from passline.web.lab.best import best_play_of
from passline.web.lab.checks import check_of
from passline.web.lab.hands import told_hands
from passline.web.lab.laws import Show, law_lines
from passline.web.lab.questions import (
    BestAsked,
    CheckAsked,
    HandsAsked,
    LabHouse,
    LabQuestion,
    LabSession,
    LabStrategy,
    LawAsked,
    Warming,
)

_SHOW_SECONDS = 0.2  # between two lines of progress
_FIRST = LabSession(100_00, rolls=5, goal_cents=120_00)
_MEMORY = (
    "this takes more memory than the laboratory has: play fewer rolls, bring less money, wager in larger units, or "
    "let the strategy remember less; `passline analyze` has all the memory of a machine of your own"
)


def answer(given: bytes, tell: Tell) -> bytes:
    """Answer a question: tell each line as it is known, and return nothing more."""
    last = 0.0

    def show(progress: LabProgress) -> None:
        nonlocal last
        if monotonic() - last > _SHOW_SECONDS:
            last = monotonic()
            tell(msgspec.json.encode(progress))

    try:
        for line in _lines(unpack_question(given, LabQuestion), show):
            tell(msgspec.json.encode(line))
    except HouseBreaches as house:
        tell(_refusal_line(*(Refusal(breach.clause, f"{breach.key}: {breach.problem}") for breach in house.breaches)))
    except MemoryError:
        tell(_refusal_line(Refusal("lab", _MEMORY)))
    except CrapsError as error:
        tell(_refusal_line(Refusal("lab", str(error))))
    return b""


def _lines(question: LabQuestion, show: Show) -> Iterator[LabLine]:
    match question:
        case LawAsked():
            yield from law_lines(question, show)
        case CheckAsked():
            yield check_of(question)
        case HandsAsked():
            yield told_hands(question)
        case BestAsked():
            yield best_play_of(question, show)
        case Warming(has_laws):
            rules = LabHouse(default_regulation())
            if has_laws:  # the kernels are loaded then
                deque(law_lines(LawAsked(rules, _FIRST, LabStrategy("pass"), 100), show), maxlen=0)
            else:
                check_of(CheckAsked(rules, LabStrategy("pass")))
            yield LabReady()


def _refusal_line(*refusals: Refusal) -> bytes:
    return msgspec.json.encode(LabRefused(refusals))
