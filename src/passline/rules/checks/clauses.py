"""Checks a rulebook against the clause matrix: each clause is cited, for every wager, medium and figure it names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from passline.rules.clauses import Clause, clauses_of
from passline.rules.pages.clause_matrix import written_clauses
from passline.rules.pages.dated import DAYS
from passline.rules.schema import Cite, Election, OddsWager, Rulebook, SideWager, cites_of

_PARTS = ("game", "sidebets", "tables")  # the parts of the clause matrix that rulebooks say in full
_FIGURES = {  # figures of the matrix, the key of an entry that says each, and how many of its units one is
    "base_multiple": ("multiple_min", 1), "limit_floor": ("multiple_min", 1), "min_cap": ("multiple_min", 1),
    "max_multiple": ("multiple_max", 1), "max_cap": ("multiple_max", 1), "max_seats": ("seats_max", 1),
    "max_players": ("wagering_max", 1), "max_wager": ("max", 100),
}  # fmt: skip
_ROLES = ("judge", "callers")  # those whom an entry must name
_KEYS = {  # words of the matrix, and where a rulebook cites the clause: an entry of general.toml, or a key of a wager
    "sign": "live.posted", "posted": "live.posted", "color": "live.chips.colours", "legend": "live.layout.legends",
    "release": "live.electronic_dice", "cash_wager": "live.cash_changed_by", "units": "units", "unit_multiple": "units",
    "order=take_then_pay": "take_first", "ends=seven_out|6_points": "full",
}  # fmt: skip
_TERMS = {  # what the matrix says of a clause, and the key that an entry which cites it has
    "override=approved_rules": "approval", "off_call=not_provided": "approval",
    "override=on": "call", "override=off": "call",
}  # fmt: skip
_MEDIA = {  # words of the matrix for what a wager is made with
    "medium": {}, "tender": {}, "media": {"value_chip": "chips", "plaque": "plaques", "verbal+cash": "cash"},
    "cash": {"false": "cash"}, "cash_wager": {"false": "cash|coins"}, "currency": {"USD": "foreign_currency"},
}  # fmt: skip
_Cited = list[tuple[str, Struct]]  # the entries that cite a clause, by their paths


def clause_problems(rulebook: Rulebook, nodes: list[tuple[str, Cite, Struct]]) -> Iterator[str]:
    """Yield a problem for each clause not cited by any entry, or not by those of a wager, medium or key in its row."""
    places: dict[str, _Cited] = {}
    for path, cite, entry in nodes:
        for clause in cites_of(cite):
            places.setdefault(clause, []).append((path, entry))
    supplied = set(_strings(rulebook.default_house.get("procedures")))  # where the regulation has none of its own
    for row, words in _rows(rulebook.name):
        if row.id in places:
            yield from _row_problems(rulebook, row, words, places[row.id])
            if row.kind == "election":
                yield from _choice_problems(rulebook, row, places[row.id])
        elif row.id not in supplied and (row.part in _PARTS or "lab" in row.values):  # a laboratory tests this program
            yield f": {row.id}: no entry cites it; put back the entry that says: {row.summary}"
    if rulebook.versions:
        yield from _day_problems(rulebook, places)


def _rows(regulation: str) -> tuple[tuple[Clause, tuple[tuple[str, str], ...]], ...]:
    """Return the rows of a regulation, each with the words that an entry citing it must contain."""
    rows = (row for row in written_clauses(regulation).values() if row.kind != "physical")
    return tuple((row, tuple(item for item in row.values.items() if _is_word(*item))) for row in rows)


def _is_word(key: str, value: str) -> bool:
    known = {"bet", "bets", "role", "approvals", "lab", *_MEDIA, *_KEYS, *_FIGURES, *_ROLES}
    return key in known or f"{key}={value}" in {*_KEYS, *_TERMS}


def _strings(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for item in node.values() if isinstance(node, dict) else node:
            yield from _strings(item)


def _row_problems(
    rulebook: Rulebook, clause: Clause, words: tuple[tuple[str, str], ...], places: _Cited
) -> Iterator[str]:
    """Yield a problem for each thing named in a clause's row that no entry citing the clause contains."""
    for key, value in words:
        if key in {"bet", "bets"}:
            yield from _wager_problems(rulebook, clause, value.split("|"), places)
        if key in _MEDIA and (key != "currency" or len(clause.values) == 1):  # else of an amount
            yield from _media_problems(clause, _MEDIA[key], value, [path for path, _entry in places])
        if where := _KEYS.get(key) or _KEYS.get(f"{key}={value}"):
            yield from _key_problems(rulebook, clause, where, places)
        for term, said in _terms(key, value):
            yield from _term_problems(rulebook, clause, term, places, said)
        if key in {"approvals", "lab"}:
            authorities = ["laboratory"] if key == "lab" else value.split("+")
            yield from _authority_problems(rulebook, clause, authorities, places)
        if key == "role" and not any(path.startswith("games.") for path, _entry in places):
            yield f"/{next(iter(rulebook.games), 'craps')}.toml: duties: {_put_back(clause)}"


def _terms(key: str, value: str) -> Iterator[tuple[str, int | str]]:
    """Yield the keys of an entry that express a word of the matrix, with the value each must have; "" for any value."""
    if term := _TERMS.get(f"{key}={value}"):
        yield term, ""
    if key in _FIGURES and (figure := _NUMBER.fullmatch(value)):
        term, factor = _FIGURES[key]
        yield term, int(figure[1]) * factor
    if key in _ROLES:
        yield from (("by", role) for role in value.split("|"))


def _authority_problems(rulebook: Rulebook, clause: Clause, named: list[str], places: _Cited) -> Iterator[str]:
    """Yield each entry whose authorities are not those that a clause names."""
    for path, entry in places:
        if set(getattr(entry, "authorities", named)) != set(named):
            yield f"/{file_and_key(rulebook, path)}.authorities: must be {' and '.join(named)} by {clause.id}"


def _key_problems(rulebook: Rulebook, clause: Clause, where: str, places: _Cited) -> Iterator[str]:
    """Yield a problem if no entry below a key cites a clause."""
    if "." in where:
        if not any(path.startswith(f"general.{where}") for path, _entry in places):
            yield f"/general.toml: {where}: {_put_back(clause)}"
    elif not any(_last_key(path) == where for path, _entry in places):
        yield f"/{file_and_key(rulebook, places[0][0]).rpartition('.')[0]}.{where}: {_put_back(clause)}"


def _term_problems(
    rulebook: Rulebook, clause: Clause, term: str, places: _Cited, said: int | str = ""
) -> Iterator[str]:
    """Yield a problem if no entry that cites a clause has its term, or none has the value the clause gives it."""
    entries = [(path, getattr(entry, term)) for path, entry in places if hasattr(entry, term)]
    is_said = (said in has if isinstance(has, tuple) else has == said if said else has for _path, has in entries)
    if entries and not any(is_said):
        yield f"/{file_and_key(rulebook, entries[0][0])}.{term}: {said}{' ' * bool(said)}{_put_back(clause)}"


def _last_key(path: str) -> str:
    return path.rpartition(".")[2].partition("[")[0]


def _media_problems(clause: Clause, words: dict[str, str], value: str, paths: list[str]) -> Iterator[str]:
    """Yield each medium that a clause names and whose entry does not cite it."""
    cited = {_last_key(path).replace("_", "") for path in paths if path.startswith("general.media.")}
    names = "|".join(words.get(word, "" if words else word) for word in value.split("|"))
    for name in filter(None, names.split("|")):
        if name.replace("_", "") not in cited:
            yield f"/general.toml: media.{name}: {_put_back(clause)}"


_PLACE = re.compile(r"\[(\d+)\]")
_NUMBER = re.compile(r"(\d+)x?")


def _put_back(clause: Clause) -> str:
    return f"is missing by {clause.id}; put back the entry that says: {clause.summary}"


def file_and_key(rulebook: Rulebook, path: str) -> str:
    """Return the file and the key of an entry, by its path; a problem after a colon stays behind it."""
    page, _, key = path.partition(".")
    if page == "games":
        page, _, key = key.partition(".")
    is_side = page == "wagers" and isinstance(rulebook.wagers.get(re.split(r"[.:]", key)[0]), SideWager)
    return f"{'side' * is_side}{page}.toml: {key}"


def _wager_problems(rulebook: Rulebook, clause: Clause, named: list[str], places: _Cited) -> Iterator[str]:
    """Yield each wager named by a clause whose entries do not cite it, or that no list citing it contains."""
    game = rulebook.games.get(clause.values.get("game", ""))
    where = f"games.{clause.values['game']}.wagers." if game else "wagers."
    if not all(path.startswith("wagers.") or ".wagers." in path for path, _entry in places):
        for path, entry in places:
            listed = getattr(entry, "wagers", ())  # of some payouts or a medium
            if isinstance(listed, tuple) and path.startswith("general.") and hasattr(entry, "wagers"):
                missing = [kind for kind in named if kind in rulebook.wagers and kind not in listed]
                yield from (f"/{file_and_key(rulebook, path)}.wagers: {kind} {_put_back(clause)}" for kind in missing)
        return
    paths = [path for path, _entry in places]
    own = game.wagers if game else rulebook.wagers
    cited = {path.removeprefix(where).partition(".")[0] for path in paths if path.startswith(where)}
    cited |= {odds.behind for kind in cited if isinstance(odds := own.get(kind), OddsWager)}
    missing = [kind for kind in named if kind not in cited and not (game and kind in game.without)]
    for kind in missing:
        if kind in rulebook.wagers or any(kind in page.wagers for page in rulebook.games.values()):
            yield f"/{file_and_key(rulebook, where + kind)}: an entry {_put_back(clause)}"


def _choice_problems(rulebook: Rulebook, clause: Clause, places: _Cited) -> Iterator[str]:
    """Yield a problem if the only election that cites an optional clause gives the house no choice."""
    elections = {path.partition(".")[2]: entry for path, entry in places if isinstance(entry, Election)}
    if len(elections) == 1:
        ((key, entry),) = elections.items()
        if entry.subset_of == ():
            yield f"/elections.toml: {key}.subset_of: is empty, though {clause.id} says: {clause.summary}"
    alike = [key for key, entry in elections.items() if clause.values.get("vig") and len(entry.choices) > 1]
    for key in alike[1:]:
        if elections[key].same_as not in alike and rulebook.elections[key].cite == rulebook.elections[alike[0]].cite:
            yield f"/elections.toml: {key}.same_as: is missing; {clause.id} gives one choice for it and {alike[0]}"


def _day_problems(rulebook: Rulebook, places: dict[str, _Cited]) -> Iterator[str]:
    """Yield each entry that begins before any of its clauses about side wagers and variations is in force."""
    rows = clauses_of(rulebook.name)
    since: dict[str, list[str]] = {}  # of each entry the days of its clauses
    for clause, entries in places.items():
        row = rows.get(clause)
        day = _day_of(row) if row and row.part == "sidebets" else ""
        for path, entry in entries:
            if not isinstance(entry, Election):
                since.setdefault(path, []).append(day)
    own = {path: all_of[0] for path, all_of in rulebook.versions.items() if not all_of[0].keys() - DAYS}
    begins = {path: str(days["from"]) for path, days in own.items() if "from" in days}
    for kind, entry in rulebook.wagers.items():
        day = begins.get(f"sidewagers.{kind}", "")
        if isinstance(entry, SideWager) and begins.get(f"elections.{entry.offered}", "") != day:
            told = f"must be {day}" if day else "must be left out"
            yield f"/elections.toml: {entry.offered}.from: {told}, as of the wager {kind} that it offers"
        for game, page in rulebook.games.items():
            since_here = max(begins.get(game, ""), begins.get(f"{game}.without.{kind}", ""))
            if kind in page.without and since_here < day:
                yield f"/{game}.toml: without.{kind}.from: is missing; the wager is in force from {day}"
    first = min(
        (str(versions[0]["from"]) for versions in rulebook.versions.values() if "from" in versions[0]), default=""
    )
    for path, days in since.items():
        if (day := min(days)) > first and day > max(
            (begins.get(at, "") for at in _parents(rulebook, path)), default=""
        ):
            yield f"/{file_and_key(rulebook, path)}: from: is missing; its clause is in force from {day}"


def _day_of(row: Clause) -> str:
    """Return the day from which a clause is in force; for a payout, that of its last amendment."""
    amended = row.values.get("amended") if "pays" in row.values else None
    return amended or row.values.get("in_force", "")


def _parents(rulebook: Rulebook, path: str) -> Iterator[str]:
    """Yield the path of an entry and of the tables above it, as written in the rulebook's `versions`."""
    counted = _PLACE.sub(lambda at: f".{int(at[1]) + 1}", path)  # days count the places of a list from 1
    steps = file_and_key(rulebook, counted).replace(".toml: ", ".").split(".")
    yield from (".".join(steps[:end]) for end in range(1, len(steps) + 1))
