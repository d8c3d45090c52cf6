"""The cage's accountability of a gaming day: its money by place and shift, what counts found, and the chip float."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.judges.paying import worth
from passline.acts.schema import Stock
from passline.acts.stocks import Stocks
from passline.acts.views.lists import doer_of, signers_in_short
from passline.bookkeeping.cage import MoneyEntry, Statement, money_entries, statements, stocks_at_end
from passline.documents.sheet import Cell, SheetTable
from passline.money import Cents
from passline.office.views.day_report import OfficeDay, day_bounds, day_tables

CHIPS = "chips"
"""The stock of chips, whose float is what is out with players."""
_PLAYERS = "players"


def has_cage(one: OfficeDay) -> bool:
    """Return whether the house keeps the money of its cage."""
    return bool(_money_stocks(one))


def tables_of_day(one: OfficeDay) -> list[SheetTable]:
    """Return everything of a gaming day, table by table: the cage's money before the acts, where the house keeps it."""
    *tables, acts = day_tables(one)
    return [*tables, *cage_tables(one), acts]


def cage_tables(one: OfficeDay) -> list[SheetTable]:
    """Return the accountability of the cage in a gaming day; nothing where the house does not keep it."""
    if not has_cage(one):
        return []
    begins, ends = day_bounds(one.facility, one.day)
    entries = [*money_entries(one.own_acts(), begins, ends)]
    day = statements(entries, one.opening, _money_stocks(one))
    return [
        _accountability(one, "Accountability of the cage, by place", day),
        _by_shift(one, entries),
        _counts(one),
        _float(one, entries),
    ]


def _money_stocks(one: OfficeDay) -> list[str]:
    return [key for key, stock in one.rules.pages.stocks.items() if stock.by_worth]


def _inside(one: OfficeDay, statement: Statement) -> bool:
    """Return whether a place is the house's own, and not outside."""
    stock: Stock = one.rules.pages.stocks[statement.stock]
    return statement.place not in stock.outside and not statement.is_empty


def _accountability(one: OfficeDay, title: str, found: Sequence[Statement]) -> SheetTable:
    """Return what each place had, got, gave and has, of each kind of money, and all together."""
    own = [statement for statement in found if _inside(one, statement)]
    rows = [
        (_place_words(one, statement), _stock_name(one, statement.stock), *_figures(statement)) for statement in own
    ]
    if own:
        rows.append(("together", "", *_sums(own)))
    return SheetTable(
        title=title,
        heads=("place", "of", "opening $", "came $", "went $", "over or short $", "closing $"),
        widths=(2, 1.6, 1.2, 1.2, 1.2, 1.2, 1.2),
        rows=tuple(rows),
        totals=(len(rows) - 1,) if rows else (),
        nothing="No money of the cage is on record.",
    )


def _figures(statement: Statement) -> tuple[Cell, ...]:
    came, went = sum(statement.came.values()), sum(statement.went.values())
    return tuple(Cents(cents) for cents in (statement.opening, came, went, statement.over, statement.closing))


def _sums(found: Sequence[Statement]) -> tuple[Cell, ...]:
    """Return the sums of statements; what went from one of these places to another is in both columns."""
    columns = (
        sum(statement.opening for statement in found),
        sum(sum(statement.came.values()) for statement in found),
        sum(sum(statement.went.values()) for statement in found),
        sum(statement.over for statement in found),
        sum(statement.closing for statement in found),
    )
    return tuple(Cents(cents) for cents in columns)


def shift_bounds(facility: Facility, one: OfficeDay) -> list[tuple[str, str, str]]:
    """Return the shifts of a gaming day, each with when it begins and when the next one does."""
    begins, ends = day_bounds(facility, one.day)
    moments, names = [begins], [facility.shift_of(begins).name]
    while (following := facility.shift_end(moments[-1])) < ends:
        moments.append(following)
        names.append(facility.shift_of(following).name)
    return [(name, *bounds) for name, bounds in zip(names, pairwise([*moments, ends]), strict=True)]


def _by_shift(one: OfficeDay, entries: Sequence[MoneyEntry]) -> SheetTable:
    """Return what came and went in each shift, act by act, for every place of the house."""
    rows: list[tuple[Cell, ...]] = []
    opening: Stocks = one.opening
    for shift, begins, ends in shift_bounds(one.facility, one):
        own = [entry for entry in entries if begins <= entry.at < ends]
        found = statements(own, opening, _money_stocks(one))
        for statement in found:
            if _inside(one, statement):
                place, of = _place_words(one, statement), _stock_name(one, statement.stock)
                rows += [(shift, place, of, *line) for line in _lines(one, statement)]
        opening = {**opening, **stocks_at_end(found)}
    return SheetTable(
        title="Accountability of the cage, by shift",
        heads=("shift", "place", "of", "what", "came $", "went $", "on record $"),
        widths=(0.8, 1.6, 1.3, 3.2, 1.1, 1.1, 1.2),
        rows=tuple(rows),
        nothing="No money of the cage is on record.",
    )


def _lines(one: OfficeDay, statement: Statement) -> Iterator[tuple[Cell, ...]]:
    if not (statement.came or statement.went or statement.over):
        yield "nothing came or went", None, None, statement.closing
        return
    yield "opening", None, None, statement.opening
    for name, cents in statement.came.items():
        yield _act_name(one, name), Cents(cents), None, None
    for name, cents in statement.went.items():
        yield _act_name(one, name), None, Cents(cents), None
    if statement.over:
        over = (Cents(statement.over), None) if statement.over > 0 else (None, Cents(-statement.over))
        yield "counted over" if statement.over > 0 else "counted short", *over, None
    yield "closing", None, None, statement.closing


def _counts(one: OfficeDay) -> SheetTable:
    """Return every count of money in the day: who counted, what was there, and what was over or short."""
    rows = tuple(
        (
            one.local(act.completed or act.at),
            _act_name(one, act.done.act),
            act.done.things[0] if act.done.things else "vault",
            *(_counted_cents(act, keys) for keys in tallying.fields.values()),
            _over(act),
            doer_of(act),
            signers_in_short(act, one.rules),
            act.marked_status,
        )
        for act in one.own_acts()
        if (rule := one.rules.act(act.done.act)) and (tallying := rule.tallies)
    )
    heads = tuple(f"{_stock_name(one, key)} $" for key in _counted_stocks(one))
    return SheetTable(
        title="Counts of the cage's money",
        heads=("when", "count", "of", *heads, "over or short $", "counted by", "signed by", "status"),
        widths=(1.2, 1.6, 0.8, *(1 for _ in heads), 1.1, 1.6, 1.8, 0.8),
        rows=rows,
        nothing="No money of the cage was counted.",
    )


def _counted_stocks(one: OfficeDay) -> list[str]:
    rules = (act.tallies for act in one.rules.pages.acts.values() if act.tallies)
    return list(next(rules).fields)


def _counted_cents(act: RecordedAct, keys: Sequence[str]) -> Cell:
    return Cents(sum(worth(act.done.fields.get(key)) for key in keys))


def _over(act: RecordedAct) -> Cell:
    """Return what a count found over, below zero what it found short; nothing before everybody has signed."""
    if act.result is None:
        return None
    place = f"{act.done.kind}/{act.done.things[0]}" if act.done.things else ""
    signs = ((entry, 1 if _is_at(entry.target, place) else -1) for entry in money_entries([act]))
    return Cents(sum(sign * entry.cents for entry, sign in signs))


def _is_at(place: str, counted: str) -> bool:
    return place == counted if counted else place == "vault"


def _float(one: OfficeDay, entries: Sequence[MoneyEntry]) -> SheetTable:
    """Return the chips that are out with players, which the house owes, and how they come to what is made."""
    chips = statements([entry for entry in entries if entry.stock == CHIPS], one.opening, [CHIPS], ())
    players = next((found for found in chips if found.place == _PLAYERS), None)
    rows: list[tuple[Cell, ...]] = []
    if players is not None:
        rows.append(("out with players when the day began", players.opening))
        rows += [(f"more: {_act_name(one, name)}", Cents(cents)) for name, cents in players.came.items()]
        rows += [(f"less: {_act_name(one, name)}", Cents(-cents)) for name, cents in players.went.items()]
        rows.append(("out with players when it ended", players.closing))
    others = [found for found in chips if found.place != _PLAYERS]
    rows += [(f"on record: {_place_words(one, found)}", found.closing) for found in others if found.closing]
    rows.append(("all places together, which is nothing", Cents(sum(found.closing for found in chips))))
    return SheetTable(
        title="Chip float: chips out with players, and where the others are",
        heads=("what", "amount $"),
        widths=(5, 1.4),
        rows=tuple(rows),
        totals=(len(rows) - 1,),
    )


def _act_name(one: OfficeDay, name: str) -> str:
    rule = one.rules.act(name)
    return rule.name if rule else name.replace("_", " ")


def _stock_name(one: OfficeDay, stock: str) -> str:
    return one.rules.pages.stocks[stock].name


def _place_words(one: OfficeDay, statement: Statement) -> str:
    kind, slash, _ = statement.place.partition("/")
    return one.words.subject(statement.place) if slash and kind else statement.place.replace("_", " ")
