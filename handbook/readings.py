"""The page of readings: what we took an unclear clause to mean, as the rulebooks state it."""

from __future__ import annotations

from collections.abc import Iterator

from passline.acts.rules import office_of
from passline.rules.clauses import REGULATIONS
from passline.rules.pages.citations import cited_nodes
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rule, cites_of


def readings_page(above: str) -> str:
    """Return the page: the words that people wrote above it, and every reading of every regulation."""
    lines = [above.rstrip(), ""]
    for name in REGULATIONS:
        rulebook = rulebook_of(name)
        lines += [f"## {rulebook.general.title}", "", *_table(_readings(rulebook)), ""]
        lines += [f"### The office {'{'} #{name}-office {'}'}", "", *_table(_readings(office_of(name).pages)), ""]
    return "\n".join(lines)


def _readings(node: object) -> Iterator[tuple[str, str, str]]:
    """Yield the place, the clauses and the reading of every entry that has one, each once."""
    seen = set()
    for path, cite, entry in cited_nodes(node):
        if isinstance(entry, Rule) and entry.reading and entry.reading not in seen:
            seen.add(entry.reading)
            yield path.removeprefix("general."), ", ".join(cites_of(cite)), entry.reading


def _table(readings: Iterator[tuple[str, str, str]]) -> Iterator[str]:
    rows = [f"| {place.replace('_', ' ')} | {clauses} | {reading} |" for place, clauses, reading in readings]
    if rows:
        yield from ("| about | clauses | our reading |", "| --- | --- | --- |", *rows)
    else:
        yield "None: its pages are followed as they stand."
