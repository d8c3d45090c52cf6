"""Mistakes by the hundred: every key of every file of a rulebook, wrong in every way that a person gets one wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.sections import explain_all
from passline.rules.pages.texts import SUFFIX, RulebookError, installed_folder, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Rulebook
from tests.rules.rulebooks import HARBOUR

FOLDERS: dict[str, Traversable | Path] = {name: installed_folder(name) for name in REGULATIONS} | {"harbour": HARBOUR}
"""The rulebooks that mistakes are made in: those of the package, and an invented one without a clause matrix."""

Step = str | int  # a key of a table, or a place in a list
_TEXTS = ("name", "label", "reading", "title", "does", "statutes", "cite", "latest_amendment")


_OTHER = "another regulation could say so, and the clause is still cited: only its text could tell; "
HARMLESS: dict[str, str] = {  # what is mistaken, by rulebook/file: key: mistake, and why nothing need be said
    r".*\.reading: removed": "an explanation beside a rule: the rule is the same without it",
    r".*\.label: removed": "the screen then makes the label from the wager's name",
    r".*/general\.toml: (statutes|latest_amendment): removed": "a reference that is printed and nothing more",
    r".*/house\.toml: name: removed": "the house is then called House",
    r".*/house\.toml: limits(\.\w+)*: (removed|emptied)": "the wagers then have the table's own limits",
    r"colorado/house\.toml: odds_cents_max: removed": "odds then have the limit of the regulation",
    r".*/house\.toml: procedures\..*(: removed|no_reason: emptied)": (
        "procedures that the regulation leaves to the house: any house may say so"
    ),
    r".*: (duties|procedures\.(shooter\.order_reasons|throw\.void|no_roll\.(reasons|no_reason)))\.\w+: mistyped": (
        "a name that the crew reads and nothing refers to, where no other game of the regulation has it"
    ),
    r"maryland/general\.toml: live\.dice_sets\.reasons\.\w+: mistyped": "likewise",
    r"colorado/general\.toml: windows\.front_line_beside: mistyped": "a name that nothing refers to or prints",
    r".*\.readings\.\w+: (removed|mistyped)": "one of several readings, chosen by its name in a house that is checked",
    r"(arizona|harbour)/elections\.toml: no_roll_callers\.subset_of: emptied": (
        f"{_OTHER}the house then designates nobody beside those whom the procedures name, as the default house does"
    ),
    r"colorado/elections\.toml: buy_vigorish_won_on\.subset_of: emptied": (
        f"{_OTHER}no house may then name numbers, as in Maryland, and the default house names none"
    ),
    r"maryland/elections\.toml: side_wagers_locked\.subset_of: emptied": (
        f"{_OTHER}the house may then lock none, as elsewhere, and the default house locks none"
    ),
    r"colorado/elections\.toml: front_line_tip_cents_max\.dated\.0\.max: removed": (
        "front_line_tips says that there were none before that day"
    ),
    r"colorado/general\.toml: live\.layout\.name: removed": "a mark that the regulation allows and does not demand",
    r"arizona/craps\.toml: duties\.(announces_roll|change_cash): removed": (
        f"{_OTHER}a line of the crew's card less, and the entry that cites the clause enforces it"
    ),
    r"colorado/wagers\.toml: dont_come_odds\.come_out: removed": (
        "the general rule by the same clause then says that they work (general.toml: works)"
    ),
    r".*/elections\.toml: \w+: removed": "nothing in the rulebook makes the election matter: play is the same without",
    r"harbour/craps\.toml: seats\.(seats_max|wagering_max): removed": "the text then sets no limit, as Colorado's",
    r"harbour/craps\.toml: procedures\.(throw\.rethrow|no_roll\.no_reason\.fog): removed": "Arizona has neither",
    r"harbour/craps\.toml: procedures\.no_roll\.no_reason: emptied": "likewise",
    r"harbour/elections\.toml: wager_cents_max\.max: removed": "the text then sets no maximum, as Maryland's",
    r"harbour/general\.toml: media\.coins: removed": "what no entry takes is not taken",
    r"harbour/wagers\.toml: (pass_odds|place_win|field): removed": (
        "a whole wager less, which no other entry and no clause matrix names: another game, and as lawful"
    ),
}
"""The kinds of mistakes that loading accepts, each with the reason; everything else must be named."""
_HARMLESS = {re.compile(pattern): reason for pattern, reason in HARMLESS.items()}


class Mistake(Struct, frozen=True):
    """One mistake: where it is (a rulebook, a file, the steps to a key), what it is, and the page with it."""

    rulebook: str
    file: str
    path: tuple[Step, ...]
    what: str
    page: dict[str, Any]

    @classmethod
    def at(cls, rulebook: str, file: str, path: tuple[Step, ...], value: Any) -> Mistake:  # noqa: ANN401  # TOML
        """Return the mistake that a value is at a path; None: its key is gone."""
        page = _page(rulebook, file)
        changed = _renamed(page, path, "") if value is None else _with(page, path, value)
        return cls(rulebook, file, path, "removed" if value is None else "changed", changed)

    def __str__(self) -> str:
        return f"{self.rulebook}/{self.file}: {'.'.join(map(str, self.path))}: {self.what}"

    def load(self) -> Rulebook:
        """Load the rulebook with the mistake in it."""

        def read(path: Traversable | Path) -> dict[str, Any]:
            return self.page if path.name == self.file else _page(self.rulebook, path.name)

        return load_rulebook(FOLDERS[self.rulebook], read=read)


def fate_of(mistake: Mistake) -> str:
    """Return what loading says: named, harmless (it loads, and an explained kind of mistake is all it is), or silent.

    A doubt names it too. A message that leads nowhere near the key is returned itself. What is harmless must give rules
    that can be told.
    """
    try:
        rulebook = mistake.load()
    except RulebookError as error:
        told = str(error).splitlines()
        gone = mistake.what in {"removed", "emptied"} and all(": no entry cites it; " in line for line in told)
        return "named" if gone or _is_near(mistake, told) else str(error)
    if rulebook.doubts:
        return "named" if _is_near(mistake, rulebook.doubts) else "\n".join(rulebook.doubts)
    if not any(pattern.fullmatch(str(mistake)) for pattern in _HARMLESS):
        return "silent"
    for game in rulebook.games:
        rules = Rules.under(rulebook, game=game)
        assert explain_all(rules)
        if mistake.file == "elections.toml" and mistake.path[1:] == ():
            assert _deals_the_same(rules, Rules.under(_sound(mistake.rulebook), game=game), str(mistake.path[0]))
    return "harmless"


@cache
def _sound(rulebook: str) -> Rulebook:
    return load_rulebook(FOLDERS[rulebook])


def _deals_the_same(rules: Rules, usual: Rules, key: str) -> bool:
    """Return whether two houses differ by one key alone, and all their wagers are offered, work and pay alike."""
    same = replace(rules.house, **{key: getattr(usual.house, key)}) == usual.house
    return same and all(_dealt(rules.wagers[kind]) == _dealt(rule) for kind, rule in usual.wagers.items())


def _dealt(rule: WagerRule) -> tuple[object, ...]:
    return rule.is_offered, rule.works_on_come_out, rule.payouts, rule.vigorish, rule.breakdown, rule.min, rule.max


def _is_near(mistake: Mistake, told: Iterable[str]) -> bool:
    """Return whether something that is told of a rulebook leads to the key of a mistake."""
    steps = {str(step) for step in mistake.path if isinstance(step, str)}
    here = f"{mistake.rulebook}/"
    return any(line.startswith(here) and any(step in line for step in steps) for line in told)


def written_twice(text: bytes) -> tuple[int, bytes]:
    """Return a page with its last `key = value` of one line written twice, and the line of the second."""
    lines = text.decode().splitlines(keepends=True)
    at = max(index for index, line in enumerate(lines) if _KEY.match(line) and not line.rstrip().endswith("["))
    return at + 2, "".join((*lines[: at + 1], lines[at], *lines[at + 1 :])).encode()


_KEY = re.compile(r"\w+ = ")


@cache
def _page(rulebook: str, file: str) -> dict[str, Any]:
    return read_toml(FOLDERS[rulebook] / file)


def files_of(rulebook: str) -> list[str]:
    """Return the files of a rulebook."""
    return sorted(page.name for page in FOLDERS[rulebook].iterdir() if page.name.endswith(SUFFIX))


def mistakes_of(rulebook: str) -> Iterator[Mistake]:
    """Yield every mistake in every file of a rulebook."""
    for file in files_of(rulebook):
        for path, what, page in mistaken_pages(_page(rulebook, file)):
            yield Mistake(rulebook, file, path, what, page)


def mistaken_pages(page: dict[str, Any]) -> Iterator[tuple[tuple[Step, ...], str, dict[str, Any]]]:
    """Yield each mistake in a page: the path to it, what it is, and the page with it."""
    for path, value in _places(page):
        for what, changed in _changes(path, value):
            if changed != value or type(changed) is not type(value):
                yield path, what, _with(page, path, changed)
        if isinstance(path[-1], str):
            yield path, "removed", _renamed(page, path, "")
            yield path, "mistyped", _renamed(page, path, _mistyped(path[-1]))


def _places(node: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:  # noqa: ANN401  # TOML
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in items:
        yield (*path, step), value
        yield from _places(value, (*path, step))


def _changes(path: tuple[Step, ...], value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # likewise
    """Yield each wrong value, with what is wrong about it."""
    is_text = any(step in _TEXTS or str(step).endswith("_cite") for step in path)
    match value:
        case bool():
            yield "wrong type", 1
            yield "wrong type", "yes"
        case int():
            yield "wrong type", str(value)
            yield "wrong type", value + 0.5
            yield "below its range", -2
            yield "above its range", 10**12
        case str():
            yield "wrong type", 17
            yield "emptied", ""
            yield "padded", f"{value} "
            if not is_text:
                yield "unknown word", "flotsam"
        case list():
            yield "wrong type", 17
            yield "emptied", []
            if value:
                yield "doubled", [*value, value[-1]]
        case dict():
            yield "wrong type", 17
            yield "emptied", {}
        case _:  # a day
            yield "wrong type", "yesterday"


def _mistyped(key: str) -> str:
    swapped = f"{key[:-2]}{key[-1]}{key[-2]}" if len(key) > 1 else key
    return swapped if swapped != key else f"{key}x"


def _with(node: Any, path: tuple[Step, ...], value: Any) -> Any:  # noqa: ANN401  # likewise
    if not path:
        return value
    copy = node.copy()
    copy[path[0]] = _with(node[path[0]], path[1:], value) if len(path) > 1 else value
    return copy


def _renamed(node: Any, path: tuple[Step, ...], name: str) -> Any:  # noqa: ANN401  # likewise
    """Return the data with a key renamed in its place, or removed if the new name is empty."""
    if len(path) > 1:
        copy = node.copy()
        copy[path[0]] = _renamed(node[path[0]], path[1:], name)
        return copy
    return {name if key == path[0] else key: value for key, value in node.items() if name or key != path[0]}
