"""The sources of the site: pages from docs/ with their links turned, and everything that the code makes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from handbook.http_page import http_page
from handbook.pictures import draw_pictures
from handbook.readings import readings_page
from handbook.reference import reference_pages

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ASSETS = Path(__file__).resolve().parent / "assets"
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s#]+)((?:#[^)\s]*)?)\)")
_BESIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}  # pages of the site that are not in docs/
_FILES = "files"  # where files of the repository lie that a page links to


def write_sources(folder: Path) -> list[Path]:
    """Write every page and picture of the site into an empty folder, and return the pages."""
    written = {path: path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))}
    written |= {ROOT / name: page for name, page in _BESIDE.items()}
    for path, page in written.items():
        _write(folder / page, _turned(path, folder / page, written, folder))
    for path in sorted((DOCS / "images").iterdir()):
        _copy(path, folder / "images" / path.name)
    for name, text in reference_pages().items():
        _write(folder / "reference" / name, text)
    _write(folder / "reference" / "http.md", http_page())
    readings = folder / "explanation" / "readings.md"
    _write(readings, readings_page(readings.read_text(encoding="utf-8")))
    draw_pictures(folder / "pictures")
    for path in sorted(ASSETS.iterdir()):
        _copy(path, folder / ASSETS.name / path.name)
    return sorted(folder.rglob("*.md"))


def _turned(path: Path, page: Path, written: dict[Path, str], folder: Path) -> str:
    """Return a page whose links lead to pages of the site, and to copies of the files that are not pages."""

    def turn(link: re.Match[str]) -> str:
        words, to, part = link.groups()
        target = (path.parent / to).resolve()
        if target.is_dir():
            return words  # a folder of the repository is no page
        if target in written:
            place = folder / written[target]
        elif target.is_relative_to(DOCS) or not target.is_file():
            return link[0]  # what the build makes; if it makes no such thing, the builder says so
        else:
            place = folder / _FILES / target.relative_to(ROOT)
            _copy(target, place)
        up = [".."] * len(page.parent.relative_to(folder).parts)
        return f"[{words}]({'/'.join([*up, place.relative_to(folder).as_posix()])}{part})"

    return _LINK.sub(turn, path.read_text(encoding="utf-8"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)
