"""The packages of a release: the same from a checkout and an sdist, and installed on every Python of this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from passline import __version__
from passline.cli.main import main
from passline.store.log_source import open_source
from passline.store.verify import verify_log
from tests.extras_matrix import EVERYTHING_OF, ROOT, commands_in
from tests.followed_page import Follower, matches
from tests.packages import apart, clean_environment, packages_built, pip_install, tried
from tests.pythons import OLDEST, PROJECT, minor_versions, pythons


def test_the_classifiers_name_every_version_from_the_oldest() -> None:
    minors = minor_versions()
    assert minors == list(range(OLDEST, OLDEST + len(minors)))
    assert sys.version_info.minor in minors


def test_the_changelog_begins_with_this_version_for_every_kind_of_user() -> None:
    _, released, *_ = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    begins = r"Unreleased\n" if ".dev" in __version__ else rf"{re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)\n"
    assert re.match(begins, released)
    assert re.findall(r"^### (.+)$", released, flags=re.MULTILINE) == [
        "Upgrade notes",
        "For operators and crew",
        "For regulators and compliance",
        "For writers of regulations",
        "For players and strategists",
        "For developers",
    ]


def test_the_readme_installs_the_wheel_of_this_version() -> None:
    named = re.findall(r"passline-([\w.]+)-py3-none-any\.whl", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert set(named) == {__version__}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return packages_built(tmp_path_factory.mktemp("packages"))


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.sweep
def test_the_sdist_makes_the_same_wheel(packages: tuple[Path, Path], tmp_path: Path) -> None:
    sdist, wheel = packages
    shutil.unpack_archive(sdist, tmp_path)
    (tree,) = (path for path in tmp_path.iterdir() if path.is_dir())
    again = packages_built(tmp_path / "again", source=tree)[1]
    assert _contents(again) == _contents(wheel)


@pytest.mark.sweep
def test_the_wheel_says_what_it_is(packages: tuple[Path, Path]) -> None:
    contents = _contents(packages[1])
    metadata = Parser().parsestr(contents[f"passline-{__version__}.dist-info/METADATA"].decode())
    assert (metadata["Name"], metadata["Version"]) == ("passline", __version__)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == PROJECT["requires-python"]
    assert metadata.get_all("Classifier") == PROJECT["classifiers"]
    assert set(metadata.get_all("Provides-Extra") or ()) == set(PROJECT["optional-dependencies"])
    assert metadata["Description-Content-Type"] == "text/markdown"
    inside = {path.relative_to(ROOT / "src").as_posix() for path in _tracked("src")}
    assert {name for name in contents if ".dist-info/" not in name} == inside
    assert f"passline-{__version__}.dist-info/licenses/LICENSE" in contents


def _tracked(folder: str) -> list[Path]:
    """Return the files of a folder that git keeps, or that it would."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    listed = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


@pytest.mark.sweep
def test_every_python_of_this_machine_has_its_classifier() -> None:
    assert {int(version.split(".")[1]) for version in pythons()} <= {*minor_versions()}


@pytest.mark.sweep
@pytest.mark.parametrize("minor", minor_versions())
@pytest.mark.parametrize(("kind", "extra"), [("wheel", "exact,postgres"), ("sdist", "")])
def test_a_package_is_installed_on_every_python(
    minor: int, kind: str, extra: str, packages: tuple[Path, Path], tmp_path: Path
) -> None:
    """The wheel with what needs compiled packages, the sdist alone: every command works or names its extra."""
    here = {version: path for version, path in pythons().items() if version.startswith(f"3.{minor}.")}
    if not here:  # they are looked for here, since every worker collects this test, and to ask them takes a second
        pytest.skip(f"no Python 3.{minor} on this machine")
    for version, own in here.items():
        (tmp_path / version).mkdir()
        _install(own, kind, extra, packages, tmp_path / version)


def _install(own: Path, kind: str, extra: str, packages: tuple[Path, Path], tmp_path: Path) -> None:
    python = clean_environment(tmp_path / "environment", own)
    package = packages[0 if kind == "sdist" else 1]
    pip_install(python, f"{package}[{extra}]" if extra else str(package), pip=own)
    out = tmp_path / "out"
    out.mkdir()
    there = set().union(*(EVERYTHING_OF[one] for one in extra.split(",")))
    for words, missing in commands_in(there, out):
        tried(["env", "-u", "PYTHONPATH", str(python.with_name("passline"))], words, missing, out)
    said = subprocess.run(
        [str(python.with_name("passline")), "--version"], check=True, env=apart(), capture_output=True, text=True
    )
    assert said.stdout == f"passline {__version__}\n"


@pytest.mark.sweep
def test_a_regulation_is_served_from_an_empty_folder_and_an_installed_wheel(
    packages: tuple[Path, Path], tmp_path: Path
) -> None:
    """As the guide says: five commands, and a table with a felt of its own."""
    python = clean_environment(tmp_path / "environment")
    pip_install(python, f"{packages[1]}[serve,exact]")
    guide = (ROOT / "docs" / "guides" / "adding-a-regulation.md").read_text(encoding="utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    follower = Follower(folder, python.with_name("passline"))
    try:
        done = list(follower.follow(guide))
    finally:
        follower.close()
    assert [printed.command for printed in done if not matches(printed.expected, printed.actual)] == []
    assert [printed.command.split()[:2] for printed in done[:5]] == [
        ["passline", "rulebook"],
        ["export", "PASSLINE_RULEBOOKS=rulebooks"],
        ["passline", "rulebook"],
        ["passline", "odds"],
        ["passline", "serve"],
    ]


GOLDEN = sorted(ROOT.glob("tests/*/golden/*.jsonl"))
# Logs of one stream, which the other streams of a house would bear out; the tests beside them check what they say.
PARTS = {"store/log-1", "tables/ledger", "tables/points", "tournament/strict", "tournament/tournament"}


def _name(log: Path) -> str:
    return f"{log.parent.parent.name}/{log.stem}"


@pytest.mark.sweep
@pytest.mark.parametrize("log", GOLDEN, ids=_name)
def test_every_log_of_earlier_versions_verifies(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As somebody who has only the file and this version would try."""
    if _name(log) in PARTS:
        with open_source(str(log)) as source:
            assert verify_log(source.rows(), every_seal=True).is_intact
        return
    assert main(["verify", str(log)]) == 0, capsys.readouterr().out
    assert "intact" in capsys.readouterr().out
