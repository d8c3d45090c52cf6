"""The impact sheet of an amendment: what changes on papers, for houses and offices, and in the payments of a year."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.rules import OFFICE_RULES
from passline.dice import roll_of
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Position
from passline.game.progressives import meter_events
from passline.game.settlement import settlement
from passline.papers.house_papers import PAPERS, POSTER, house_papers
from passline.refusal import Refused
from passline.rules.explain.paper_head import head_of
from passline.rules.house_reader import house_of
from passline.rules.pages.amendments import AMENDMENTS, Amendment, DatedTexts, texts_of
from passline.rules.pages.day import days_told_by
from passline.rules.rulebook_reader import rulebook_from
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from passline.store.entry import Entry
from passline.tables.entries import is_table, table_entry
from passline.tables.live import LiveTable

_YEAR = 1


class Amending(Struct, frozen=True):
    """An amendment with the text before it and the one that it makes of it."""

    name: str
    amendment: Amendment
    before: Rulebook
    after: Rulebook


class PaidOtherwise(Struct, frozen=True):
    """What the wagers of one kind that were made came to, and what they would have come to under another text."""

    wager: str
    paid: int = 0  # cents: winnings, less vigorish on a win, and what a meter paid as it stood
    would_pay: int = 0
    refused: int = 0  # wagers that were made and would not have been taken
    refused_cents: int = 0
    is_unknown: bool = False  # the other text has no such wager


class YearOfPlay(Struct, frozen=True):
    """A year of a log under another text: the same dice, and the wagers that were made."""

    first: date
    last: date
    rolls: int
    wagers: tuple[PaidOtherwise, ...]  # those that come to something else


def amendment_of(name: str, file: str) -> Amending:
    """Return an amendment of a rulebook by the name of its file, such as 2027-01.toml."""
    texts = texts_of(name)
    found = next((known for known in texts.amendments if known.file == f"{AMENDMENTS}/{file}"), None)
    if found is None:
        known = ", ".join(amendment.file for amendment in texts.amendments) or "none"
        raise CrapsError(f"{name}: there is no {AMENDMENTS}/{file}; there is {known}")
    others = tuple(known for known in texts.amendments if known.file != found.file)
    in_time = sorted((*others, found), key=lambda amendment: amendment.file)
    day = found.head.begins
    without, with_it = DatedTexts(texts.written, others), DatedTexts(texts.written, tuple(in_time))
    return Amending(name, found, rulebook_from(without.on(day)), rulebook_from(with_it.on(day)))


def changed_papers(change: Amending) -> tuple[list[str], list[str]]:
    """Return which papers of the default house must be printed again, and which stay as they are."""
    head = head_of(Rules.under(change.before), version="")
    changed: list[str] = []
    for paper in (*PAPERS, POSTER):
        sheets = [house_papers(Rules.under(text), head, papers=[paper]) for text in (change.before, change.after)]
        if sheets[0] != sheets[1]:
            changed.append(paper)
    return changed, [paper for paper in (*PAPERS, POSTER) if paper not in changed]


def house_breaches(change: Amending, house: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of a house that is lawful before an amendment is not lawful after it; empty if all of it is."""
    before = {*map(str, house_of(change.before, house)[1])}
    return tuple(breach for breach in map(str, house_of(change.after, house)[1]) if breach not in before)


def changed_duties(change: Amending) -> Iterator[str]:
    """Yield each entry of the office's pages that is new, gone or different, by its section and name."""
    day, name = change.amendment.head.begins, change.name
    with days_told_by({name: day}.__getitem__):
        pages = OFFICE_RULES.installed_pages(name)
    own = f"{name}/{change.amendment.file}"
    without = replace(pages, texts={page: text for page, text in pages.texts.items() if page != own})
    before, after = (OFFICE_RULES.read(text).pages for text in (without, pages))
    for section in before.__struct_fields__:
        old, new = getattr(before, section), getattr(after, section)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from (
                f"{section}: {key}: {_fate(old, new, key)}" for key in {**old, **new} if old.get(key) != new.get(key)
            )
        elif old != new:
            yield f"{section}: changed"


def _fate(old: Mapping[str, object], new: Mapping[str, object], key: str) -> str:
    return "new" if key not in old else "no longer there" if key not in new else "changed"


def year_under(change: Amending, entries: Iterable[Entry]) -> YearOfPlay:
    """Return what the year before an amendment would have paid under it, by the entries of a log in their order."""
    last = change.amendment.head.begins
    first = last.replace(year=last.year - _YEAR, day=min(last.day, 28) if last.month == 2 else last.day)  # noqa: PLR2004
    tables: dict[str, LiveTable] = {}
    count = _Count(change)
    for entry in entries:
        if not is_table(entry):
            continue
        before = tables.get(entry.stream)
        decision = table_entry(before, entry)
        is_in_year = first.isoformat() <= entry.at[:10] < str(last)
        if before is not None and before.house["rules"] == change.name and is_in_year:
            count.add(before, decision.command, decision.events)
        tables[entry.stream] = decision.after
    return YearOfPlay(first, last, count.rolls, tuple(count.otherwise()))


class _Count:
    """What wagers came to, and would have come to, added up by kind."""

    def __init__(self, change: Amending) -> None:
        self.rolls = 0
        self._change = change
        self._paid: dict[str, PaidOtherwise] = {}
        self._rules: dict[str, Rules | None] = {}  # of each house under the new text; None: its file cannot be read

    def add(self, live: LiveTable, command: object, events: Iterable[e.Event | Any]) -> None:
        """Count an entry of a table."""
        if (rules := self._rules_of(live)) is None:
            return
        if isinstance(command, c.MakeWager):
            self._count_made(rules, live, command)
            return
        settled = [event for event in events if isinstance(event, e.RollSettled)]
        for roll in settled:
            self.rolls += 1
            known = tuple(wager for wager in live.game.position.layout if wager.kind in rules.wagers)
            position: Position = replace(live.game.position, layout=known)
            self._count_paid(events, is_new=False)
            happened = settlement(rules, position, roll_of(roll.first, roll.second))
            self._count_paid([*happened, *meter_events(rules, live.game, happened)], is_new=True)

    def _rules_of(self, live: LiveTable) -> Rules | None:
        """Return the rules of a table under the new text; a house above a new maximum is taken to go down to it."""
        if live.rules not in self._rules:
            key, elections = "wager_cents_max", self._change.after.elections
            most = elections[key].max if key in elections else None
            lowered = {} if most is None else {key: min(live.house[key], most)}
            house, _breaches = house_of(self._change.after, {**live.house, **lowered})
            game = house and self._change.after.games.get(house.game)
            self._rules[live.rules] = Rules(self._change.after, house) if house and game else None
        return self._rules[live.rules]

    def _count_made(self, rules: Rules, live: LiveTable, command: c.MakeWager) -> None:
        known = self._of(command.wager)
        is_unknown = command.wager not in rules.wagers
        if is_unknown or isinstance(act(rules, live.game, command), Refused):
            self._paid[command.wager] = replace(
                known,
                refused=known.refused + 1,
                refused_cents=known.refused_cents + command.cents,
                is_unknown=is_unknown,
            )

    def _count_paid(self, events: Iterable[Any], *, is_new: bool) -> None:
        for event in events:
            if isinstance(event, e.WagerWon | e.MeterPaid):
                known = self._of(event.wager.kind)
                cents = event.cents if isinstance(event, e.MeterPaid) else event.winnings - event.vigorish
                self._paid[event.wager.kind] = (
                    replace(known, would_pay=known.would_pay + cents)
                    if is_new
                    else replace(known, paid=known.paid + cents)
                )

    def _of(self, kind: str) -> PaidOtherwise:
        return self._paid.setdefault(kind, PaidOtherwise(kind))

    def otherwise(self) -> Iterator[PaidOtherwise]:
        """Yield the kinds that would have come to something else."""
        yield from (paid for paid in self._paid.values() if paid.paid != paid.would_pay or paid.refused)


def amendment_named(path: Path) -> tuple[Path, str]:
    """Return the folder of the rulebook that a file amends, and the file's name; raise CrapsError if it amends none."""
    file = path if path.suffix else path.with_suffix(".toml")
    if file.parent.name != AMENDMENTS or not file.is_file():
        raise CrapsError(f"{path}: is not an amendment of a rulebook, such as rulebooks/NAME/{AMENDMENTS}/2027-01.toml")
    return file.absolute().parent.parent, file.name
