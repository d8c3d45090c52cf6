"""Two regulations side by side: the wagers they know, payouts, terms, limits, procedures, records and variations.

Each is shown as its default house deals a game, and by what it permits a house; what both say alike is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from passline.errors import CrapsError
from passline.money import dollar_amount
from passline.papers.posted_rules import short_amounts
from passline.rules.clauses import clauses_of
from passline.rules.explain.election_form import election_fields
from passline.rules.explain.live import live_lines
from passline.rules.explain.paper_head import shortened_clauses
from passline.rules.explain.payouts import outcomes_paid
from passline.rules.explain.sections import sections, wager_terms
from passline.rules.explain.wagers import words
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager, cites_of, multiples_text

_NOT_TOLD = {"pays", "limits", "offered", "steps", "original", "settled as", "excess", "table limits", "vigorish"}
_ABSENT = "nothing"
_TERMS = "Terms of the wagers that both know"
_VARIED = {"points": "points ", "wager": "terms of their own for ", "no wager": "no "}
_TABLES = ("pay table", "reading")
_MISSING = {
    "Games and variations": "not dealt",
    "Wagers": "no such wager",
    "Payouts": "no such wager",
    _TERMS: "not said",
    "Other elections of a house": "no such election",
    "Limits, odds and vigorish: what a house may elect": "no such election",
}


_NOT_THERE = {_ABSENT, *_MISSING.values()}
_NAMED_MAX = 2  # of what differs, in a line of the summary


class Stated(Struct, frozen=True):
    """What one regulation says, and where."""

    says: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.says} [{', '.join(self.clauses)}]" if self.clauses else self.says


class Beside(Struct, frozen=True):
    """What each of the two regulations says about one thing."""

    about: str
    left: Stated
    right: Stated


class SideBySide(Struct, frozen=True):
    """A heading, and what differs under it."""

    title: str
    rows: tuple[Beside, ...]


_Found = dict[str, Stated]


def regulation_differences(left: Rules, right: Rules) -> tuple[SideBySide, ...]:
    """Return what differs between two regulations, each given as the rules of its default house in one game.

    >>> found = regulation_differences(Rules.of("colorado"), Rules.of("maryland"))
    >>> [part.title for part in found][:3]
    ['Games and variations', 'Wagers', 'Payouts']
    >>> [row.about for row in found[1].rows if row.right.says == "no such wager"][:2]
    ['Big', 'Put']
    """
    if left.rulebook.digest == right.rulebook.digest:
        raise CrapsError(f"{left.rulebook.name} and {right.rulebook.name}: name two regulations")
    return tuple(
        SideBySide(title, rows)
        for title, found in _PARTS.items()
        if (rows := tuple(_rows(title, found(left), found(right))))
    )


def summary_of(names: tuple[str, str], parts: Iterable[SideBySide], width: int = 100) -> tuple[str, ...]:
    """Return how much differs between two regulations, a line for each part, with the first of it as far as it fits.

    >>> colorado, maryland = Rules.of("colorado"), Rules.of("maryland")
    >>> summary_of(("colorado", "maryland"), regulation_differences(colorado, maryland))[0]
    'Games and variations: 1 only in colorado (craps free craps), 1 only in maryland (mini craps)'
    """
    lines = [[_summary_line(part, names, named) for named in range(_NAMED_MAX, -1, -1)] for part in parts]
    return tuple(next((line for line in longest if len(line) <= width), longest[-1]) for longest in lines)


def _summary_line(part: SideBySide, names: tuple[str, str], named: int) -> str:
    """Return how much of a part differs, and so many of it by name."""
    left, right, both = list[str](), list[str](), list[str]()
    for row in part.rows:
        (right if not _is_said(row.left) else left if not _is_said(row.right) else both).append(row.about)
    where = [*(f"only in {name}" for name in names), "differs" if len(both) == 1 else "differ"]
    found = zip(where, (left, right, both), strict=True)
    told = (f"{len(abouts)} {said}{_first_names(abouts, named)}" for said, abouts in found if abouts)
    return f"{part.title.partition(':')[0]}: {', '.join(told)}"


def _is_said(said: Stated) -> bool:
    """Return whether a regulation says anything about what differs."""
    return said.says not in _NOT_THERE


def _first_names(abouts: Sequence[str], named: int) -> str:
    """Return the first of what differs, in brackets."""
    more = "; ..." if len(abouts) > named else ""
    return f" ({'; '.join(abouts[:named])}{more})" if named else ""


def _rows(title: str, left: _Found, right: _Found) -> Iterator[Beside]:
    """Yield what differs; terms only of wagers that both know, for the others are told of once."""
    rows = _beside(left, right, _MISSING.get(title, _ABSENT))
    if title != _TERMS:
        yield from rows
        return
    known = [{about.partition(", ")[0] for about in found} for found in (left, right)]
    yield from (row for row in rows if all(row.about.partition(", ")[0] in names for names in known))


def _beside(left: _Found, right: _Found, missing: str) -> Iterator[Beside]:
    for about in dict.fromkeys((*left, *right)):
        first, second = left.get(about, Stated(missing)), right.get(about, Stated(missing))
        if first.says != second.says:
            yield Beside(about, first, second)


def _say(texts: Iterable[str], clauses: Iterable[str]) -> Stated:
    return Stated(short_amounts("; ".join(dict.fromkeys(texts))), shortened_clauses(clauses))


def _say_by_about(lines: Iterable[tuple[str, str, Iterable[str]]]) -> _Found:
    """Return what lines say, those about one thing together."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for about, says, clauses in lines:
        texts, cited = found.setdefault(about, ([], []))
        texts.append(says)
        cited += clauses
    return {about: _say(*both) for about, both in found.items()}


def _games(rules: Rules) -> _Found:
    """Return each game of the regulation; a variation with what differs in it from the usual game."""
    rulebook = rules.rulebook
    found: _Found = {}
    for name in rulebook.games:
        dealt = Rules.under(rulebook, game=name)
        lines = [line for part in sections(dealt) if part.title == "The variation" for line in part.lines]
        by_about: dict[str, list[str]] = {}
        for line in lines:
            by_about.setdefault(line.about, []).append(line.says.partition(" (")[0])
        texts = [f"{_VARIED[about]}{', '.join(says)}" for about, says in by_about.items() if about in _VARIED]
        cited = [clause for line in lines for clause in line.clauses] or cites_of(rulebook.general.closed_list.cite)
        found[words(name)] = _say(texts or ["dealt"], cited)
    return found


def _offers(rules: Rules) -> _Found:
    """Return each wager of the game: always dealt, or by election."""
    found: _Found = {}
    for rule in rules.wagers.values():
        election = rules.rulebook.elections.get(rule.entry.offered) if rule.entry.offered else None
        text = "a house may elect it" if election else "every house deals it"
        is_never = election is not None and set(election.choices) == {"none"}
        cite = (*cites_of(rule.entry.make.cite), *(cites_of(election.cite) if election else ()))
        if not is_never:
            found[rule.display_name()] = _say([text], cite)
    return found


def _payouts(rules: Rules) -> _Found:
    """Return what each wager pays, and how far a house may pay otherwise."""
    found: _Found = {}
    for rule in rules.wagers.values():
        name = rule.display_name()
        if isinstance(rule.entry, SideWager):
            found[name] = _pay_tables(rules, rule)
            continue
        paid = [f"{pays} on {', '.join(on)}" if any(on) else pays for pays, on in outcomes_paid(rules, rule).items()]
        about = {"pays", "settled as"}
        found[name] = _say(paid, (c for line in wager_terms(rules, rule) if line.about in about for c in line.clauses))
    for line in (line for part in sections(rules) if part.title == "The game" for line in part.lines):
        if line.about in {"listed payouts", "fixed payouts", "unpayable", "vigorish"}:
            found[line.about] = _say([line.says], line.clauses)
    return found


def _pay_tables(rules: Rules, rule: WagerRule) -> Stated:
    """Return what each pay table of a side wager pays."""
    lines = [line for line in wager_terms(rules, rule) if line.about.startswith("pay table")]
    tables: dict[str, list[str]] = {}
    for line in lines:
        if not line.says.startswith("loses"):
            tables.setdefault(line.about.partition(", ")[0], []).append(line.says)
    texts = [f"{table}: {', '.join(says)}" for table, says in tables.items()]
    return _say(texts, (clause for line in lines for clause in line.clauses))


def _terms(rules: Rules) -> _Found:
    """Return when each wager is made, decided, changed and off."""
    return _say_by_about(
        (f"{rule.display_name()}, {line.about}", line.says, line.clauses)
        for rule in rules.wagers.values()
        for line in wager_terms(rules, rule)
        if line.about not in _NOT_TOLD and not line.about.startswith(_TABLES)
    )


def _limits(rules: Rules) -> _Found:
    """Return how far a house may choose its limits, odds and vigorish."""
    groups = {"Limits", "Odds", "Vigorish"}
    found = {
        field.label: _say([field.bounds], field.clauses) for field in election_fields(rules) if field.group in groups
    }
    for rule in rules.wagers.values():
        if isinstance(rule.entry, OddsWager):
            limit = rule.entry.limit
            by = "the original wager" if limit.on == "stake" else "what the original wager wins"
            most = (
                f", at most {multiples_text(limit.multiple_max).replace('x', ' times')}" if limit.multiple_max else ""
            )
            cap = f", never over {dollar_amount(limit.cents_max)} at stake" if limit.cents_max else ""
            found[f"{rule.display_name()}, measured by"] = _say([f"{by}{most}{cap}"], cites_of(limit.cite))
    return found


def _elections(rules: Rules) -> _Found:
    """Return what else the regulation leaves to a house."""
    told = {"Limits", "Odds", "Vigorish", "The office"}
    fields = (field for field in election_fields(rules) if field.group not in told and field.key != "name")
    return {field.label: _say([field.bounds], field.clauses) for field in fields}


def _procedures(rules: Rules) -> _Found:
    """Return who does what, at the table and with the dice."""
    return _say_by_about(
        (line.about, line.says.partition("; this house")[0], line.clauses)
        for title in ("What may be wagered", "At the table", "Who does what", "Duties")
        for part in sections(rules)
        if part.title.startswith(title)
        for line in part.lines
        if line.about != "places"  # the house's own
    )


def _records(rules: Rules) -> _Found:
    """Return what is recorded, posted and filed: at live tables, and by the clauses that ask for a record."""
    found = _say_by_about((line.about, line.says, line.clauses) for line in live_lines(rules.rulebook.general.live))
    by_area: dict[str, list[str]] = {}
    for clause in clauses_of(rules.rulebook.name).values():
        if clause.kind == "record":
            by_area.setdefault(clause.area, []).append(clause.id)
    for area, ids in by_area.items():
        many = f"{len(ids)} clauses ask for a record" if len(ids) > 1 else "one clause asks for a record"
        found[f"records, {words(area)}"] = _say([many], ids)
    return found


_PARTS: dict[str, Callable[[Rules], _Found]] = {
    "Games and variations": _games,
    "Wagers": _offers,
    "Payouts": _payouts,
    _TERMS: _terms,
    "Limits, odds and vigorish: what a house may elect": _limits,
    "Other elections of a house": _elections,
    "Procedures": _procedures,
    "Live tables and records": _records,
}
