"""The cage's accountability of a gaming day: its money by place and shift, what counts found, and the chip float."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.judges.paying import CENT, worth
from passline.acts.schema import Stock
from passline.acts.state import ActState
from passline.acts.stocks import Stocks
from passline.acts.views.lists import doer_of, signers_in_short
from passline.bookkeeping.act_money import MARKERS
from passline.bookkeeping.cage import MoneyEntry, Statement, money_entries, statements, stocks_at_end
from passline.documents.sheet import Cell, SheetTable
from passline.money import Cents
from passline.office.views.day_report import OfficeDay, day_bounds, day_tables

CHIPS = "chips"
"""The stock of chips, whose float is what is out with players."""
_PLAYERS = "players"


def has_cage(day: OfficeDay) -> bool:
    """Return whether the house keeps the money of its cage."""
    return bool(_money_stocks(day))


def tables_of_day(day: OfficeDay) -> list[SheetTable]:
    """Return the report of a gaming day, table by table; where the house keeps its cage's money, that comes first."""
    *tables, acts = day_tables(day)
    return [*tables, *cage_tables(day), acts]


def cage_tables(day: OfficeDay) -> list[SheetTable]:
    """Return the accountability of the cage in a gaming day; nothing where the house does not keep it."""
    if not has_cage(day):
        return []
    begins, ends = day_bounds(day.facility, day.day)
    entries = [*money_entries(day.own_acts(), begins, ends)]
    found = statements(entries, day.opening, _money_stocks(day))
    return [
        _accountability(day, "Accountability of the cage, by place", found),
        _by_shift(day, entries),
        _counts(day),
        _float(day, entries),
        *_credit_tables(day, entries),
    ]


def _money_stocks(day: OfficeDay) -> list[str]:
    tallies = (act.tallies for act in day.rules.pages.acts.values() if act.tallies)
    return list(dict.fromkeys(stock for tallying in tallies for stock in tallying.fields))


def _account_stocks(day: OfficeDay) -> list[str]:
    """Return what is kept by its worth and not counted: markers, credit and front money of patrons."""
    stocks = day.rules.pages.stocks.items()
    return [key for key, stock in stocks if stock.by_worth and key not in _money_stocks(day)]


def _inside(day: OfficeDay, statement: Statement) -> bool:
    """Return whether a place is the house's own, and not outside."""
    stock: Stock = day.rules.pages.stocks[statement.stock]
    return statement.place not in stock.outside and not statement.is_empty


def _accountability(day: OfficeDay, title: str, found: Sequence[Statement]) -> SheetTable:
    """Return what each place had, got, gave and has, of each kind of money, and all together."""
    own = [statement for statement in found if _inside(day, statement)]
    rows = [
        (_place_words(day, statement), _stock_name(day, statement.stock), *_figures(statement)) for statement in own
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


def shift_bounds(facility: Facility, day: OfficeDay) -> list[tuple[str, str, str]]:
    """Return the shifts of a gaming day, each with when it begins and when the next one does."""
    begins, ends = day_bounds(facility, day.day)
    moments, names = [begins], [facility.shift_of(begins).name]
    while (following := facility.shift_end(moments[-1])) < ends:
        moments.append(following)
        names.append(facility.shift_of(following).name)
    return [(name, *bounds) for name, bounds in zip(names, pairwise([*moments, ends]), strict=True)]


def _by_shift(day: OfficeDay, entries: Sequence[MoneyEntry]) -> SheetTable:
    """Return what came and went in each shift, act by act, for every place of the house."""
    rows: list[tuple[Cell, ...]] = []
    opening: Stocks = day.opening
    for shift, begins, ends in shift_bounds(day.facility, day):
        own = [entry for entry in entries if begins <= entry.at < ends]
        found = statements(own, opening, _money_stocks(day))
        for statement in found:
            if _inside(day, statement):
                place, of = _place_words(day, statement), _stock_name(day, statement.stock)
                rows += [(shift, place, of, *line) for line in _lines(day, statement)]
        opening = {**opening, **stocks_at_end(found)}
    return SheetTable(
        title="Accountability of the cage, by shift",
        heads=("shift", "place", "of", "what", "came $", "went $", "on record $"),
        widths=(0.8, 1.6, 1.3, 3.2, 1.1, 1.1, 1.2),
        rows=tuple(rows),
        nothing="No money of the cage is on record.",
    )


def _lines(day: OfficeDay, statement: Statement) -> Iterator[tuple[Cell, ...]]:
    if not (statement.came or statement.went or statement.over):
        yield "nothing came or went", None, None, statement.closing
        return
    yield "opening", None, None, statement.opening
    for name, cents in statement.came.items():
        yield _act_name(day, name), Cents(cents), None, None
    for name, cents in statement.went.items():
        yield _act_name(day, name), None, Cents(cents), None
    if statement.over:
        over = (Cents(statement.over), None) if statement.over > 0 else (None, Cents(-statement.over))
        yield "counted over" if statement.over > 0 else "counted short", *over, None
    yield "closing", None, None, statement.closing


def _counts(day: OfficeDay) -> SheetTable:
    """Return every count of money in the day: who counted, what was there, and what was over or short."""
    rows = tuple(
        (
            day.local(act.completed or act.at),
            _act_name(day, act.done.act),
            act.done.things[0] if act.done.things else "vault",
            *(_counted_cents(act, keys) for keys in tallying.fields.values()),
            _over(act),
            doer_of(act),
            signers_in_short(act, day.rules),
            act.marked_status,
        )
        for act in day.own_acts()
        if (rule := day.rules.act(act.done.act)) and (tallying := rule.tallies)
    )
    heads = tuple(f"{_stock_name(day, key)} $" for key in _counted_stocks(day))
    return SheetTable(
        title="Counts of the cage's money",
        heads=("when", "count", "of", *heads, "over or short $", "counted by", "signed by", "status"),
        widths=(1.2, 1.6, 0.8, *(1 for _ in heads), 1.1, 1.6, 1.8, 0.8),
        rows=rows,
        nothing="No money of the cage was counted.",
    )


def _counted_stocks(day: OfficeDay) -> list[str]:
    rules = (act.tallies for act in day.rules.pages.acts.values() if act.tallies)
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


def _float(day: OfficeDay, entries: Sequence[MoneyEntry]) -> SheetTable:
    """Return the chips that are out with players, which the house owes, and how they come to what is made."""
    chips = statements([entry for entry in entries if entry.stock == CHIPS], day.opening, [CHIPS], ())
    players = next((found for found in chips if found.place == _PLAYERS), None)
    rows: list[tuple[Cell, ...]] = []
    if players is not None:
        rows.append(("out with players when the day began", players.opening))
        rows += [(f"more: {_act_name(day, name)}", Cents(cents)) for name, cents in players.came.items()]
        rows += [(f"less: {_act_name(day, name)}", Cents(-cents)) for name, cents in players.went.items()]
        rows.append(("out with players when it ended", players.closing))
    others = [found for found in chips if found.place != _PLAYERS]
    rows += [(f"on record: {_place_words(day, found)}", found.closing) for found in others if found.closing]
    rows.append(("all places together, which is nothing", Cents(sum(found.closing for found in chips))))
    return SheetTable(
        title="Chip float: chips out with players, and where the others are",
        heads=("what", "amount $"),
        widths=(5, 1.4),
        rows=tuple(rows),
        totals=(len(rows) - 1,),
    )


def _credit_tables(day: OfficeDay, entries: Sequence[MoneyEntry]) -> list[SheetTable]:
    """Return what patrons owe and have with the house, and drop with credit; nothing where there is no such book."""
    if not (stocks := _account_stocks(day)):
        return []
    own = [found for found in statements(entries, day.opening, stocks) if _inside(day, found)]
    rows = [(_place_words(day, found), _stock_name(day, found.stock), *_figures(found)) for found in own]
    accounts = SheetTable(
        title="Markers, credit and front money",
        heads=("of", "what", "opening $", "came $", "went $", "over or short $", "closing $"),
        widths=(2, 1.6, 1.2, 1.2, 1.2, 1.2, 1.2),
        rows=tuple(rows),
        nothing="No patron owes the house anything, or has left something with it.",
    )
    return [accounts, aging_table(day.state, day.facility, day.day), _statistical_drop(day, entries)]


def _statistical_drop(day: OfficeDay, entries: Sequence[MoneyEntry]) -> SheetTable:
    """Return the drop of each table with what was drawn there on credit and from front money."""
    drawn = dict[str, int]()
    for entry in entries:
        if entry.stock == CHIPS and entry.name in MARKERS:
            for place, sign in ((entry.source, 1), (entry.target, -1)):
                kind, _, table = place.partition("/")
                if kind == "table" and sign * entry.cents and (sign > 0 or entry.name == "void_marker"):
                    drawn[table] = drawn.get(table, 0) + sign * entry.cents
    tables = dict.fromkeys((*day.to_date.day, *drawn))
    return SheetTable(
        title="Statistical drop: what was dropped, and drawn at the table on credit or from front money",
        heads=("table", "drop $", "drawn at the table $", "statistical drop $"),
        widths=(1.5, 1.3, 1.5, 1.5),
        rows=tuple(
            (table, Cents(drop), Cents(drawn.get(table, 0)), Cents(drop + drawn.get(table, 0)))
            for table in tables
            for drop in [day.to_date.day[table].drop if table in day.to_date.day else 0]
        ),
        nothing="No table was played.",
    )


def aging_table(state: ActState, facility: Facility, day: date) -> SheetTable:
    """Return every marker that is not paid, with what is left of it and for how many days it has been open."""
    rows: list[tuple[Cell, ...]] = []
    sums = dict.fromkeys(_AGES, 0)
    for marker in state.of_kind("marker", ("issued", "in_cage")):
        mark = state.mark("issue_marker", f"marker/{marker.id}")
        left = state.stocks.get("marker", {}).get(f"marker/{marker.id}", {}).get(CENT, 0)
        if mark is None or not left:
            continue
        issued = facility.gaming_day(mark.at)
        age = next(name for name, days in _AGES.items() if (day - issued).days <= days)
        sums[age] += left
        where = "in the cage" if marker.state == "in_cage" else f"at {marker.facts.get('table')}"
        patron = str(marker.facts.get("patron", ""))
        rows.append((marker.id, patron, where, issued.isoformat(), (day - issued).days, age, Cents(left)))
    rows += [("together", "", "", "", None, age, Cents(cents)) for age, cents in sums.items() if rows]
    return SheetTable(
        title="Markers that are not paid, by age",
        heads=("marker", "patron", "where", "issued", "days", "age", "open $"),
        widths=(1.1, 1, 1.2, 1.1, 0.6, 1.2, 1.2),
        rows=tuple(rows),
        totals=tuple(range(len(rows) - len(_AGES), len(rows))) if rows else (),
        nothing="Every marker is paid.",
    )


_AGES = {"up to 30 days": 30, "31 to 60 days": 60, "61 to 90 days": 90, "more than 90 days": 1_000_000}


def _act_name(day: OfficeDay, name: str) -> str:
    rule = day.rules.act(name)
    return rule.name if rule else name.replace("_", " ")


def _stock_name(day: OfficeDay, stock: str) -> str:
    return day.rules.pages.stocks[stock].name


def _place_words(day: OfficeDay, statement: Statement) -> str:
    kind, slash, _ = statement.place.partition("/")
    return day.words.subject(statement.place) if slash and kind else statement.place.replace("_", " ")
