"""Keys at the crew's keyboard, typed under node at any delay: each does what the model says that it means."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from passline.rules.rules import Rules
from passline.web.pages.crew_card import chips_in_use, crew_card
from tests.external_programs import program_path
from tests.web.scripts.typed_keys import Meant, Typed, clean_keys, pressed, random_keys, spots_of

pytestmark = pytest.mark.long

SCRIPT = Path(__file__).with_name("typed_ahead.js")
FAKED_MS = (0, 60, 150, 600, 2000)
REFUSED_CENTS = 777_00


RULES = Rules.of("maryland")
CARD = {**crew_card(RULES), "chips": chips_in_use(RULES)}
SPOTS = spots_of(CARD)


def type_all(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Type sequences of keys at keyboards with a faked clock, and return what became of each."""
    node = program_path("node", package="nodejs")
    asked = msgspec.json.encode({"card": CARD, "runs": list(runs)})
    done = subprocess.run([node, str(SCRIPT)], input=asked, capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()
    results: list[dict[str, Any]] = msgspec.json.decode(done.stdout)
    return results


def faked(random: Random, keys: list[Typed], place: int, *, requires: bool = True, refuses: int = -1) -> dict[str, Any]:
    """Return a run at one of the five delays, in which the table is shown with the answer, before it or after it."""
    delay, lag = FAKED_MS[place % 5], random.choice((-40, 0, 40))
    return {"delay": delay, "lag": lag, "requires": requires, "refuses": refuses, "seats": [1, 2, 3], "keys": keys}


def meaning_of(keys: list[Typed]) -> Meant:
    meant = Meant(SPOTS)
    for key in keys:
        meant.press(key)
    return meant


def done(result: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return what the faked table did, in the words of the model."""
    words = {"dice-out": (), "key-dice": ("first", "second"), "make-wager": ("seat", "wager", "number", "cents")}
    return [(one["command"], *(one[word] for word in words[one["command"]])) for one in result["log"]]


def not_taken(result: dict[str, Any]) -> list[str]:
    """Return every key of which the crew was told that it was not taken, also those it has dismissed."""
    lines = [line.removeprefix("Not taken: ") for line in result["told"] if line.startswith("Not taken: ")]
    dismissed = [" " if key == "Space" else key for line in lines for key in line.split(" ")]
    return [*dismissed, *result["keys"]]


each_count = pytest.mark.parametrize("count", [500, pytest.param(2_500, marks=pytest.mark.sweep)])


@each_count
def test_sequences_without_a_slip_do_exactly_what_was_typed(count: int) -> None:
    random = Random(30)
    typed = [clean_keys(random, SPOTS, acts=random.randint(2, 12)) for _ in range(count)]
    runs = [faked(random, keys, place, requires=place % 3 > 0) for place, keys in enumerate(typed)]
    wrong = []
    for keys, run, result in zip(typed, runs, type_all(runs), strict=True):
        meant = meaning_of(keys)
        is_right = done(result) == meant.commands and len(result["told"]) == meant.questions and not result["stops"]
        wrong += [] if is_right else [(run, meant.commands, result)]
    assert not wrong, (len(wrong), wrong[0])


@each_count
def test_sequences_of_any_keys_do_what_they_mean_and_drop_none_in_silence(count: int) -> None:
    """Each key is part of something done, or in the list of what was not placed or not taken."""
    random = Random(31)
    typed = [random_keys(random, SPOTS, length=random.randint(5, 40)) for _ in range(count)]
    runs = [faked(random, keys, place) for place, keys in enumerate(typed)]
    wrong, stops, questions = [], 0, 0
    for keys, run, result in zip(typed, runs, type_all(runs), strict=True):
        meant = meaning_of(keys)
        stops, questions = stops + meant.stops, questions + meant.questions
        found = sum(": not placed" in line for line in result["told"])
        is_shown = found in {meant.stops, meant.stops + bool(meant.die)} and not_taken(result) == meant.not_taken
        wrong += [] if done(result) == meant.commands and is_shown else [(run, meant, result)]
    assert not wrong, (len(wrong), wrong[0])
    assert stops > count * 0.4, stops
    assert questions > count * 0.04, questions


def test_what_a_refusal_stops_is_shown_wherever_it_comes() -> None:
    """A refusal comes at any time while keys are typed on: what is not done is named, what was not taken is listed."""
    random = Random(32)
    typed = []
    for _ in range(500):
        keys = clean_keys(random, SPOTS, acts=6)
        begin, *rest = keys
        typed.append([begin, *(pressed(key, begin[0]) for key in ("3", "f", "7", "7", "7", "Enter")), *rest])
    runs = [faked(random, keys, place, refuses=REFUSED_CENTS) for place, keys in enumerate(typed)]
    for keys, run, result in zip(typed, runs, type_all(runs), strict=True):
        meant = meaning_of(keys)
        assert meant.commands[0] == ("make-wager", 3, "field", 0, REFUSED_CENTS)
        first, *others = result["stops"]
        assert first["title"] == "Seat 3: Field $777: refused"
        assert not others, (run, result)
        taken = len(keys) - len(result["keys"])
        assert result["keys"] == [
            key[1] if not (key[1] == "Enter" and key[3]) else "Shift+Enter" for key in keys[taken:]
        ]
        given = [one for one, count in zip(meant.commands, meant.placed_by, strict=True) if count <= taken][1:]
        left = [one for one in first["left"] if not one.endswith("(half typed)")]
        assert done(result) == [], (run, result)
        assert len(left) == len(given), (run, meant, result)
