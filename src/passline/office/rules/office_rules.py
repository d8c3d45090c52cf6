"""The rules of an office: its pages read together, and who is meant by the words that they use for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.authority.duties import role_list
from passline.office.rules.schema import PRACTICE, Act, Field, OfficePages, Right, RoleGroup
from passline.office.state import OfficeState
from passline.rules.rulebook_pages import PRESETS, Pages, RulebookError, installed_folder, read_pages
from passline.rules.rulebook_reader import parsed_page
from passline.rules.schema import clause_text
from passline.rules.structure import converted, nearest_words

__all__ = [
    "PRACTICE_PAGES",
    "OfficeRules",
    "Person",
    "cited_parts",
    "install_office",
    "kept_office",
    "office_from",
    "office_of",
    "office_pages",
    "with_rights",
]

PRACTICE_PAGES = "practice"
"""The folder with what every office has, whatever its regulation."""
_FOLDER = "office"
_KINDS = tuple(OfficePages.__struct_fields__)


class Person(Struct, frozen=True):
    """Somebody who acts or signs: the account, its name and its roles."""

    account: str
    name: str
    roles: frozenset[str]


class OfficeRules(Struct, frozen=True):
    """The rules of one office."""

    name: str  # the regulation
    digest: str
    pages: OfficePages

    def act(self, name: str) -> Act | None:
        """Return an act by its name."""
        return self.pages.acts.get(name)

    def group(self, name: str) -> RoleGroup:
        """Return whom a word means; a word that no page explains is a role."""
        return self.pages.roles.get(name) or RoleGroup(roles=(name,), cite="duties")

    def body_of(self, groups: Iterable[str]) -> str:
        """Return the outside body among groups, if any."""
        return next((self.group(name).body for name in groups if self.group(name).body), "")

    def is_of(self, group: str, person: Person, state: OfficeState) -> bool:
        """Return whether somebody belongs to a group now."""
        rule = self.group(group)
        if rule.body:
            return state.bodies.get(person.account) == rule.body
        if not self.has_role(group, person, state):
            return False
        return not rule.designated or state.mark(rule.designated, f"person/{person.account}") is not None

    def has_role(self, group: str, person: Person, state: OfficeState) -> bool:
        """Return whether somebody has a role of a group, designated or not, or acts for its body."""
        rule = self.group(group)
        if rule.body:
            return state.bodies.get(person.account) == rule.body
        return bool(person.roles & {*rule.roles})

    def is_seen_by(self, kind: str, person: Person, state: OfficeState) -> bool:
        """Return whether somebody may read of a kind of thing."""
        thing = self.pages.things.get(kind)
        return thing is None or not thing.seen_by or any(self.is_of(one, person, state) for one in thing.seen_by)

    def undesignated(self, groups: Iterable[str], person: Person, state: OfficeState) -> str:
        """Return the group among these whose role somebody has without being designated; empty: there is none."""
        lacking = (one for one in groups if self.has_role(one, person, state) and not self.is_of(one, person, state))
        return next(lacking, "")

    def clause_of(self, group: str, otherwise: str) -> str:
        """Return the clause that says who belongs to a group, or another where no clause does."""
        cite = self.group(group).cite
        return otherwise if cite == PRACTICE else clause_text(cite)

    def words_of(self, groups: Iterable[str]) -> str:
        """Return groups as a sentence lists them.

        >>> office_of("arizona").words_of(("dealer", "tgo"))
        'dealer or TGO'
        """
        return role_list(self.words(groups))

    def words(self, groups: Iterable[str]) -> list[str]:
        """Return the word for each of these groups: a body's name, or the group's own."""
        return [self.group(name).body or name.replace("_", " ") for name in groups]


def office_pages(name: str, presets: Iterable[str] = ()) -> Pages:
    """Return the installed pages of an office: what every office has, those of its regulation, and of presets."""
    texts: dict[str, bytes] = {}
    for folder in (PRACTICE_PAGES, name, *(f"{PRESETS}/{preset}" for preset in presets)):
        found = installed_folder(folder) / _FOLDER
        if found.is_dir():
            texts |= {f"{folder}/{page}": text for page, text in read_pages(found).texts.items()}
    return Pages(name, texts)


@cache
def office_of(name: str, *presets: str) -> OfficeRules:
    """Return the office of one of the regulations in the package, with the presets that a house of it elects."""
    return office_from(office_pages(name, presets))


def office_from(pages: Pages) -> OfficeRules:
    """Read the pages of an office; a regulation's entry adds to the one of the same name that every office has.

    A preset's adds to both, and changes nothing that a clause of the regulation asks for.
    """
    merged: dict[str, Any] = {}
    order = sorted(pages.texts, key=_layer)
    if not order:
        raise RulebookError(f"{pages.name}/office: has no page")
    for page in order:
        data = parsed_page(pages.texts[page], page)
        for kind in data:
            if kind not in _KINDS:
                raise RulebookError(f"{page}: {kind}: is not a section of an office{nearest_words(kind, _KINDS)}")
        (_lay_over if _is_preset(page) else _merge)(merged, data)
    return OfficeRules(pages.name, pages.digest, with_rights(converted(merged, OfficePages, f"{pages.name}/office")))


def with_rights(pages: OfficePages) -> OfficePages:
    """Return the pages with an act for each right that a body has."""
    return replace(pages, acts={**pages.acts, **{key: _act_of(right) for key, right in pages.rights.items()}})


def _act_of(right: Right) -> Act:
    """Return the act by which a body makes use of a right: always possible, and on record with what it found."""
    finding = Field(name="what was seen and found", type="text", cite=right.cite)
    return Act(
        name=right.name,
        page="visits",
        by=right.by,
        thing=right.thing,
        many=bool(right.thing),
        on_paper=True,
        fields={"finding": finding},
        cite=right.cite,
    )


def install_office(rules: OfficeRules) -> None:
    """Make an office known by its digest, as one that a log keeps."""
    _KEPT[rules.digest] = rules


_KEPT: dict[str, OfficeRules] = {}


def kept_office(digest: str) -> OfficeRules | None:
    """Return the office that a log keeps under a digest, if this process has read it."""
    return _KEPT.get(digest)


def _merge(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    """Add tables to tables; citations are joined, every other value takes the place of the earlier one."""
    for key, value in data.items():
        before = into.get(key)
        if isinstance(before, dict) and isinstance(value, Mapping):
            _merge(before, value)
        elif isinstance(value, Mapping):
            into[key] = {}
            _merge(into[key], value)
        else:
            into[key] = value


def _is_preset(page: str) -> bool:
    return page.startswith(f"{PRESETS}/")


def _layer(page: str) -> tuple[int, str]:
    """Return where a page lies: what every office has below, then the regulation's, then presets."""
    return 2 if _is_preset(page) else 0 if page.startswith(f"{PRACTICE_PAGES}/") else 1, page


def _lay_over(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    """Add a preset's tables; in an entry that a clause of the regulation asks for, every value stays as it is."""
    is_law = into.get("cite", PRACTICE) != PRACTICE
    for key, value in data.items():
        if isinstance(value, Mapping):
            _lay_over(into.setdefault(key, {}), value)
        elif not is_law:
            into[key] = value


def cited_parts(pages: OfficePages) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield (path, clauses) for everything in an office's pages that cites a clause."""
    for kind in _KINDS:
        for name, entry in getattr(pages, kind).items():
            if kind == "acts" and name in pages.rights:
                continue
            yield from _cited((kind, name), entry)


def _cited(path: tuple[str, ...], entry: Any) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:  # noqa: ANN401
    if isinstance(entry, dict):
        below = entry.items()
    else:
        cite = getattr(entry, "cite", None)
        if cite is not None:
            yield path, (cite,) if isinstance(cite, str) else tuple(cite)
        below = {field: getattr(entry, field) for field in entry.__struct_fields__}.items()
    for key, value in below:
        if isinstance(value, dict | Struct):
            yield from _cited((*path, key), value)
