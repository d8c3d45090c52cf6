"""The scripts of the pages: how they are written, and that their types are those of the server."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from passline.web.pages.static_files import STATIC
from tests.external_programs import program_path
from tests.web.scripts.server_types import DECLARATIONS, declarations

ROOT = Path(__file__).parents[3]
COLUMNS_MAX = 120
RENAMED = (
    ("TableView", "puck"),
    ("MakeWager", "cents"),
    ("News", "wagers_up"),
    ("KnownThing", "facts"),  # of the office
    ("DiceSetEvidence", "is_in_use"),
    ("StaffTournament", "balances"),
    ("LogPage", "behind"),
)


def tsc(folder: Path, **settings: object) -> dict[str, list[str]]:
    """Check the scripts as tsconfig.json says, with other settings; return what is wrong, by file."""
    node = program_path("node", package="nodejs npm")
    program = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
    if not program.exists():
        program_path("tsc of node_modules", package="nodejs npm; then: npm ci")
    config = folder / "tsconfig.json"
    config.write_text(json.dumps({"extends": str(ROOT / "tsconfig.json"), **settings}), encoding="utf-8")
    done = subprocess.run(
        [node, program, "--project", config, "--pretty", "false"], capture_output=True, check=False, cwd=ROOT, text=True
    )
    wrong: dict[str, list[str]] = {}
    for path, fault in re.findall(r"^(\S+?)\(\d+,\d+\): (error .*)$", done.stdout, flags=re.MULTILINE):
        wrong.setdefault(str((ROOT / path).resolve().relative_to(ROOT)), []).append(fault)
    assert bool(done.returncode) == bool(wrong), done.stdout + done.stderr
    return wrong


def included(declared: Path) -> list[str]:
    """Return what is checked, with other types of what pages and server exchange."""
    config = json.loads((ROOT / "tsconfig.json").read_text(encoding="utf-8"))
    return [*(str(ROOT / path) for path in config["include"] if not path.endswith(".d.ts")), str(declared)]


def test_no_line_is_longer_than_120_columns() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in {".css", ".js", ".svg"}]
    assert len(files) > 150
    long = [
        f"{path.relative_to(STATIC)}:{number}: {len(line)} columns"
        for path in [*files, *Path(__file__).parent.glob("*.js")]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > COLUMNS_MAX
    ]
    assert not long, "\n".join(long)


def test_the_lock_of_the_tools_names_no_host_and_every_package_by_its_hash() -> None:
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text, 'drop "resolved" and "funding" from package-lock.json: it names no host'
    packages = {name: package for name, package in json.loads(text)["packages"].items() if name}
    assert not [name for name, package in packages.items() if not package.get("integrity")]


def test_the_types_of_the_scripts_are_those_of_the_server() -> None:
    why = "the server's Structs have changed: python -m tests.web.scripts.server_types writes their types anew"
    assert DECLARATIONS.read_text(encoding="utf-8") == declarations(), why


@pytest.mark.whole
def test_a_renamed_field_fails_the_check_of_the_scripts(tmp_path: Path) -> None:
    """All of them in one check: it takes seconds, and each field has a name that no other of them has."""
    declared = tmp_path / "server.d.ts"
    node = ROOT / "tests/web/scripts/node.d.ts"
    renamed = declarations({(struct, field): f"{field}_renamed" for struct, field in RENAMED})
    declared.write_text(renamed + node.read_text(encoding="utf-8"), encoding="utf-8")
    wrong = tsc(tmp_path, include=included(declared))
    in_pages = [fault for path, faults in wrong.items() if path.startswith("src/") for fault in faults]
    unnoticed = [name for name in RENAMED if not any(f"'{name[1]}'" in fault for fault in in_pages)]
    assert not unnoticed, in_pages


@pytest.mark.sweep  # `./x test` has checked them by the same program before it runs any test
def test_every_script_passes_the_check_of_its_types(tmp_path: Path) -> None:
    config = json.loads((ROOT / "tsconfig.json").read_text(encoding="utf-8"))
    assert "exclude" not in config, "every script is checked: none is left out"
    assert not tsc(tmp_path)
