"""Who can be named in an office: the people of the house, and what each of them may do there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.acts.judges.scene import Scene
from passline.acts.rules import ActRules, Person
from passline.authority.roles import REGULATOR


class OfficePerson(Struct, frozen=True):
    """Somebody whom a form can name: the account, its name, and the groups of this office that it belongs to."""

    account: str
    name: str
    groups: tuple[str, ...]
    is_outside: bool  # a regulator's: it can act for an outside body


def people_of(scene: Scene, people: Iterable[Person]) -> tuple[OfficePerson, ...]:
    """Return people by name, each with their groups."""
    found = (
        OfficePerson(person.account, person.name, groups_of(scene, person), is_outside=REGULATOR in person.roles)
        for person in people
    )
    return tuple(sorted(found, key=lambda person: (person.name.casefold(), person.account)))


def groups_of(scene: Scene, person: Person) -> tuple[str, ...]:
    """Return every group that the office's pages name and somebody belongs to now."""
    return tuple(group for group in _groups_named(scene.rules) if scene.rules.is_of(group, person, scene.state))


def _groups_named(rules: ActRules) -> dict[str, None]:
    """Return the groups that pages name, in the order in which they do."""
    named = dict.fromkeys(rules.pages.roles)
    for telling in rules.pages.tellings.values():
        named |= dict.fromkeys(telling.second.by if telling.second else ())
    for act in rules.pages.acts.values():
        named |= dict.fromkeys(act.by)
        for sign in act.signs.values():
            named |= dict.fromkeys(sign.by)
        for field in act.fields.values():
            if field.type in {"person", "people", "shares"}:
                named |= dict.fromkeys((*field.of, *field.never))
    return named
