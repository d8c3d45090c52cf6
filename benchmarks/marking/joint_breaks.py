"""Breaks that change several places of a rulebook together, since loading asks that they agree."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.marking.rulebook_breaks import Break, Entry, Rulebooks, at_keys, cited_beside, written

Page = dict[str, Any]


def joint_breaks_of(books: Rulebooks, entry: Entry) -> Iterator[Break]:
    """Every break of an entry together with what must agree with it."""
    yield from _out_of_every_game(books, entry)
    yield from _paid_otherwise(books, entry)
    yield from _exchanged(books, entry)
    yield from _wins_too(books, entry)


def _made(books: Rulebooks, entry: Entry, what: str, pages: dict[str, Page]) -> Break:
    where = ".".join(str(one) for one in entry.keys)
    first, *rest = sorted(pages, key=lambda file: file != entry.file)
    also = tuple((file, written(pages[file])) for file in rest)
    return Break(first, f"{where} {what}", f"{where} {what}", written(pages[first]), books.matter(entry), also=also)


def _out_of_every_game(books: Rulebooks, entry: Entry) -> Iterator[Break]:
    """Take an entry out of all games that have it, as one game may not lack what another has."""
    if entry.cite != "cite" or len(entry.keys) < 2:
        return
    folder = Path(entry.file).parent
    pages = {file: copy.deepcopy(page) for file, page in books.pages.items() if Path(file).parent == folder}
    having = [file for file, page in pages.items() if "procedures" in page and _has(page, entry.keys)]
    if entry.file not in having or len(having) < 2:
        return
    for file in having:
        del at_keys(pages[file], entry.keys[:-1])[entry.keys[-1]]
    cited_beside(pages[entry.file], entry, list(pages.values()), entry.clauses)
    yield _made(books, entry, "taken out of every game", {file: pages[file] for file in having})


def _has(page: Page, keys: tuple[str | int, ...]) -> bool:
    try:
        at_keys(page, keys)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _wagers(page: Page) -> Page:
    """The wagers of a page, whose wagers may be those of a game alone."""
    own = page.get("wagers")
    return own if isinstance(own, dict) else page


def _wager(page: Page, entry: Entry) -> tuple[str, Page]:
    keys = entry.keys[1:] if isinstance(page.get("wagers"), dict) and entry.keys[:1] == ("wagers",) else entry.keys
    kind = str(keys[0]) if keys else ""
    found = _wagers(page).get(kind)
    return (kind, found) if isinstance(found, dict) and "family" in found else ("", {})


def _behind(page: Page, kind: str, wager: Page) -> list[Page]:
    """A wager and the odds behind it, or odds, the wager they are behind and others behind that."""
    base = wager.get("behind", kind)
    wagers = _wagers(page)
    return [one for name, one in wagers.items() if isinstance(one, dict) and base in {name, one.get("behind")}]


def _paid_otherwise(books: Rulebooks, entry: Entry) -> Iterator[Break]:
    """Change what a line wager pays, and with it what its odds say of the original wager."""
    page = copy.deepcopy(books.pages[entry.file])
    kind, wager = _wager(page, entry)
    if not kind or not ({"flat", "pays"} & {*entry.keys}) or wager["family"] not in {"line", "odds"}:
        return
    if wager["family"] == "odds" and "flat" not in entry.keys:
        return
    for one in _behind(page, kind, wager):
        if one["family"] == "odds":
            one["flat"]["pays"] = "2 to 1"
        elif len(one.get("pays", ())) == 1:
            one["pays"][0]["pays"] = "2 to 1"
    yield _made(books, entry, "2 to 1, by the wager and its odds", {entry.file: page})


def _exchanged(books: Rulebooks, entry: Entry) -> Iterator[Break]:
    """Exchange what wins and what loses, of a wager and of the odds behind it."""
    page = copy.deepcopy(books.pages[entry.file])
    kind, wager = _wager(page, entry)
    if not kind or entry.name not in {"win", "lose"} or not {"win", "lose"} <= {*wager}:
        return
    changed = [one for one in _behind(page, kind, wager) or [wager] if "on" in one["win"] and "on" in one["lose"]]
    for one in changed:
        one["win"]["on"], one["lose"]["on"] = one["lose"]["on"], one["win"]["on"]
    if changed:
        yield _made(books, entry, "win and lose exchanged", {entry.file: page})


def _wins_too(books: Rulebooks, entry: Entry) -> Iterator[Break]:
    """Let a total win that should lose, and be paid."""
    if entry.name != "lose":
        return
    for total in (3, 5, 8, 12):
        page = copy.deepcopy(books.pages[entry.file])
        kind, wager = _wager(page, entry)
        if not kind or "totals" not in wager.get("win", {}) or total in wager["win"]["totals"]:
            continue
        lines = [line for line in wager.get("pays", ()) if "totals" in line]
        if lines:
            wager["win"]["totals"] = [*wager["win"]["totals"], total]
            lines[0]["totals"] = [*lines[0]["totals"], total]
            yield _made(books, entry, f"not on {total}, which wins", {entry.file: page})
