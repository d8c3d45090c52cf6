"""The files of a release: fields to fill, the bill of materials, checksums, and the same bytes each time."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from passline import __version__
from release.bill_of_materials import bill_of_materials, read_lock
from release.build import SUMS, faults_of_release, make_release, missing_fields
from tests.extras_matrix import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_a_release_is_refused_while_a_field_is_empty() -> None:
    filled = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    urls, fields = filled["tool"]["hatch"]["metadata"]["hooks"]["custom"]["urls"], filled["tool"]["passline"]["release"]
    for name in urls:
        urls[name] = "https://example.org/passline"
    fields |= {"security_contact": "security@example.org", "base_image": f"python:3.11-slim@sha256:{'0' * 64}"}
    assert list(missing_fields(filled)) == []
    for place, name, wrong in (
        (urls, "Source", ""),
        (urls, "Homepage", "ftp://example.org"),
        (fields, "security_contact", ""),
        (fields, "base_image", "python:3.11-slim"),
    ):
        right, place[name] = place[name], wrong
        assert [name in fault for fault in missing_fields(filled)] == [True]
        place[name] = right


def test_a_version_under_work_is_no_release() -> None:
    assert any("is not the version of a release" in fault for fault in faults_of_release()) == (".dev" in __version__)


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, flags=re.MULTILINE)[1] == __version__  # type: ignore[index]
    assert f"license: {PROJECT['project']['license']}" in citation
    for key in ("cff-version: 1.2.0", "message: ", "title: ", "authors:\n  - name: "):
        assert key in citation


def test_the_bill_of_materials_has_every_package_of_the_locks_and_who_needs_it() -> None:
    bill = json.loads(bill_of_materials(ROOT, __version__))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    lock = (ROOT / "requirements-cluster.lock").read_text(encoding="utf-8")
    named = re.findall(r"^([\w.-]+)==([^ ;\\]+)", lock, flags=re.MULTILINE)  # some in two versions, by Python
    assert [(part["name"], part["version"]) for part in bill["components"]] == named
    pinned = dict(named)
    assert sum(len(part["hashes"]) for part in bill["components"]) == lock.count("--hash=sha256:")
    scopes = {part["name"]: part["scope"] for part in bill["components"]}
    assert (scopes["msgspec"], scopes["fastapi"], scopes["ray"]) == ("required", "optional", "optional")
    refs = {part["bom-ref"] for part in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    needs = {part["ref"]: part["dependsOn"] for part in bill["dependencies"]}
    assert set(needs) == refs
    assert all(set(needed) <= refs for needed in needs.values())
    own = needs[f"pkg:pypi/passline@{__version__}"]
    assert {f"pkg:pypi/{name}@{pinned[name]}" for name in ("msgspec", "typer", "fastapi")} <= set(own)
    assert f"pkg:pypi/starlette@{pinned['starlette']}" in needs[f"pkg:pypi/fastapi@{pinned['fastapi']}"]
    assert bill_of_materials(ROOT, __version__) == bill_of_materials(ROOT, __version__)
    assert all(found.asked_by for found in read_lock(lock)), "each is asked for by somebody"


def test_the_page_on_weaknesses_names_the_field_that_says_where() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "`security_contact` under `[tool.passline.release]`" in page
    assert "SECURITY.md" in (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.sweep
def test_a_release_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = make_release(tmp_path / "first"), make_release(tmp_path / "second")
    assert [path.name for path in first] == [
        f"passline-{__version__}-py3-none-any.whl",
        f"passline-{__version__}.tar.gz",
        f"passline-{__version__}.cdx.json",
        SUMS,
    ]
    for one, other in zip(first, second, strict=True):
        assert sha256(one.read_bytes()).digest() == sha256(other.read_bytes()).digest(), one.name
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], check=True, cwd=tmp_path / "first")
