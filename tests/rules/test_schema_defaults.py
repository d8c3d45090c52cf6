"""The defaults of entries, houses, commands and positions are those listed in cases/defaults.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from passline.game import commands, position
from passline.game import wagers as families
from passline.rules import elections as elected
from passline.rules.schema import citations as cited
from passline.rules.schema import rulebook as schema
from passline.rules.schema import side_wagers as sidewagers
from passline.rules.schema import wagers
from tests.case_files import cases_of

CASES = dict(cases_of(Path(__file__).parent / "cases" / "defaults.txt"))
MODULES = (cited, wagers, sidewagers, schema, elected, commands, position, families)
STRUCTS: dict[str, type[Struct]] = {
    f"{module.__name__.removeprefix('passline.')}.{name}": kind
    for module in MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__
}


def _default(field: FieldInfo) -> object:
    return field.default if field.default is not NODEFAULT else field.default_factory()


def _left_out(kind: type[Struct]) -> list[str]:
    return [f"{field.name} = {_default(field)!r}" for field in fields(kind) if not field.required]


def test_every_struct_with_defaults_is_listed() -> None:
    assert list(CASES) == [name for name, kind in STRUCTS.items() if _left_out(kind)]


@pytest.mark.parametrize("name", CASES)
def test_the_defaults_are_as_listed(name: str) -> None:
    assert _left_out(STRUCTS[name]) == CASES[name]
