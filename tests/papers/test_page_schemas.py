"""The JSON Schemas of TOML files: published as they are made, and they take what the program takes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date, time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes with schemathesis

from passline.office.standards import read_standard
from passline.papers.page_schemas import page_schema, schema_names, schema_of_page, schema_text
from passline.rules.clauses import REGULATIONS
from passline.rules.pages.texts import PRESETS
from tests.cases import one_in
from tests.rules.rulebooks import HARBOUR

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(str(files("passline") / "rulebooks"))
OF_FOLDERS = {"office": "office", "tournament": "tournament", "example": "plan"}
FOLDERS = [*(PACKAGE / name for name in (*REGULATIONS, "practice", "presets", "template")), HARBOUR]


def _as_json(data: Any) -> Any:  # noqa: ANN401 - of any TOML
    if isinstance(data, dict):
        return {key: _as_json(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_as_json(item) for item in data]
    return data.isoformat() if isinstance(data, date | time) else data


def _faults(name: str, text: str) -> Iterator[str]:
    for error in Draft202012Validator(page_schema(name)).iter_errors(_as_json(tomllib.loads(text))):
        yield f"{error.json_path}: {error.message[:100]}"


@pytest.mark.parametrize("name", one_in(3, schema_names(), others=pytest.mark.whole))
def test_the_published_schema_is_the_one_of_the_models(name: str) -> None:
    """Written by: python -c "from tests.papers.test_page_schemas import write; write()"."""
    assert (ROOT / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8") == schema_text(name)
    Draft202012Validator.check_schema(page_schema(name))


def write() -> None:
    """Write the schemas that are published."""
    for name in schema_names():
        (ROOT / "docs" / "schemas" / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


@pytest.mark.parametrize("folder", one_in(4, FOLDERS, others=pytest.mark.whole), ids=lambda folder: folder.name)
def test_every_page_that_is_dealt_by_fits_its_schema(folder: Path) -> None:
    standards = [page for page in folder.glob("*.toml") if folder.name == PRESETS]  # what the program alone writes
    assert all(read_standard(page.read_bytes(), page.name).name for page in standards)
    pages = [page for page in folder.rglob("*.toml") if page not in standards]
    wrong = [
        f"{page}: {fault}"
        for page in pages
        for fault in _faults(OF_FOLDERS.get(page.parent.name) or schema_of_page(page.stem), page.read_text("utf-8"))
    ]
    assert pages
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("general", 'title = "Harbour"\ngames = ["craps"]\ncolour = "red"\n'),
        ("general", 'title = "Harbour"\n'),
        ("wagers", '[pass]\nfamily = "line"\nnmae = "Quay"\n'),
        ("wagers", '[pass]\nfamily = "lines"\n'),
        ("elections", '[dice_set]\nmin = "five"\ncite = "HB-1"\n'),
        ("house", "wager_cent_min = 500\n"),
        ("office", "[acts.open]\nwho = 1\n"),
        ("plan", 'id = "regatta"\n'),
    ],
)
def test_what_is_no_key_or_no_value_is_underlined(name: str, text: str) -> None:
    assert list(_faults(name, text))


def test_an_entry_may_have_its_keys_in_versions() -> None:
    dated = '[buy]\ndated = [{ from = 2020-01-01, choices = ["none"], cite = "HB-1" }]\n'
    assert not list(_faults("elections", dated))
    assert list(_faults("elections", "[buy]\nchoices = [1]\n")), "without its clause"
