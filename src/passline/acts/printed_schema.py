"""What an office's pages can say of what is printed: checklists, papers made from rules, forms made from the log.

Manual slips are among the forms: they are filled in by hand in an outage, and entered together afterwards.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from passline.acts.calendar.deadlines import Length
from passline.rules.schema import Rule

Name = Annotated[str, Meta(min_length=1, max_length=120)]
"""What people call something."""


class Item(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One line of a checklist."""

    says: Name
    unless: str = ""  # a fact of the thing that makes it needless, such as that it takes no tips
    only: str = ""  # a fact of the thing without which it is needless
    offered: str = ""  # a wager or another election without which it is needless


class Checklist(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A printed list of what must be seen on the thing itself: each item with its clause."""

    name: Name
    thing: str = ""  # without, it is about the office
    items: dict[str, Item]


class Part(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One part of a paper: what it is made from."""

    name: Name
    source: str  # such as "rules.payouts", "wager.fire.limits", "fact.place", "document.chips", "done.act", "value.x"
    unless: str = ""  # a fact of the thing that makes it needless
    offered: str = ""  # a wager or another election without which it is needless


class Paper(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A document made from the log and the rules in force, refused while a part is missing."""

    name: Name
    thing: str = ""
    parts: dict[str, Part]
    signed_by: tuple[str, ...] = ()


class FormPart(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One entry of a form: what is written there.

    `source` is "field.x" (of its act), "fact.x" (of its thing), "fact.x.y" (the fact y of the thing that the fact x
    names), "by.act" (who did an act), "was" and "now" (of a correction), "cash_in" and "cash_out" (of an act that moves
    it), "day" or "facility"; without a source it is an empty line to be written on.
    """

    name: Name
    source: str = ""
    under: str = ""  # the heading that it stands under
    is_money: bool = False  # cents, where no field says so; of units, what they come to
    otherwise: str = ""  # what is written, once an act of the form is done, where nobody has said anything


class FormCopy(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One part of a form that is printed in parts: what it is called, and where it goes."""

    name: Name
    goes: Name


class Form(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A form that is printed from the log: one for each thing of a kind, for each act, or for each gaming day.

    With `thing` it is numbered as the thing is, and has the signatures of every act that was done to it. Without, it
    has the number of its act. A log has a line for each of its acts in a gaming day.
    """

    name: Name
    acts: tuple[str, ...]  # in the order in which they are signed; of a thing, those still to come get an empty line
    thing: str = ""
    is_log: bool = False
    is_of_corrections: bool = False  # a log of every correction, whatever it puts right
    is_slip: bool = False  # a third of a page
    parts: dict[str, FormPart] = field(default_factory=dict)  # none: every field of its acts
    copies: dict[str, FormCopy] = field(default_factory=dict)
    stamps: tuple[str, ...] = ()  # the states of its thing that are stamped on it
    total: tuple[str, ...] = ()  # fields of units and cents that are added up on it
    manual: str = ""  # manual slips of it are printed, numbered with this in front


class Printing(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Manual slips that an act has printed: as many as a field says, numbered in the series of the form named."""

    form: str  # the field that names the form
    pieces: str  # the field that says how many


class Batch(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Acts that were written on manual slips while nothing could be recorded, and are entered in one act: all or none.

    Each line is an ordinary act of these pages, recorded late. All together they open one incident.
    """

    lines: str  # the field with the acts
    slip: str  # the kind of thing that a manual slip is
    blank: str  # the state of a slip that nobody was handed
    out: str  # the state of a slip that was handed out
    used: str  # the state of a slip whose acts were told
    missing: str  # the state of a slip that was neither told, nor void
    incident: str  # what having had to do so is called
    slip_acts: tuple[str, ...] = ()  # acts about slips themselves that can be lines; none named: all of them
    all_batches: bool = False  # gaps are found over every batch of the outage; what was taken back or void is listed
    within: Length | None = None  # how long after the outage it is told in time
    late: str = ""  # what telling it later is called: an incident of its own
    proof: str = ""  # the field with the digest of the scanned slips, which serves one batch
    parties: bool = False  # who tells is party to what a line opens, who is named to what the batch does, known by then
    asks: str = ""  # the act by which each person is asked for whom it was told, and who has not signed it
    is_quiet: bool = False  # nothing is looked into where nothing was done, nothing is missing and all was told in time
    undisputed: bool = False  # what a slip says of a time counts only where nothing recorded speaks against it
