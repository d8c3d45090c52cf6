"""A missing extra is one line that names it, with every command and from Python; the wheel is tried in clean places."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from passline.extras import MODULES_OF
from tests.cases import one_in
from tests.extras_matrix import EVERYTHING_OF, ROOT, commands_in
from tests.packages import check_extra, clean_environment, packages_built, pip_install, run_in, tried

BLOCKED = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""
RUN_EACH = """
import json, os
import passline.cli.main

for number, words in enumerate(json.loads(sys.argv[1])):
    if not (child := os.fork()):
        with open(f"errors{number}", "w") as errors, open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(errors.fileno(), 2)
        code = passline.cli.main.main(words)
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""  # a process for each command, with what all of them import imported once
DISTRIBUTIONS = {
    "argon2": "argon2-cffi",
    "prometheus_client": "prometheus-client",
    "cupy": "cupy-cuda13x",
    "escpos": "python-escpos",
}
BROUGHT_ALONG = {"llvmlite", "starlette"}  # by numba and fastapi


def _without(extra: str) -> str:
    """Return code that makes the modules of all extras but one unimportable."""
    present = {module for one in EVERYTHING_OF[extra] for module in MODULES_OF[one]}
    if {"serve", "exact"} & EVERYTHING_OF[extra]:
        present |= {"typst", "xlsxwriter"}
    modules = {module for modules in MODULES_OF.values() for module in modules} - present
    return BLOCKED.format(modules=modules)


@pytest.mark.parametrize("extra", one_in(2, ["", "client"]))
@pytest.mark.whole
def test_a_command_without_its_extra_names_it(extra: str, tmp_path: Path) -> None:
    commands = [(words, missing) for words, missing in commands_in(EVERYTHING_OF[extra], tmp_path) if missing]
    given = json.dumps([words for words, _ in commands])
    done = run_in(tmp_path, sys.executable, "-c", _without(extra) + RUN_EACH, given)
    for number, ((words, missing), code) in enumerate(zip(commands, done.stdout.split(), strict=True)):
        check_extra(words, missing, int(code), (tmp_path / f"errors{number}").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("from passline import par_of", r"passline\.par_of needs numpy, .*: pip install 'passline\[exact\]'"),
        ("import passline; passline.Client", r"passline\.Client needs httpx, .*: pip install 'passline\[client\]'"),
    ],
)
def test_python_without_an_extra_names_it(line: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _without("") + line], check=False, capture_output=True, text=True, timeout=60
    )
    assert re.search(rf"MissingExtra: {said}\n$", done.stderr), done.stderr


def test_a_star_brings_what_the_extras_installed_allow() -> None:
    line = "from passline import *; print('Rules' in globals(), 'par_of' in globals(), 'Client' in globals())"
    assert subprocess.check_output([sys.executable, "-c", _without("") + line], text=True).split() == [
        "True",
        "False",
        "False",
    ]


def test_what_extras_bring_is_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {*MODULES_OF, "all"}
    for extra, modules in MODULES_OF.items():
        packages = {re.split(r"[\[<>=;]", one)[0] for one in extras[extra]}
        expected = {DISTRIBUTIONS.get(module, module) for module in modules if module not in BROUGHT_ALONG}
        assert expected <= packages, extra
    assert "xlsxwriter>=3.2,<4" in extras["serve"], "export writes spreadsheets"


def test_the_metadata_says_what_an_index_shows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"craps", "simulation", "house edge"} <= set(project["keywords"])
    assert "Typing :: Typed" in project["classifiers"]
    assert (project["license"], "readme" in project["dynamic"]) == ("Apache-2.0", True)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for extra in project["optional-dependencies"]:
        assert f"| `{extra}` |" in readme, f"README's table of extras lacks {extra}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packages_built(tmp_path_factory.mktemp("packages"))[1]


@pytest.mark.sweep
@pytest.mark.parametrize("extra", EVERYTHING_OF)
def test_the_wheel_works_in_a_clean_environment(extra: str, wheel: Path, tmp_path: Path) -> None:
    """`pip install` of the wheel, outside the checkout: every command works or names its extra."""
    python = clean_environment(tmp_path / "environment")
    pip_install(python, f"{wheel}[{extra}]" if extra else str(wheel))
    out = tmp_path / "out"
    out.mkdir()
    for words, missing in commands_in(EVERYTHING_OF[extra], out):
        tried(["env", "-u", "PYTHONPATH", str(python.with_name("passline"))], words, missing, out)
