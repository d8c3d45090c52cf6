"""Deciding any command that JSON can express: it is carried out or refused, and never fails."""

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from passline.dice import Roll
from passline.game import commands as c
from passline.refusal import Refused
from passline.rules.elections import House
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.duties import DUTIES
from passline.tables.live import fold
from tests.cases import budget
from tests.tables.sitting import ANN, AT, BOB, CREW, OWNER, Sitting, table_for_two


def test_folding_a_decision_gives_the_table_after_it() -> None:
    sitting = table_for_two()
    command = c.MakeWager(seat=1, wager="pass", cents=10_00)
    verdict = decide(sitting.live, command, by=ANN, at=AT, approvals=Approvals())
    assert not isinstance(verdict, Refused)
    assert fold(sitting.live, verdict.command, verdict.events) == verdict.after


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=8), some, max_size=3),
    max_leaves=6,
)

TABLES = {*get_args(TableCommand)} - {k.OpenTable}

KEYS = [*House.__struct_fields__, "", "vigorish", "rulez"]


@settings(max_examples=budget(120, in_sweep=400))
@given(
    rules=st.sampled_from(["maryland", "colorado", "section2", "arizona", "", "../maryland", "clauses"]),
    house=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
)
def test_any_house_is_opened_or_refused(rules: str, house: dict[str, object]) -> None:
    command = k.OpenTable(name="Craps 1", house={"rules": rules, **house}, dice="physical")
    decide(None, command, by=OWNER, at=AT, approvals=Approvals())


def _any(kind: type) -> st.SearchStrategy[TableCommand]:
    return st.builds(
        kind, **{field.name: _VALUES_OF.get(field.type, st.from_type(field.type)) for field in fields(kind)}
    )


_NUMBERS = st.integers(0, 3) | st.integers(-(2**63), 2**63 - 1)  # what JSON is decoded to

_VALUES_OF = {
    int: _NUMBERS,
    dict[str, int]: st.dictionaries(st.text(max_size=2), _NUMBERS, max_size=2),
    dict[str, Any]: st.sampled_from([{}, {"rules": "maryland"}, {"rules": "colorado"}, {"rules": 3, "seats": "x"}]),
}

ANYTHING = st.one_of([_any(kind) for kind in DUTIES if kind in TABLES])

ANYBODY = st.sampled_from([ANN, BOB, *CREW.values()])


@settings(max_examples=budget(120, in_sweep=300))
@given(
    command=ANYTHING, by=st.sampled_from([ANN, BOB, *CREW.values()]), dice=st.sampled_from(["electronic", "physical"])
)
def test_any_command_that_can_be_decoded_is_decided(command: TableCommand, by: Actor, dice: str) -> None:
    sitting = Sitting(dice=dice)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), ANN)
    sitting.roll(2, 4)
    sitting.faces = [Roll(1, 1)]
    sitting.ask(command, by)
