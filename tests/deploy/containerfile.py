"""Reads a container file, and carries its steps out below a folder, where no container runtime is at hand."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.deploy.machine import Machine
from tests.extras_matrix import ROOT

CONTAINERFILE = ROOT / "deploy" / "Containerfile"
_TOLD = {"ARG", "CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "USER", "VOLUME"}


class Step(NamedTuple):
    """An instruction and what it is given."""

    name: str
    given: str


class Image(NamedTuple):
    """What is run in a container: the program, its usual arguments, and how its health is asked."""

    entry: list[str]
    arguments: list[str]
    health: list[str]


def steps() -> list[Step]:
    """Return the instructions of the container file in their order."""
    text = re.sub(r"^#.*\n", "", CONTAINERFILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [Step(*line.split(None, 1)) for line in lines]


def built(machine: Machine) -> Image:
    """Carry out every step on a machine; a stage starts where the last one ended, with all its files."""
    folder = machine.root
    told: dict[str, str] = {}
    for name, given in steps():
        if name in {"FROM", "WORKDIR"}:
            folder = machine.root / (given.lstrip("/") if name == "WORKDIR" else "")
            folder.mkdir(parents=True, exist_ok=True)
        elif name == "COPY":
            _copy(machine, given, folder)
        elif name == "RUN":
            for line in given.split(" && "):
                machine.run(line, cwd=folder)
        else:
            assert name in _TOLD, f"nothing here carries out {name}"
            told[name] = given
    return Image(
        entry=json.loads(told["ENTRYPOINT"]),
        arguments=json.loads(told["CMD"]),
        health=json.loads(told["HEALTHCHECK"].removeprefix("CMD ")),
    )


def _copy(machine: Machine, given: str, folder: Path) -> None:
    """Copy files of the checkout, or find those of an earlier stage in their place."""
    *sources, target = given.split()
    if sources[0].startswith("--from="):
        assert sources[1:] == [target], "here all stages are one folder"
        assert Path(machine.moved(target)).is_dir()
        return
    for source in sources:
        _copied(ROOT / source, folder / (source if target == "./" else target))


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)
