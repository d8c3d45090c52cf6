"""Winners of a tournament whose prizes need a tax form: which form, what it asks for, and what of that is missing.

The house says from which amount on a form is needed; the program knows no tax law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from passline.acts.patrons import entrant_key, linked_patrons
from passline.acts.schema import PRACTICE
from passline.acts.state import ActState, KnownThing
from passline.documents.sheet import SheetTable
from passline.refusal import Refusal
from passline.tournament.state import KnownEntry

FROM, ABROAD_FROM = "prize_form_from", "prize_form_abroad_from"
"""The values of the office that say from which amount on a form is due: of residents, and of others."""
_HOME, _ABROAD = "united states", "another country"
_FORMS = {_HOME: "W-2G", _ABROAD: "1042-S"}
_NEEDS = {
    "identification": "a document that was seen",
    "residence": "where the winner lives",
    "tax_file": "the signed form with the taxpayer's number",
}


class Winner(Struct, frozen=True, kw_only=True):
    """Somebody who has won something: the entries, all prizes, and all that was paid into the tournament for them."""

    name: str
    entries: tuple[int, ...]
    prize_cents: int
    paid_cents: int
    patron: KnownThing | None

    @property
    def net_cents(self) -> int:
        """The winnings less what was paid."""
        return self.prize_cents - self.paid_cents


def winners_of(
    entries: Mapping[str, KnownEntry], prizes: Mapping[int, int], paid: Mapping[int, int], office: ActState
) -> list[Winner]:
    """Return everybody who has won something, by name; somebody who entered several times is one winner."""
    linked, people = linked_patrons(office), dict[str, list[KnownEntry]]()
    for entry in entries.values():
        who = f"account/{entry.account}" if entry.account else entrant_key(entry.name)
        people.setdefault(linked.get(who, who), []).append(entry)
    return sorted(_winners(people, prizes, paid, office), key=lambda winner: (winner.name, winner.entries))


def _winners(
    people: Mapping[str, list[KnownEntry]], prizes: Mapping[int, int], paid: Mapping[int, int], office: ActState
) -> Iterator[Winner]:
    for who, entered in people.items():
        numbers = tuple(entry.number for entry in entered)
        if any(prizes.get(number) for number in numbers):
            kind, _, id_ = who.partition("/")
            yield Winner(
                name=entered[0].name,
                entries=numbers,
                prize_cents=sum(prizes.get(number, 0) for number in numbers),
                paid_cents=sum(paid.get(number, 0) for number in numbers),
                patron=office.thing(kind, id_) if kind == "patron" else None,
            )


def prize_forms_table(
    entries: Mapping[str, KnownEntry], prizes: Counter[int], paid: Counter[int], office: ActState
) -> SheetTable | Refusal:
    """Return the winners whose prizes want a tax form, each with its form and with what it needs and is not on record.

    It is refused while the house has not said from which amount on; whose residence nobody has noted is listed from the
    lower of the two.
    """
    if unset := " and ".join(key for key in (FROM, ABROAD_FROM) if office.values.get(key) is None):
        return Refusal(PRACTICE, f"nobody has said from which prize on a winner's tax form is due: set {unset}")
    said = {_HOME: int(office.values[FROM]), _ABROAD: int(office.values[ABROAD_FROM])}
    lowest = min(said.values())
    rows = []
    for winner in winners_of(entries, prizes, paid, office):
        facts = winner.patron.facts if winner.patron else {}
        home = str(facts.get("residence", ""))
        if winner.net_cents >= said.get(home, lowest):
            missing = [words for fact, words in _NEEDS.items() if not facts.get(fact)]
            lacks = ", ".join(missing if winner.patron else ["a patron on record", *missing])
            rows.append((
                winner.name,
                winner.patron.id if winner.patron else "",
                ", ".join(map(str, winner.entries)),
                winner.prize_cents,
                winner.paid_cents,
                winner.net_cents,
                _FORMS.get(home, " or ".join(_FORMS.values())),
                lacks or "nothing",
            ))  # fmt: skip
    return SheetTable(
        title="Tax forms of winners",
        heads=("winner", "patron", "entries", "prizes $", "paid in $", "less that $", "form", "missing"),
        widths=(1.6, 0.8, 0.7, 1, 1, 1, 0.9, 2.4),
        rows=tuple(rows),
        flagged=tuple(place for place, row in enumerate(rows) if row[-1] != "nothing"),
        nothing="No prize wants a form.",
        notes=("From which amount on a form is due is what the house has set; no figure here is a tax.",),
    )
