"""Which program and which rulebook dealt what, in the words of verify."""

import pytest
from msgspec.structs import replace

from passline.rules.rulebook_reader import rulebook_of
from passline.tables.house_events import ServerStarted
from passline.tables.views.dealt_by import DealtBy, this_program
from tests.tables.sitting import ANN, Sitting

HERE = this_program()
MARYLAND = rulebook_of("maryland").digest


def start(program: str = HERE.version, code: str = HERE.code) -> ServerStarted:
    return ServerStarted("p", program, code, "3.11", {})


def dealt(*parts: tuple[ServerStarted | None, Sitting], is_kept: bool = True) -> DealtBy:
    found, sequence = DealtBy(), 0
    for started, sitting in parts:
        if started is not None:
            found.house((started,))
        for stored in sitting.entries:
            sequence += 1
            found.table(replace(stored.entry, sequence=sequence), sitting.table, is_kept=is_kept)
    return found


@pytest.fixture
def sitting() -> Sitting:
    sitting = Sitting()
    sitting.sit(ANN, 1)
    return sitting


def test_tables_that_are_alike_share_a_line(sitting: Sitting) -> None:
    tables = [Sitting(name=f"Craps {number}") for number in range(2, 7)]
    found = dealt((start(), sitting), *((None, table) for table in tables))
    [line] = found.lines()
    assert line.startswith("8 entries from 1 to 8 of craps-1, craps-2, craps-3, craps-4 and 2 more: dealt by passline ")
    assert line.endswith(f"passline {HERE.version} (code {HERE.code[:12]}) under maryland {MARYLAND[:12]}")
    assert len(found.parts) == 6
    assert list(found.warnings()) == []


def test_an_old_log_has_no_program_and_nothing_to_warn_of(sitting: Sitting) -> None:
    found = dealt((None, sitting), is_kept=False)
    [line] = found.lines()
    assert line.startswith("3 entries from 1 to 3 of craps-1: dealt by a program that did not record its version")
    assert list(found.warnings()) == []


@pytest.mark.parametrize("other", [start("0.0.1"), start(code="f" * 64)], ids=["version", "code"])
def test_another_program_is_named(sitting: Sitting, other: ServerStarted) -> None:
    found = dealt((start(), sitting), (other, sitting))
    assert len(found.parts) == 2
    [warning] = found.warnings()
    assert warning.startswith(f"3 entries from 4 to 6 were dealt by passline {other.program} (code {other.code[:12]})")
    assert warning.endswith(f"; verified by {HERE}")


@pytest.mark.parametrize(
    ("is_kept", "how"),
    [(True, f"are verified under {'0' * 12}, kept in the log"), (False, "of which the log keeps no copy")],
)
def test_another_rulebook_is_named(sitting: Sitting, how: str, *, is_kept: bool) -> None:
    sitting.live = replace(sitting.table, rulebook="0" * 64)
    [warning] = dealt((start(), sitting), is_kept=is_kept).warnings()
    assert warning.startswith(
        f"the installed rulebook of maryland is {MARYLAND[:12]}; 3 entries from 1 to 3 were dealt"
    )
    assert how in warning
