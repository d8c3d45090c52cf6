"""`./x release`: the files of a release - sdist, wheel, bill of materials, checksums - the same from the same commit.

What only the publisher knows are fields of pyproject.toml: addresses under `[tool.hatch.metadata.hooks.custom.urls]`,
the rest under `[tool.passline.release]`. A release with an empty field is refused; a draft names them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from release.bill_of_materials import bill_of_materials

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
"""The file with the checksum of every other one; `sha256sum --check SHA256SUMS` compares them."""
_IMAGE = re.compile(r"[\w./:-]+@sha256:[0-9a-f]{64}")


def version_of(root: Path = ROOT) -> str:
    """Return the version of a checkout."""
    found = re.search(
        r'^__version__ = "(.+)"$', (root / "src" / "passline" / "version.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    return found[1]


def missing_fields(project: dict[str, Any]) -> Iterator[str]:
    """Yield what the publisher has not filled in, by its place in pyproject.toml."""
    tool = project["tool"]
    for name, address in tool["hatch"]["metadata"]["hooks"]["custom"]["urls"].items():
        if not str(address).startswith("https://"):
            yield f"[tool.hatch.metadata.hooks.custom.urls] {name}: an https:// address"
    fields = tool["passline"]["release"]
    if not fields["security_contact"]:
        yield "[tool.passline.release] security_contact: where a weakness is reported"
    if not _IMAGE.fullmatch(fields["base_image"]):
        yield "[tool.passline.release] base_image: the container's base by digest, NAME:TAG@sha256:..."


def faults_of_release(root: Path = ROOT) -> Iterator[str]:
    """Yield why a checkout is no release yet."""
    version = version_of(root)
    if ".dev" in version:
        yield f"version.py: {version} is not the version of a release"
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    if f"\nversion: {version}\n" not in citation:
        yield f"CITATION.cff: version: must be {version}"
    changed = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", changed, flags=re.MULTILINE)
    if released is None:
        yield f"CHANGELOG.md: has no ## {version} (DAY)"
    elif f"\ndate-released: {released[1]}\n" not in citation:
        yield f"CITATION.cff: date-released: must be {released[1]}"
    yield from missing_fields(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8")))


def make_release(folder: Path, root: Path = ROOT) -> list[Path]:
    """Make the files of a release in a folder, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder.absolute())]
    subprocess.run(command, check=True, cwd=root, env={**os.environ, "SOURCE_DATE_EPOCH": _epoch(root)})
    version = version_of(root)
    bill = folder / f"passline-{version}.cdx.json"
    bill.write_bytes(bill_of_materials(root, version))
    made = [*sorted(folder.glob(f"passline-{version}*.whl")), *sorted(folder.glob(f"passline-{version}.tar.gz")), bill]
    sums = folder / SUMS
    lines = (f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(made))
    sums.write_text("".join(lines), encoding="ascii")
    return [*made, sums]


def _epoch(root: Path) -> str:
    """Return the moment that packages bear: of the commit, or the one of an sdist, which has none."""
    shown = subprocess.run(["git", "log", "-1", "--format=%ct"], check=False, cwd=root, capture_output=True, text=True)
    return shown.stdout.strip() or "1580601600"


def main(arguments: Sequence[str]) -> int:
    """Make a release, or with --draft the same files whatever is missing."""
    is_draft, others = "--draft" in arguments, [word for word in arguments if word != "--draft"]
    folder = Path(others[0]) if others else ROOT / "dist"
    faults = list(faults_of_release())
    for fault in faults:
        print(f"x: {'still to do' if is_draft else 'not a release'}: {fault}", file=sys.stderr)
    if faults and not is_draft:
        return 1
    for path in make_release(folder):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
