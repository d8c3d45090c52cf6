"""The site: every page has its place; what ./x docs builds needs no network, has no dead link and can be searched."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from handbook.build import found_from_anywhere
from hatch_build import readme_for_index

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "site" / "html"
CONFIGURATION = tomllib.loads((ROOT / "handbook" / "zensical.toml").read_text(encoding="utf-8"))["project"]
BESIDE = {"changelog.md", "contributing.md"}  # made from the files of these names in capitals
LOADING = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}


def _navigation(node: Any) -> Iterator[str]:  # noqa: ANN401 - as TOML nests it
    if isinstance(node, str):
        yield node
    else:
        for one in node.values() if isinstance(node, dict) else node:
            yield from _navigation(one)


def test_every_page_has_one_place_in_the_navigation() -> None:
    listed = list(_navigation(CONFIGURATION["nav"]))
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} | BESIDE
    assert len(listed) == len(set(listed))
    assert {page for page in listed if not page.startswith("reference/")} == written


def test_the_readme_on_an_index_has_no_link_that_only_a_checkout_has() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    there = readme_for_index(readme, "https://passline.example/source/")
    assert "](https://passline.example/source/docs/images/table.png)" in there
    assert "](docs/" not in there
    assert "](docs/" not in readme_for_index(readme, "")
    assert there.count("](https://") == readme.count("](")


def test_the_page_of_what_is_not_found_leads_on_from_a_folder_too() -> None:
    page = found_from_anywhere('<head><link href="/a.css"></head><a href="/">Start</a><a href="#top">Up</a>')
    head, _, body = page.partition("</head>")
    assert head.startswith('<head><base href="/"><script>')
    assert head.endswith('<link href="a.css">')
    assert body == '<a href="index.html">Start</a><a href="404.html#top">Up</a>'


class _Page(HTMLParser):
    """What a built page loads, links to and names."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.has_viewport = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        self.has_viewport |= tag == "meta" and given.get("name") == "viewport"
        self.loads += [
            given[name] for of, name in LOADING if of == tag and name in given and given.get("rel") != "canonical"
        ]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


@pytest.fixture(scope="module")
def pages() -> dict[Path, _Page]:
    """Every page of the site, built now."""
    done = subprocess.run([ROOT / "x", "docs"], check=False, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path: _Page(path) for path in sorted(SITE.rglob("*.html"))}


@pytest.mark.sweep
def test_the_site_is_built_and_loads_nothing_from_elsewhere(pages: dict[Path, _Page]) -> None:
    assert len(pages) == len([*_navigation(CONFIGURATION["nav"]), "404.html"])
    abroad = [f"{path.name}: {one}" for path, page in pages.items() for one in page.loads if urlsplit(one).netloc]
    assert abroad == []
    styles = "".join(path.read_text(encoding="utf-8") for path in SITE.rglob("*.css"))
    assert "url(http" not in styles and "@import" not in styles  # noqa: PT018 - one claim
    assert all(page.has_viewport for page in pages.values())
    assert (SITE / "search.json").stat().st_size > 100_000


@pytest.mark.sweep
def test_no_link_of_the_site_is_dead(pages: dict[Path, _Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (
                parts.fragment and target in pages and parts.fragment not in pages[target].names
            ):
                dead.append(f"{path.relative_to(SITE)}: {link}")
    assert dead == []


@pytest.mark.sweep
def test_every_picture_is_drawn_in_the_build(pages: dict[Path, _Page]) -> None:
    shown = {Path(one).name for page in pages.values() for one in page.loads if "/pictures/" in f"/{one}"}
    assert shown == {path.name for path in (SITE / "pictures").iterdir()}
    assert not list((ROOT / "docs").rglob("*.svg"))
