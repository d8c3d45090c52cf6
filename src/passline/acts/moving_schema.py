"""What pages can say of what an act moves, counts and lists: units of stocks, cash, things and slips."""

from __future__ import annotations

from typing import Literal

from passline.rules.schema import Rule


class Moving(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Units of a stock that an act moves from one place to another; a place may be a fact of the thing."""

    stock: str
    field: str  # the field with the units
    source: str
    target: str
    missing: str = ""  # only what differs from the field on record moves; the place that owes what is there no more
    lost: str = ""  # where the field differs from what is on record, it is what came of what was sent: the place that
    # takes what came too little and owes what came too much; either opens an incident
    back: str = ""  # the field with units of the same worth that go the other way
    as_of: bool = False  # a place that was counted after its moment had it in that count: what took up the difference
    # of the count gives or takes it instead, and somebody looks into it


class Paying(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Money that an act moves from one place to another: what the units or cents of a field come to.

    The stock is kept `by_worth`: places hold amounts, and only counts say in which denominations. A place that begins
    with `@` is the thing itself, or the one that a field or fact names.
    """

    field: str  # with units or cents; where the act does not say it, the fact of its thing
    source: str
    target: str
    stock: str
    form: str = ""  # the field that says as what it was paid, which names another stock: such as a cheque
    only: str = ""  # a field or flag of the act, only with which it moves
    unless: str = ""  # a field or flag of the act with which it does not
    whole: bool = False  # it is all that lies there: the act ends the life of a paper, and nothing stays owed on it


class Tallying(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A count of the money at a place, compared with the record of it, which is set to what was counted."""

    place: str
    fields: dict[str, tuple[str, ...]]  # by stock: the fields that count it, with units or cents
    against: str  # the place outside that takes up a difference
    incident: str  # what a difference is called
    above: str = ""  # the value of the office above which a difference is looked into; without, every one


class CashMoving(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Cash that a patron brings or takes with an act: what the units of a field come to."""

    to: Literal["house", "patron"]
    field: str  # the field with the units, or with cents
    patron: str  # the field that names the patron, where one is named
    unless: str = ""  # a flag of the act with which it was no cash
    only: str = ""  # FIELD.CHOICE of the act, only with which it was cash
    by_entry: bool = False  # it counts on the gaming day of its entry too, where it was told for another one


class Counting(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A count that is compared with the log: of a stock at a place, or of things in some states.

    Without either, it is only compared with the count of a second person.
    """

    field: str  # what is held against the log
    also: tuple[str, ...] = ()  # further fields that everybody counts who counts again
    stock: str = ""
    place: str = ""
    kind: str = ""
    states: tuple[str, ...] = ()
    incident: str = ""  # what a difference is called
    differs: str = ""  # what it is called where two people count differently, which opens an incident
    against: str = ""  # the place outside that takes up a difference: from then on the record is what was counted
    is_result: bool = False  # a difference is what the game has won or lost, and no variance
    as_of: bool = False  # told later, it is held against what was on record at its moment; what moved since stays so
    missed: str = ""  # of `as_of`: the act that records a count whose place was counted again before it was recorded
    enough: bool = False  # of `as_of`: it found all that has left since its moment; if not, it is counted again
    is_whole: bool = False  # what it does not name, it has not found: nothing stays known of an earlier count
    corrects: bool = False  # an earlier count of the same thing: what that had found is on record
    listed: str = ""  # the list of the thing on which all stands that must be found; the count clears it
    unknown: str = ""  # of such a list: what it is called that something was found which is not on it
    unread: str = ""  # of such a list: what it is called that something was found by the fields of `also`

    @property
    def counted_fields(self) -> tuple[str, ...]:
        """All fields that are counted again, without seeing the first count."""
        return (self.field, *self.also)


class Apart(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Separate records of a thing, one for each value of the fields in `by`, such as a bar by each agency.

    Where the thing has one fact for all of them, it is that of the strongest record, by the order of the first field.
    """

    kept_in: str  # the fact with the records
    by: tuple[str, ...]  # the fields whose words tell records apart: the first is a choice
    ends: str = ""  # the act whose record this one ends


class Entering(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A list on which an act enters its thing, found through two facts: such as the table's drop box of a ticket."""

    through: str  # the fact, and the kind, of the first: such as a table
    named: str  # the fact of that, and the kind, of the second: such as the drop box on it
    list: str
    states: tuple[str, ...] = ()  # the second takes it only in these, and while it names the first in turn
    incident: str = ""  # of `states`: what it is called that the first had one once, and it takes it no more
    left: tuple[
        str, ...
    ] = ()  # told late, it is entered on what was there at its moment, while that is in one of these
    gone: str = ""  # of `left`: what it is called that this is in none of them any more
