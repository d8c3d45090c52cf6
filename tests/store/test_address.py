"""Addresses of logs: one module knows how that of a database begins, and each command refuses what is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.store.data_folder import open_log
from passline.store.log import LogError
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey
from passline.store.upkeep.restore import restore_backup
from tests.source import FILES, SRC, nodes_of, place

_OF_A_DATABASE = re.compile(r"postgres(ql)?:/")
_ADDRESS = SRC / "passline" / "store" / "address.py"


def _texts_of(path: Path) -> Iterator[ast.Constant]:
    """Yield the texts of a module, but its docstrings, that have the beginning of the address of a database."""
    documents = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and id(node) not in documents and _OF_A_DATABASE.search(str(node.value)):
            yield node


def test_one_module_knows_how_the_address_of_a_database_begins() -> None:
    found = [path for path in FILES if _OF_A_DATABASE.search(path.read_text(encoding="utf-8"))]  # the others cannot
    wrong = [place(path, text.lineno) for path in found if path != _ADDRESS for text in _texts_of(path)]
    assert not wrong, "use passline.store.address:\n" + "\n".join(wrong)
    assert [*_texts_of(_ADDRESS)], "it is there"


def test_a_file_named_as_the_database_of_a_backup_is_refused(tmp_path: Path) -> None:
    house, key = tmp_path / "house", FileKey(bytes(range(32)))
    open_log(house).close()
    message = "--database house.sqlite: must be postgresql://USER@HOST/NAME"
    with pytest.raises(LogError, match=message):
        back_up(tmp_path / "copy", key, house, "house.sqlite")
    assert not (tmp_path / "copy").exists()
    back_up(tmp_path / "copy", key, house)
    with pytest.raises(LogError, match=message):
        restore_backup(tmp_path / "copy", key, tmp_path / "again", "house.sqlite", by="Olga", reason="a test")
    assert not (tmp_path / "again").exists()
