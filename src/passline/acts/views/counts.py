"""What somebody can count now: the tray of each table, the cage, the reserve; and what prevents it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.judges.conditions import unmet_conditions
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.schema import Act
from passline.acts.state import OFFICE, KnownThing, thing_key
from passline.acts.views.office_staff import OfficeStaff
from passline.rules.schema import clause_text


class Hindrance(Struct, frozen=True):
    """Why something cannot be counted now, and by which clause."""

    clause: str
    why: str


class Countable(Struct, frozen=True):
    """A count of units that somebody may begin: of a thing, or of a place of the whole office."""

    act: str
    thing: str  # empty: the office
    wrong: tuple[Hindrance, ...]  # empty: it can be done now
    waits: int  # the number of the count that waits to be counted again; 0: none does
    last: str  # local time of the last such count
    last_by: tuple[str, ...]  # who counted


def counts_of(scene: Scene, person: Person, people: Sequence[Person]) -> tuple[Countable, ...]:
    """Return every count by denomination that somebody may begin, in the order of the pages.

    It cannot be begun by the only person of the house who could make the second count.
    """
    staff = OfficeStaff(scene, people)
    return tuple(
        replace(count, wrong=(*count.wrong, *_kept_to_sign(scene, act, person, staff)))
        for key, act in scene.rules.pages.acts.items()
        if _is_of_units(act) and any(scene.rules.is_of(group, person, scene.state) for group in act.by)
        for known in _things(scene, act)
        for count in (_countable(scene, key, act, known),)
    )


def _kept_to_sign(scene: Scene, act: Act, person: Person, staff: OfficeStaff) -> Iterator[Hindrance]:
    """Yield that nobody would be left to count again after somebody."""
    kept = staff.kept_to_sign(act)
    if person.account not in kept:
        return
    [sign, *_] = [sign for sign in act.signs.values() if sign.counts]
    signer = scene.rules.words_of(sign.by)
    others = sorted(known.name for known in staff.people if known.account in staff.accounts(act.by) - {*kept})
    why = f"you are needed to count again, as the only {signer}: {' or '.join(others)} counts first"
    yield Hindrance(clause_text(sign.cite), why if others else f"nobody else is a {signer} yet, to count again")


def _is_of_units(act: Act) -> bool:
    is_of_place = act.counts is not None and bool(act.counts.stock or act.tallies)
    return is_of_place and act.counts is not None and act.fields[act.counts.field].type == "units"


def _things(scene: Scene, act: Act) -> list[KnownThing | None]:
    if not act.thing:
        return [None]
    final = scene.rules.pages.things[act.thing].final
    return [thing for thing in scene.state.of_kind(act.thing, act.states) if thing.state not in final]


def _countable(scene: Scene, key: str, act: Act, known: KnownThing | None) -> Countable:
    subject = thing_key(known.kind, known.id) if known else OFFICE
    mark, facility = scene.state.mark(key, subject), scene.state.facility
    assert facility is not None
    people = [scene.who(account) for account in ((mark.by, *mark.signed) if mark else ())]
    waits = (
        pending.done.number
        for pending in scene.state.pending.values()
        if pending.done.act == key and (known is None or known.id in pending.done.things)
    )
    return Countable(
        key,
        known.id if known else "",
        tuple(Hindrance(fault.clause, fault.why) for fault in unmet_conditions(act.needs, [known], scene)),
        next(waits, 0),
        f"{facility.local(mark.at):%Y-%m-%d %H:%M}" if mark else "",
        tuple(person.name for person in people if person),
    )
