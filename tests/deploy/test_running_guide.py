"""docs/running.md carried out from top to bottom: installed, served, backed up, restored, upgraded."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from passline import __version__
from passline.client import Client
from tests.deploy.guide import GUIDE, commands_of
from tests.deploy.machine import Machine
from tests.extras_matrix import ROOT
from tests.packages import BUILD_FILES, packages_built

pytestmark = pytest.mark.sweep
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist
WHEEL = "dist/passline-NEW-py3-none-any.whl"


def _carry_out(machine: Machine, title: str, wheel: Path) -> None:
    commands = list(commands_of(title))
    assert commands, f"the guide has no commands under {title!r}"
    for command in commands:
        line = command.replace(WHEEL, str(wheel))
        if "NEWEST" in line:
            line = line.replace("NEWEST", max(path.name for path in (machine.root / "mnt" / "backups").iterdir()))
        machine.run(line)


def _older(folder: Path) -> Path:
    """Return the wheel of a version before this one, whose text of Maryland was another."""
    tree = folder / "older"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in BUILD_FILES:
        shutil.copy(ROOT / name, tree / name)
    version = tree / "src" / "passline" / "version.py"
    version.write_text(version.read_text(encoding="utf-8").replace(f'"{__version__}"', '"0.0.1"'), encoding="utf-8")
    with (tree / "src" / "passline" / "rulebooks" / "maryland" / "general.toml").open("a", encoding="utf-8") as file:
        file.write("\n# as it was read before\n")
    return packages_built(tree / "dist", source=tree)[1]


def test_every_command_of_the_guide_is_carried_out(tmp_path: Path) -> None:
    older, newer = _older(tmp_path), packages_built(tmp_path / "packages")[1]
    assert "0.0.1" in older.name
    root = tmp_path / "machine"
    with Machine(root) as machine:
        _carry_out(machine, "Install it", older)
        assert (root / "usr" / "local" / "share" / "man" / "man1" / "passline.1").exists()
        _carry_out(machine, "Start it with the machine", older)
        with Client(machine.address) as owner:
            token = machine.printed.partition("/invitations/")[2].split()[0]
            owner.accept(f"{machine.address}/invitations/{token}", password=PASSWORD, name="Olga", pin="72941836")
            (table,) = owner.tables()
        _carry_out(machine, "TLS with Caddy", older)
        (root / "media" / "safe").mkdir(parents=True)  # the stick
        _carry_out(machine, "Backup", older)
        _carry_out(machine, "Restore", older)
        with Client(machine.address) as owner:
            owner.log_in("Olga", PASSWORD)
            assert [one["id"] for one in owner.tables()] == [table["id"]]
            assert not owner.tables()[0]["stopped"]
        _carry_out(machine, "Upgrade", newer)
        with Client(machine.address) as owner:
            owner.log_in("Olga", PASSWORD)
            (table,) = owner.tables()
            assert "its maryland rulebook is" in table["stopped"]
            adopt = {"command": "adopt-rulebook", "digest": table["rulebook_installed"], "is_sole_owner": True}
            owner.command(table["id"], adopt, role="owner")
            assert not owner.tables()[0]["stopped"]
        machine.run("systemctl stop passline")
        machine.run("passline verify /var/lib/passline --anchor /mnt/other/heads.jsonl")


def test_the_guide_shows_no_command_outside_these_sections() -> None:
    """So that none is shown and not carried out."""
    carried = ["Install it", "Start it with the machine", "TLS with Caddy", "Backup", "Restore", "Upgrade"]
    carried.append("Upgrade from 0.1")  # by tests/upgrade
    shown = re.findall(r"^\$ ", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(shown) == sum(len(list(commands_of(title))) for title in carried)
