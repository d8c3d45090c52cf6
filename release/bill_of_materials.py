"""The bill of materials (SBOM) of a release in CycloneDX: every package that the locks pin, with its hashes.

It is made from the locks alone, so equal locks give equal bytes, on whatever machine.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

OWN = "passline"
_PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_ASKED_BY = re.compile(r"^    #(?: via)? +(?P<who>[a-z0-9][\w.-]*)(?: \(pyproject\.toml.*\))?$", re.MULTILINE)


class Pinned(NamedTuple):
    """A package as a lock pins it: the files that may be installed, and who asks for it."""

    name: str
    version: str
    hashes: tuple[str, ...]
    asked_by: tuple[str, ...]

    @property
    def url(self) -> str:
        """The package's name for tools that look for its faults."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_lock(text: str) -> list[Pinned]:
    """Return the packages of a lock.

    >>> [(found.url, found.asked_by) for found in read_lock("msgspec==0.20.0")]
    [('pkg:pypi/msgspec@0.20.0', ())]
    """
    begins = [*(found.start() for found in _PIN.finditer(text)), len(text)]
    pinned = []
    for start, end in pairwise(begins):
        part = text[start:end]
        named = _PIN.match(part)
        assert named is not None
        asking = {found["who"] for found in _ASKED_BY.finditer(part) if found["who"] != "via"}
        pinned.append(Pinned(named["name"], named["version"], tuple(_HASH.findall(part)), tuple(sorted(asking))))
    return pinned


def bill_of_materials(root: Path, version: str) -> bytes:
    """Return the bill of materials of a release: what people need to play is required, all else is optional."""
    lock = (root / "requirements-cluster.lock").read_text(encoding="utf-8")
    required = {found.name for found in read_lock((root / "requirements.lock").read_text(encoding="utf-8"))}
    pinned = read_lock(lock)
    own = f"pkg:pypi/{OWN}@{version}"
    needs: dict[str, list[str]] = {}
    for found in pinned:
        for name in found.asked_by:
            needs.setdefault(name, []).append(found.url)
    named = [(own, OWN), *((found.url, found.name) for found in pinned)]  # one name may have a version by Python
    bill: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'{OWN}@{version} {lock}')}",
        "version": 1,
        "metadata": {"component": _component(OWN, version, own, kind="application")},
        "components": [
            {
                **_component(found.name, found.version, found.url),
                "scope": "required" if found.name in required else "optional",
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in found.hashes],
            }
            for found in pinned
        ],
        "dependencies": [{"ref": url, "dependsOn": sorted(set(needs.get(name, ())))} for url, name in named],
    }
    return json.dumps(bill, indent=1).encode() + b"\n"


def _component(name: str, version: str, url: str, kind: str = "library") -> dict[str, str]:
    return {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}
