"""Which program and which rulebook dealt what, in the words of verify."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.rules.rulebook_reader import rulebook_of
from passline.tables.house_events import ServerStarted
from passline.tables.views.dealt_by import DealtBy, digest_of_package, this_program
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
        for _ in sitting.entries:
            sequence += 1
            found.table(sitting.table, sequence, sequence, 1, is_kept=is_kept)
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
    [warning] = [*found.warnings(), *found.notes()]
    assert [*found.warnings()] == ([] if other.program == "0.0.1" else [warning])  # an upgrade is nothing to warn of
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


def test_the_digest_of_the_program_is_over_every_file_of_the_package(tmp_path: Path) -> None:
    """A changed page, script, template, kernel or rulebook is another program, not only changed Python."""
    names = ["a.py", "web/table.js", "web/table.css", "web/page.html", "papers/slip.typ", "gpu/kernel.cu", "rules.toml"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("as it was installed", encoding="utf-8")
    before = digest_of_package(tmp_path)
    unchanged = []
    for name in names:
        (tmp_path / name).write_text("changed", encoding="utf-8")
        unchanged += [name] if digest_of_package(tmp_path) == before else []
        (tmp_path / name).write_text("as it was installed", encoding="utf-8")
    assert unchanged == []
    (tmp_path / "web/table.js").rename(tmp_path / "web/other.js")
    assert digest_of_package(tmp_path) != before, "names count too"


def test_what_running_leaves_in_the_package_is_not_in_its_digest(tmp_path: Path) -> None:
    """Caches, editors' files and what numba keeps are the machine's own."""
    (tmp_path / "a.py").write_text("a = 1", encoding="utf-8")
    before = digest_of_package(tmp_path)
    for name in ("__pycache__/a.cpython-311.pyc", "__pycache__/a.nbi", ".cache/b", ".hidden", "b.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("made by running", encoding="utf-8")
    assert digest_of_package(tmp_path) == before


def test_a_rulebook_of_an_earlier_version_is_a_note_if_the_log_keeps_it(sitting: Sitting) -> None:
    sitting.live = replace(sitting.table, rulebook="0" * 64)
    kept = dealt((start("0.0.1"), sitting), is_kept=True)
    assert [len([*kept.notes()]), len([*kept.warnings()])] == [2, 0]
    lost = dealt((start("0.0.1"), sitting), is_kept=False)
    assert [len([*lost.notes()]), len([*lost.warnings()])] == [1, 1]
