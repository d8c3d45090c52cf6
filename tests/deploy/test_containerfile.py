"""The container file: its steps carried out in a clean virtual environment, and the house that it starts."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.deploy.containerfile import CONTAINERFILE, built, steps
from tests.deploy.machine import Machine
from tests.extras_matrix import ROOT
from tests.packages import BUILD_FILES
from tests.pythons import minor_versions


def _given(name: str) -> list[str]:
    return [step.given for step in steps() if step.name == name]


def test_the_image_is_given_by_its_digest_and_is_of_a_python_that_the_project_is_for() -> None:
    """A tag moves; so there is no default, and the release says which digest it was made from."""
    images = {given.split()[0] for given in _given("FROM")}
    assert images == {"${BASE_IMAGE}"}, "a virtual environment works only with the Python that it was made by"
    assert _given("ARG") == ["BASE_IMAGE"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    example = re.search(r"docker\S+@sha256:\S*", CONTAINERFILE.read_text(encoding="utf-8"))
    assert example is not None
    image = project["tool"]["passline"]["release"]["base_image"] or example[0]
    tag = image.partition("@")[0].rpartition(":")[2]
    assert int(tag.split("-")[0].split(".")[1]) in minor_versions()
    assert "--build-arg BASE_IMAGE=" in (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


def test_nothing_is_installed_that_the_lock_does_not_pin() -> None:
    installed = [given for given in _given("RUN") if "pip install" in given]
    for line in installed:
        assert "--require-hashes" in line or {"--no-deps", "--no-build-isolation", "--no-index"} <= set(line.split())
    assert any("-r requirements-serve.lock" in line for line in installed)


def test_what_is_copied_is_there_and_the_house_is_not_run_by_root() -> None:
    for given in _given("COPY"):
        if not given.startswith("--from="):
            assert all((ROOT / source).exists() for source in given.split()[:-1])
    assert _given("USER") == ["passline"]


def test_everything_that_the_build_needs_is_copied() -> None:
    copied = {name for given in _given("COPY") for name in given.split()[:-1]}
    assert {*BUILD_FILES, "src"} <= copied


@pytest.mark.sweep
def test_the_steps_make_a_house_that_is_healthy(tmp_path: Path) -> None:
    with Machine(tmp_path / "container") as machine:
        image = built(machine)
        entry, arguments, health = (
            [machine.moved(word) for word in words] for words in (image.entry, image.arguments, image.health)
        )
        machine.start([*entry, *arguments])
        subprocess.run(health, check=True, env=machine.environment, timeout=60)
        assert "There is no owner yet." in machine.printed
        machine.stop()
        assert subprocess.run(health, check=False, capture_output=True, timeout=60).returncode
        machine.run("/usr/local/lib/passline/bin/passline verify /var/lib/passline")
