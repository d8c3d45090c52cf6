"""Bad pages of every kind (rulebook, office, tournament): each fault is told with its file and key, never a crash."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from datetime import date
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from passline.acts.rules import OFFICE_RULES
from passline.rules.pages.texts import (
    Pages,
    RulebookError,
    RulebookFaults,
    installed_folder,
    packed_pages,
    read_pages,
)
from passline.rules.rulebook_reader import rulebook_from
from passline.tournament.rules import TOURNAMENT_RULES
from tests.cases import budget
from tests.rules.rulebooks import HARBOUR, toml_page


class _Kind(Struct):
    """One kind of pages: how they are read, sound ones of a regulation, and the file that a page is."""

    read: Callable[..., object]
    pages: Pages
    own: str  # the page that named faults are made in
    folder: str  # beside a rulebook
    invented: Pages  # small ones, of a regulation without a clause matrix

    def file(self, page: str) -> str:
        """The file of a page, as faults name it."""
        layer, _, name = page.rpartition("/")
        return "/".join(filter(None, (layer, self.folder, name))) if self.folder else f"{self.pages.name}/{page}"


def _invented(folder: str, shared: Mapping[str, bytes], *layers: str) -> Pages:
    own = {f"harbour/{page}": text for page, text in read_pages(HARBOUR / folder).texts.items()}
    return Pages("harbour", own | {page: text for page, text in shared.items() if page in layers})


_OFFICE = OFFICE_RULES.installed_pages("section2", ("nigc",))
_TOURNAMENT = TOURNAMENT_RULES.installed_pages("colorado")
KINDS = {
    "rulebook": _Kind(rulebook_from, read_pages(installed_folder("maryland")), "wagers.toml", "", read_pages(HARBOUR)),
    "office": _Kind(
        OFFICE_RULES.read,
        _OFFICE,
        "section2/tables.toml",
        "office",
        _invented("office", _OFFICE.texts, "practice/tips.toml", "practice/signs.toml", "presets/nigc/count.toml"),
    ),
    "tournament": _Kind(
        TOURNAMENT_RULES.read,
        _TOURNAMENT,
        "colorado/tournament.toml",
        "tournament",
        _invented("tournament", _TOURNAMENT.texts, "practice/tournament.toml"),
    ),
}

# By kind: what is written in place of what, and the fault that is told after the file.
_MISTAKES: dict[str, dict[str, tuple[str, str, str]]] = {
    "rulebook": {
        "wrong type": ('name = "Pass Bet"', "name = 3", "pass.name: 3 must be text in quotes"),
        "table for a list": ("totals = [7, 11]", "totals = { a = 7 }", "pass.first_win.totals: a table must be a list"),
        "value for a table": (
            'win = { on = "number", cite = "MD-3.A.1.a.ii" }',
            "win = 7",
            "pass.win: 7 must be a table",
        ),
        "unknown key": (
            'label = "Pass Line"',
            'labell = "Pass Line"',
            "pass.labell: is not a key here; did you mean label?",
        ),
        "no citation": (', cite = "MD-3.A.1" }', " }", "pass.make.cite: is missing"),
        "empty citation": ('cite = "MD-3.A.1" }', "cite = [] }", "pass.make: has no citation"),
        "unknown clause": (
            'cite = "MD-3.A.1" }',
            'cite = "MD-3.A.99" }',
            "pass.make: cites MD-3.A.99, which is not a clause of maryland",
        ),
        "key twice": (
            'name = "Pass Bet"',
            'name = "Pass Bet"\nname = "Pass"',
            'Cannot overwrite a value (at line 6, column 14): name = "Pass"',
        ),
        "list says it twice": (
            "totals = [7, 11]",
            "totals = [7, 7]",
            "pass.first_win.totals: has 7 2 times; write it once",
        ),
    },
    "office": {
        "wrong type": (
            'name = "Supply a table with dice"',
            "name = 3",
            "acts.supply_dice.name: 3 must be text in quotes",
        ),
        "table for a list": ('by = ["floorperson"]', "by = { a = 1 }", "acts.supply_dice.by: a table must be a list"),
        "value for a table": (
            "[checklists.table.items.cup]\n",
            "[gates]\nopen_table = 3\n[checklists.table.items.cup]\n",
            "Cannot",
        ),
        "unknown key": (
            'page = "dice"',
            'pages = "dice"',
            "acts.supply_dice.pages: is not a key here; did you mean page or pays?",
        ),
        "unknown section": ("[acts.supply_dice]", "[act.supply_dice]", "act: is not a section; did you mean acts?"),
        "no citation": ('cite = "S2-g1.cup"', "", "checklists.table.items.cup.cite: is missing"),
        "empty citation": ('cite = "S2-g1.cup"', "cite = []", "checklists.table.items.cup: has no citation"),
        "unknown clause": (
            'cite = "S2-g1.cup"',
            'cite = "S2-g1.cap"',
            "checklists.table.items.cup: cites S2-g1.cap, which is not a clause of section2; did you mean S2-g1.cup",
        ),
        "key twice": ('page = "dice"', 'page = "dice"\npage = "tables"', "Cannot overwrite a value"),
        "list says it twice": (
            'by = ["floorperson"]',
            'by = ["owner", "owner"]',
            "acts.supply_dice.by: has owner 2 times; write it once",
        ),
        "layer with a value for a table": (
            "[acts.supply_dice]",
            "[things]\ntable = 3\n[acts.supply_dice]",
            "things.table: is a value here and a table in practice/office/tables.toml: write it as there",
        ),
        "layer with a table for a value": (
            "[acts.supply_dice]",
            "[things.table.name]\na = 1\n[acts.supply_dice]",
            "things.table.name: is a table here and a value in practice/office/tables.toml: write it as there",
        ),
        "layer with another type": (
            "[acts.supply_dice]",
            "[things.table]\nname = 3\n[acts.supply_dice]",
            "things.table.name: 3 must be text in quotes",
        ),
    },
    "tournament": {
        "wrong type": ("months = 4", 'months = "4"', "length.months: '4' must be a whole number"),
        "table for a list": (
            'forms = ["single", "series"]',
            "forms = { a = 1 }",
            "offer.forms: a table must be a list",
        ),
        "value for a table": ("[joint.paid_back]\n", "[fee]\ntaxed = 3\n[joint.paid_back]\n", "Cannot"),
        "unknown key": ("[joint.lead]", "[joint.leads]", "joint.leads: is not a key here; did you mean lead?"),
        "unknown section": ("[length]", "[lenght]", "lenght: is not a section; did you mean length?"),
        "no citation": ('cite = "CO-2315-1-form"', "", "offer.cite: is missing"),
        "empty citation": ('cite = "CO-2315-1-form"', "cite = []", "offer: has no citation"),
        "unknown clause": (
            'cite = "CO-2315-1-form"',
            'cite = "CO-2315-1-from"',
            "offer: cites CO-2315-1-from, which is not a clause of colorado; did you mean CO-2315-1-form",
        ),
        "key twice": ("months = 4", "months = 4\nmonths = 5", "Cannot overwrite a value"),
        "list says it twice": (
            'forms = ["single", "series"]',
            'forms = ["single", "single"]',
            "offer.forms: has single 2 times; write it once",
        ),
        "layer with a value for a table": (
            "[joint.lead]",
            "[sheet.parts]\nform = 3\n[joint.lead]",
            "sheet.parts.form: is a value here and a table in practice/tournament/tournament.toml: write it as there",
        ),
        "layer with a table for a value": (
            "[joint.lead]",
            "[sheet.parts.form.name]\na = 1\n[joint.lead]",
            "sheet.parts.form.name: is a table here and a value in practice/tournament/tournament.toml: write it as ",
        ),
        "layer with another type": (
            "[joint.lead]",
            "[sheet.parts.form]\nname = 3\n[joint.lead]",
            "sheet.parts.form.name: 3 must be text in quotes",
        ),
        "unknown part of a sheet": (
            "[joint.lead]",
            "[sheet.lists.more]\nname = 'more'\nparts = ['prizs']\ncite = 'practice'\n[joint.lead]",
            "sheet.lists.more: the sheet has no part 'prizs'; did you mean prizes?",
        ),
    },
}
_EVERY = {  # whatever the kind: the bytes of a page, and what is told of it
    "broken": (b"[pass\n", "Expected ']' at the end of a table declaration (at line 1, column 6): [pass"),
    "not UTF-8": (b'name = "\xff"\n', "is not a text in UTF-8, but a binary file or another encoding"),
    "empty": (b"", "has no entries: write them, or remove the file"),
    "nothing but a comment": (b"# nothing yet\n", "has no entries: write them, or remove the file"),
    "deeper than anybody reads": (b"a." * 500 + b"a = 1\n", "is nested too deeply"),
    "brackets without end": (b"a = " + b"[" * 50_000, "is nested too deeply"),
    "a number without end": (b"a = " + b"9" * 10_000, "Exceeds the limit"),
}
_KEPT_ALLOWS = {"empty citation", "unknown clause", "list says it twice", "unknown part of a sheet"}
_KEPT_ALLOWS |= {"empty", "nothing but a comment"}


def _told(kind: _Kind, pages: Pages, *, is_kept: bool = False) -> list[str]:
    """The faults of pages; nothing if they are read."""
    try:
        kind.read(pages, is_kept=is_kept)
    except RulebookFaults as error:
        return list(error.faults)
    return []


@pytest.mark.parametrize(
    ("name", "mistake"), [(name, mistake) for name, mistakes in _MISTAKES.items() for mistake in mistakes]
)
def test_a_mistake_is_told_with_its_file_and_key(name: str, mistake: str) -> None:
    kind, (before, after, fault) = KINDS[name], _MISTAKES[name][mistake]
    text = kind.pages.texts[kind.own]
    assert before.encode() in text
    pages = Pages(kind.pages.name, {**kind.pages.texts, kind.own: text.replace(before.encode(), after.encode(), 1)})
    told = _told(kind, pages)
    assert [line for line in told if line.startswith(f"{kind.file(kind.own)}: {fault}")], told
    kept = _told(kind, pages, is_kept=True)
    assert mistake in _KEPT_ALLOWS or [line for line in kept if line.startswith(f"{kind.file(kind.own)}: ")], kept


@pytest.mark.parametrize("mistake", _EVERY)
@pytest.mark.parametrize("name", KINDS)
def test_a_page_that_cannot_be_read_is_told_with_its_file(name: str, mistake: str) -> None:
    kind, (text, fault) = KINDS[name], _EVERY[mistake]
    pages = Pages(kind.pages.name, {**kind.pages.texts, kind.own: text})
    told = _told(kind, pages)
    assert [line for line in told if line.startswith(f"{kind.file(kind.own)}: {fault}")], told
    assert mistake in _KEPT_ALLOWS or _told(kind, pages, is_kept=True)


@pytest.mark.parametrize("name", KINDS)
def test_pages_that_a_log_cannot_hold_are_told(name: str) -> None:
    kind = KINDS[name]
    with pytest.raises(RulebookError, match=f"^{re.escape(kind.own)}: 'utf-8' codec can't decode"):
        packed_pages(Pages(kind.pages.name, {**kind.pages.texts, kind.own: b"\xff"}))


@pytest.mark.parametrize("name", KINDS)
def test_no_pages_at_all_are_told(name: str) -> None:
    with pytest.raises(RulebookError, match=r"^maryland/"):
        KINDS[name].read(Pages("maryland", {}))


@pytest.mark.parametrize("name", ["office", "tournament"])
def test_two_pages_of_one_layer_may_repeat_each_other_but_not_differ(name: str) -> None:
    """Kept pages are read as they always were: the later page by its name counts."""
    kind = KINDS[name]
    layer, _, _ = kind.own.rpartition("/")
    again = Pages(kind.pages.name, {**kind.pages.texts, f"{layer}/zz.toml": kind.pages.texts[kind.own]})
    assert not _told(kind, again)
    mistake = _MISTAKES[name]["unknown clause"]
    other = kind.pages.texts[kind.own].replace(mistake[0].encode(), b'cite = "practice"', 1)
    pages = Pages(kind.pages.name, {**kind.pages.texts, f"{layer}/zz.toml": other})
    (fault,) = _told(kind, pages)
    key = {"office": "checklists.table.items.cup.cite", "tournament": "offer.cite"}[name]
    assert fault == f"{kind.file(f'{layer}/zz.toml')}: {key}: differs from {kind.file(kind.own)}: write it once"
    assert not _told(kind, pages, is_kept=True)


_WRONG: tuple[object, ...] = (
    3, -1, 2**70, True, 1.5, "", "x", " x", [], [3], ["x", "x"], {}, {"x": 1}, {"x": {"x": "y"}}, [{"x": 1}],
    date(2024, 2, 29), [[]], {"cite": "x"}, {"from": 1}, {"dated": 3}, {"dated": [{"from": date(2024, 2, 29)}]},
)  # fmt: skip
_SOME = budget(15, in_sweep=60)


@pytest.mark.parametrize("name", KINDS)
def test_whatever_a_page_says_it_is_read_or_its_faults_are_told(name: str) -> None:
    _try_mistakes(KINDS[name], Random(31).sample([*_places(KINDS[name])], _SOME), Random(3))


@pytest.mark.sweep
@pytest.mark.parametrize("name", KINDS)
def test_every_key_of_every_page_wrong_in_some_way(name: str) -> None:
    _try_mistakes(KINDS[name], _places(KINDS[name]), Random(4))


_Place = tuple[str, tuple[str | int, ...]]  # a page, and the way to a value in it


def _places(kind: _Kind) -> Iterator[_Place]:
    for page, text in sorted(kind.invented.texts.items()):
        yield from ((page, path) for path in _paths(tomllib.loads(text.decode())))


def _paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:  # noqa: ANN401 - TOML
    if path:
        yield path
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in below:
        yield from _paths(value, (*path, key))


def _try_mistakes(kind: _Kind, places: Iterable[_Place], chance: Random) -> None:
    """Put something wrong in each place, and hold every fault that is told against the files of the pages."""
    files = {kind.file(page) if kind.folder else f"harbour/{page}" for page in kind.invented.texts}
    told = 0
    for page, path in places:
        value = chance.choice(_WRONG)
        changed = {**kind.invented.texts, page: _toml_with(kind.invented.texts[page], path, value)}
        for is_kept in (False, True):
            faults = _told(kind, Pages("harbour", changed), is_kept=is_kept)
            told += bool(faults)
            for fault in faults:
                assert fault.partition(": ")[0] in {*files, f"harbour/{kind.folder}"}, (page, path, value, fault)
    assert told, "no mistake was told"


def _toml_with(text: bytes, path: tuple[str | int, ...], value: object) -> bytes:
    """A page with one value changed, written as one inline table a section."""
    data = deepcopy(tomllib.loads(text.decode()))
    at: Any = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return toml_page(data)
