"""The structure of a file against its model: every fault with its key, whatever the model is."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from passline.rules.pages.structure import convert_data, faults_of
from passline.rules.pages.texts import RulebookFaults
from passline.rules.schema import WagerEntry


class Berth(Struct, forbid_unknown_fields=True):
    """A model that no rulebook has, as the office and tournaments will bring theirs."""

    name: str
    kind: Literal["quay", "pier"]
    metres: Annotated[int, Meta(ge=1, le=400)]
    since: date | None = None
    open: bool = True
    crew: tuple[str, ...] = ()
    lengths: dict[str, int] = {}
    marks: str | tuple[str, ...] = "none"


SOUND: dict[str, Any] = {"name": "North", "kind": "quay", "metres": 12}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, []),
        ({"since": date(2014, 7, 15), "crew": ["Ann", "Bob"], "marks": ["a"], "lengths": {"a": 1}}, []),
        ({"nmae": "x"}, ["nmae: is not a key here"]),
        ({"lenght": {}}, ["lenght: is not a key here; did you mean lengths?"]),
        ({"name": 3}, ["name: 3 must be text in quotes"]),
        ({"name": ""}, ["name: is an empty text; write one, or leave the key out where it is optional"]),
        ({"name": "North "}, ["name: 'North ' must be on one line, without spaces around it"]),
        ({"name": "North\nSouth"}, ["name: 'North\\nSouth' must be on one line, without spaces around it"]),
        ({"kind": "peer"}, ["kind: 'peer' is not one of pier, quay; did you mean pier?"]),
        ({"kind": 1}, ["kind: 1 is not one of pier, quay"]),
        ({"metres": 0}, ["metres: 0 is below 1, the least possible"]),
        ({"metres": 401}, ["metres: 401 is above 400, the most possible"]),
        ({"metres": True}, ["metres: true must be a whole number"]),
        ({"metres": 1.5}, ["metres: 1.5 must be a whole number"]),
        ({"since": "lately"}, ["since: 'lately' must be a day, such as 2014-07-15 without quotes"]),
        ({"open": 1}, ["open: 1 must be true or false"]),
        ({"crew": "Ann"}, ["crew: 'Ann' must be a list"]),
        ({"crew": []}, ["crew: is empty; leave it out, or name something"]),
        ({"crew": ["Ann", "Bob", "Ann"]}, ["crew: has Ann 2 times; write it once"]),
        ({"crew": ["Ann", 3]}, ["crew[1]: 3 must be text in quotes"]),
        ({"lengths": {"a": "long"}}, ["lengths.a: 'long' must be a whole number"]),
        ({"lengths": {"b": []}}, ["lengths.b: a list must be a whole number"]),
        ({"lengths": {" a": 1}}, ["lengths: ' a' is not a name: write it without spaces around it"]),
        ({"lengths": 3}, ["lengths: 3 must be a table"]),
        ({"marks": {}}, ["marks: a table must be text in quotes or a list"]),
        ({"name": 3, "kind": "x"}, ["name: 3 must be text in quotes", "kind: 'x' is not one of pier, quay"]),
    ],
)  # fmt: skip
def test_every_fault_is_named_with_its_key(changed: dict[str, Any], told: list[str]) -> None:
    known = [fault.partition("; known are")[0] for fault in map(str, faults_of({**SOUND, **changed}, Berth))]
    assert known == told


def test_missing_keys_are_listed_after_the_others() -> None:
    faults = [str(fault) for fault in faults_of({"name": 3}, Berth)]
    assert faults == ["name: 3 must be text in quotes", "kind: is missing", "metres: is missing"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({}, "pass: family is missing; it is one of "),
        ({"family": "lime"}, "pass.family: 'lime' is not one of "),
    ],
)
def test_a_table_of_several_kinds_is_read_by_its_family(entry: dict[str, Any], told: str) -> None:
    (fault,) = faults_of({"pass": entry}, dict[str, WagerEntry])
    assert str(fault).startswith(told)
    (wrong,) = faults_of({"pass": 3}, dict[str, WagerEntry])
    assert str(wrong) == "pass: 3 must be a table"


def test_a_sound_file_is_converted_and_another_is_refused_with_its_label() -> None:
    assert convert_data(SOUND, Berth, "harbour/berths.toml").metres == 12
    with pytest.raises(RulebookFaults) as caught:
        convert_data({**SOUND, "metres": "x", "open": "y"}, Berth, "harbour/berths.toml")
    assert caught.value.faults == (
        "harbour/berths.toml: metres: 'x' must be a whole number",
        "harbour/berths.toml: open: 'y' must be true or false",
    )
