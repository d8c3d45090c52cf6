"""Builds the site into site/html: its sources first, then Zensical, and no warning passes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from handbook.sources import ROOT, write_sources

__all__ = ["build"]

_CONFIGURATION = Path(__file__).resolve().parent / "zensical.toml"
_WARNING = re.compile(r"\bwarning\b|\berror\b", flags=re.IGNORECASE)


def build(site: Path) -> None:
    """Build the site into a folder: `source` is what it is made from, `html` the result."""
    shutil.rmtree(site, ignore_errors=True)
    write_sources(site / "source")
    configuration = site / _CONFIGURATION.name
    configuration.write_text(_CONFIGURATION.read_text(encoding="utf-8").replace("@ROOT@", str(ROOT)), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own tool and files
        [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(configuration)],
        check=False,
        cwd=site,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode or _WARNING.search(done.stdout):
        raise SystemExit(f"{done.stdout}\nthe site was not built: mend what is said above")


if __name__ == "__main__":
    build(ROOT / "site")
    print(ROOT / "site" / "html" / "index.html")
