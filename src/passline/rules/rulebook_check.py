"""Checking a rulebook as a whole: its citations, and each of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passline.rules.checks.alike import answer_problems
from passline.rules.checks.clauses import file_and_key
from passline.rules.checks.elections import elections_problems
from passline.rules.checks.general import empty_procedures, game_problems, general_problems
from passline.rules.checks.names import wager_name_problems
from passline.rules.checks.wagers import wager_problems
from passline.rules.pages.citations import citation_faults
from passline.rules.schema import Cite, Game, Rulebook, SideWager, WagerEntry, wagers_of


def rulebook_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield every problem that the shape of the files does not exclude, each with its file and key."""
    yield from (f"/{file_and_key(rulebook, str(fault))}" for fault in citation_faults(cited, rulebook.name))
    yield from _number_cites_problems(rulebook, cited)
    files = {
        "elections.toml": elections_problems(rulebook),
        "general.toml": general_problems(rulebook),
        "house.toml": _house_problems(rulebook),
        **{f"{game}.toml": game_problems(rulebook, entry) for game, entry in rulebook.games.items()},
    }
    for file, problems in files.items():
        yield from (f"/{file}: {problem}" for problem in problems)
    for kind, problem in answer_problems(rulebook):
        yield f"/{_page_of('', None, kind, rulebook.wagers[kind])}: {kind}: {problem}"
    for name, game in rulebook.games.items():
        wagers = wagers_of(rulebook, game)
        pages = {kind: _page_of(name, game, kind, wager) for kind, wager in wagers.items()}
        for kind, problem in wager_name_problems(wagers):
            yield f"/{pages[kind]}: {kind}: {problem}"
        for kind, wager in wagers.items():
            problems = wager_problems(rulebook, game, kind, wager)
            yield from (f"/{pages[kind]}: {kind}: {problem}" for problem in problems)


def _number_cites_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield a problem if an entry cites by number, but not by exactly the numbers of its wager."""
    for path, cite in cited:
        if isinstance(cite, dict) and (found := _WAGER_PATH.fullmatch(path)):
            game, kind, key = found.groups()
            own = rulebook.games[game].wagers if game else rulebook.wagers
            numbers = {str(number) for number in getattr(own[kind], "numbers", ())}
            if set(cite) != numbers and not isinstance(own[kind], SideWager):
                page = f"{game}.toml: wagers" if game else "wagers.toml"
                yield f"/{page}: {kind}: {key}: cites {sorted(cite)} by number; the wager has {sorted(numbers)}"


_WAGER_PATH = re.compile(r"(?:games\.(\w+)\.)?wagers\.(\w+)\.(.+)")


def _page_of(name: str, game: Game | None, kind: str, wager: WagerEntry) -> str:
    if game and kind in game.wagers:
        return f"{name}.toml: wagers"
    return "sidewagers.toml" if isinstance(wager, SideWager) else "wagers.toml"


def _house_problems(rulebook: Rulebook) -> Iterator[str]:
    if rulebook.default_house.get("rules") != rulebook.name:
        yield f"rules: the default house of {rulebook.name} names {rulebook.default_house.get('rules')!r}"
    yield from empty_procedures(rulebook.default_house)
