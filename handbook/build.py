"""Builds the site into site/html: its sources first, then Zensical, and no warning passes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from handbook.sources import ROOT, write_sources

_CONFIGURATION = Path(__file__).resolve().parent / "zensical.toml"
_WARNING = re.compile(r"\bwarning\b|\berror\b", flags=re.IGNORECASE)
_NOT_FOUND = "404.html"
_BASE = """<base href="/"><script>if (location.protocol === "file:") document.querySelector("base").remove()</script>"""


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
    page = site / "html" / _NOT_FOUND
    page.write_text(found_from_anywhere(page.read_text(encoding="utf-8")), encoding="utf-8")


def found_from_anywhere(page: str) -> str:
    """Return the page of what is not found with links that lead on from wherever it is shown.

    A server shows it in place of any page, however deep, so its links begin at the root; in a folder there is no
    such root, and they begin beside it.
    """
    page = re.sub(r'(href|src)="/"', r'\1="index.html"', page)
    page = re.sub(r'(href|src)="/(?!/)', r'\1="', page)
    page = page.replace('href="#', f'href="{_NOT_FOUND}#')
    return page.replace("<head>", f"<head>{_BASE}", 1)


if __name__ == "__main__":
    build(ROOT / "site")
    print(ROOT / "site" / "html" / "index.html")
