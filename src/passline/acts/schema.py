"""What an office's pages can say: things, acts with fields and signatures, clocks, gates, watches, rights, papers.

Everything that a regulation asks carries the clause that asks for it. What no clause asks for and every office needs
is cited as `practice`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from passline.acts.calendar.deadlines import Length
from passline.acts.moving_schema import Apart, CashMoving, Counting, Entering, Moving, Paying, Tallying
from passline.acts.printed_schema import Batch, Checklist, Form, Name, Paper, Printing
from passline.money import short_dollars, with_dollar_sign
from passline.rules.schema import Rule

LIVE_METER = "live_meter"
"""The field that the server fills in: what the meter of a progressive shows at its live table."""
PRACTICE = "practice"
"""The citation of what no clause asks for."""
Most = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class RoleGroup(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Who a regulation means by a word: accounts with one of these roles, or an outside body."""

    roles: tuple[str, ...] = ()
    body: str = ""  # the name of an outside body, such as a gaming office
    designated: str = ""  # the act without which nobody with those roles is one
    ended: tuple[str, ...] = ()  # the acts after which a designation does not count any more
    at_tables: bool = False  # at live tables too nobody acts in those roles who was not designated


class Thing(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Something with a life: its states, how it is identified, and after which states it has ended."""

    name: Name
    states: tuple[str, ...]
    final: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()  # of what is filed: states in which it is filed, too, if nothing is done to it before
    lasting: tuple[str, ...] = ()  # states in which it stays as long as it is good: no card shows it as under way
    series: str = ""  # it is numbered by the office, without gaps, with this in front
    seen_by: tuple[str, ...] = ()  # the groups that may read of it; without, all who keep the office
    involved: bool = False  # one that an act opens keeps who did and signed that act, and whom its fields name
    one_office: bool = False  # it bears its number: of those in use no other has it, in any office of the house
    filed: bool = False  # once it has ended and a gaming day has gone by, only its name and state are kept at hand
    recalls: tuple[str, ...] = ()  # its `state` or facts of it: what these were lately is kept, for what is told late
    named: Literal["", "table", "cents"] = ""  # what identifies it: as a live table is, or by its value
    held_by: str = ""  # the fact of it with the people who have it in hand, and the states in which they have
    held_in: tuple[str, ...] = ()
    hint: str = ""  # how what identifies it is written, as forms say it

    def spoken_id(self, id_: str) -> str:
        """Return what people call one of this kind: by its value, or by what identifies it.

        >>> Thing(name="chip", states=(), named="cents", cite="practice").spoken_id("500")
        '$5'
        """
        return with_dollar_sign(short_dollars(int(id_))) if self.named == "cents" and id_.isdecimal() else id_


class Field(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One field of an act: what may be written there."""

    name: Name
    type: Literal[
        "text", "yes", "flag", "number", "cents", "choice", "some", "day", "moment", "document", "thing", "things",
        "ids", "person", "people", "units", "checklist", "per_thing", "no", "times", "shares", "house", "sheet",
        "act", "codes", "lines",
    ]  # fmt: skip
    of: tuple[str, ...] = ()  # the choices; of things and ids their kind; of people groups; of a list, paper or act it
    of_areas: bool = False  # the choices are the facility's areas
    of_shifts: bool = False  # the choices are the facility's shifts
    of_forms: bool = False  # the choices are the forms of which manual slips are printed
    never: tuple[str, ...] = ()  # of people: role groups that may not be among them
    min: Most | None = None  # of a number, of cents, or how many of several
    max: Most | None = None
    min_value: str = ""  # of people: the value of the office that says how many at least, where it is set
    doer: bool = False  # of people: whoever does the act is one of them
    adds: bool = False  # of people, things and ids: those named before stay known beside them
    sticks: bool = False  # of `yes` and `flag`: what was not so stays not so of the thing, until an act clears it; of a
    # day and a choice: what is on record stays, until it is cleared or over, where this comes before it
    every: bool = False  # of `some`: all of them
    states: tuple[str, ...] = ()  # of things: those they are in
    to: str = ""  # of things: the state that the act brings them to
    total: str = ""  # of shares: the fact with the cents that they add up to
    valid: tuple[str, ...] = ()  # of things and people: their facts that are days and must not be over
    optional: bool = False
    unless: str = ""  # a flag of the same act with which this one is not asked for
    only: str = ""  # a flag of the act, a fact of the thing or FIELD.FACT of one named, without which it is not asked
    lower: str = (
        ""  # a figure of the same act that is lower than it was of the thing, only with which this is asked for
    )
    differs: tuple[str, ...] = ()  # two figures of the same act, only with which, if they differ, this is asked for
    shown: tuple[str, ...] = ()  # of `live_meter`: the facts that name the table and wager whose meter the server reads
    least: str = ""  # of a number or of cents: the fact of the thing below which it may not be
    highest: str = ""  # of a number or of cents: the fact of the thing above which it may not be
    covers: str = ""  # of cents: the field with units that are part of it, so that it is no less
    earlier: bool = False  # of an act: any that can still be corrected, and not only the last
    no_less_than: str = ""  # of a number, of cents, or of one for each thing: another field below which it may not be
    stock: str = ""  # of units: each denomination is one that this stock has had, or that is on record as one of `of`
    past: bool = False  # of a moment: it is not still to come
    ahead: bool = False  # of a day: it is a gaming day that is not over
    another: bool = False  # of things: none of those to which the act is done
    own: bool = False  # of a thing: where none is named, the one that whoever does it has in hand
    through: str = ""  # of a thing: where none is named, the one that FIELD.FACT names, such as the patron of a card
    once: bool = False  # of a document: it serves no other act, in any office of the house
    repeated: str = ""  # of a text: what it is called that an earlier act, in any office of the house, says the same
    repeated_with: str = ""  # of `repeated`: the field that must say the same too, such as a vendor
    is_unwanted: bool = False  # of units: what is written here should not have been there, and opens an incident
    unit: str = ""


class Signature(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A further person who signs an act. Nobody signs for two."""

    by: tuple[str, ...]
    name: Name
    counts: bool = False  # this person counts again, without seeing the first count
    among: str = ""  # the field, the fact of the thing, or FIELD.FACT, with the people of whom this is one
    others: bool = False  # nobody to whom it is done, or whom its fields name, signs as this
    apart: tuple[str, ...] = ()  # who signs as this has done or signed none of these acts to the same thing
    unless: str = ""  # a flag of the act with which nobody signs as this
    only: str = ""  # a flag of the act, only with which somebody signs as this
    of_papers: bool = False  # only where somebody else records the word of an outside body, without its stamp
    nobodys: str = ""  # only for cash that nobody is named for, from this value of the office up
    above: str = ""  # only where the act moves more money than this value of the office says
    together: str = ""  # of `above`: the field with the patron whose money of the gaming day counts with it
    standard: bool = False  # of houses: only where a public standard that one elects would not hold any more
    later: tuple[str, ...] = ()  # only where one of these days comes after the one that is on record, if one is
    beyond: Length | None = None  # only where an outage was longer or is told later than this, and by none of `by`


class Telling(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """How acts may be recorded later than they happened, and from when they count then.

    Without this rule the stated moment counts. What is owed runs from the earliest stated moment in any case.
    """

    name: Name
    of: Literal["", "papers", "facts", "others"] = ""  # the acts that name none and are told so
    counts: Literal["entry", "document"]  # from when it counts: its own entry, or what a dated document says
    within: Length | None = None  # how long after it happened it is in time; without, no other moment can be chosen
    second: Signature | None = None  # who signs too where it is told later
    incident: str = ""  # what telling it later is called, where it opens an incident


class Condition(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, dict=True):
    """What must hold before something is done: exactly one test, of the thing it is done to unless `of` says another.

    `says` is what is wrong where it does not hold.
    """

    says: Name
    done: str = ""  # this act was done
    undone: str = ""  # and not this one since; of `ahead`, what was told before this one counts no more
    since: str = ""  # and after this one was done last
    before: str = ""  # of `done`: and before the moment that this field says
    again: str = ""  # of a correction, which is made from another act: and after this correction was done last
    never: str = ""  # this act was not done, or `undone` was done since
    lapses: str = ""  # of `never`: a fact, the last day on which it counts
    each: bool = (
        False  # of `done` and `never`: as that act keeps records apart; where the act has its fields, of that one
    )
    linked: bool = False  # of `never` and a patron, or `sole` and a field with one: whoever is known to be the same
    # person counts too
    lapsed: str = ""  # or, in place of `done`, this clock has run out without an answer
    ahead: str = ""  # what this clock of notice asks for was told in time
    planned: str = (
        ""  # or, with this field or fact, the day of what is planned: it would be in time if it were told now
    )
    clock: str = ""  # this clock is not overdue
    state: tuple[str, ...] = ()  # it is in one of these states
    fact: str = ""  # this fact of it is known
    word: str = ""  # and, as it is written now, is this word
    same: tuple[str, ...] = ()  # these facts of the two are the same, or one of both; of more, the first lists what all
    # others name
    value: str = ""  # this value of the office is set
    fewer: str = ""  # fewer things of its kind are in `state` than this value says
    sole: str | tuple[str, ...] = ""  # no other of its kind in `state` has the same there, or in any of several facts
    is_open: bool = False  # of `fewer` and `sole`: among those opened and not closed since, whatever their state
    has: str = ""  # `least` things of `kind` in `state` name it by this fact of theirs
    least: Annotated[int, Meta(ge=1, le=1000)] = 1
    most: Annotated[int, Meta(ge=0, le=1000)] | None = None  # in place of `least`: no more of them than this
    on_duty: str = ""  # somebody of this group is on duty in the same area
    valid: str = ""  # this fact, a day, is not over
    held: str | tuple[str, ...] = ""  # no other act is waiting to be signed for it: of this name, or of these
    paper: str = ""  # this paper is complete
    printed: str = ""  # its fact of this name is the digest of the paper of this name as it would be printed now
    as_dealt: bool = False  # of `printed`: as it would be printed of the house that the thing of the act or gate has
    listed: str = ""  # it is one of those that a fact of a thing lists, as THING.FACT: the thing that is named so
    stocked: str = ""  # there is some of this stock at it; with `most = 0`, none
    approval: str = ""  # this kind of approval is on file with the house, by every authority
    apart: tuple[str, ...] = ()  # who does it has done or signed none of these acts to the same thing
    among: str = ""  # who does it is of those that this fact of the thing names, who are `least` or more, or `most`
    cashless: bool = False  # no cash of this patron is of the gaming day that goes on, and no report of it is due
    unlike: str = ""  # the name in this field is like that of nobody who is kept away from the games
    carries: str = ""  # who does it has a key of this kind out
    uninvolved: bool = False  # who does it was not involved in what opened the thing, nor is it about them
    own: str = ""  # who does it is the person whom this fact of the thing names
    scheduled: str = ""  # it happens at one of the times of day that this value lists
    settled: Literal["", "over", "begun", "closers", "boxes", "slips", "incidents"] = (
        ""  # of a gaming day: it is over, it is none from before there was an office, or none of this is open
    )
    bars: str = ""  # nobody of this group is among those that `of` names
    cleared: str = ""  # nothing is left on its list of this name
    of: str | tuple[str, ...] = ""  # the facts or fields that name what it is about, instead of the thing itself;
    # THING.FACT is a fact of the thing that is named so
    kind: str = ""  # what those are
    but_for: tuple[str, ...] = ()  # things for which it is not asked
    only_for: tuple[str, ...] = ()  # things for which alone it is asked
    when: str = ""  # a fact, field, FIELD.CHOICE or THING.FACT that is true, or an act done: asked only then
    unless: str = ""  # the same, with which it is not asked for; of what `of` names, too
    ended: str = ""  # of an act that `when` or `unless` names: done since, that act counts no more
    offered: str = ""  # a wager or another election: asked for only where the rules it is dealt by have it
    is_noted: bool = False  # of what an act needs: it is done all the same, and somebody looks into it
    mend: str = ""  # the act that mends it


class Corrected(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """How an act is corrected: by another act, made from this one, which needs the same signatures.

    It names the first act by its number, repeats its fields and says why. What followed from them is corrected too.
    """

    fields: tuple[str, ...]  # that may have been wrong
    thing: bool = False  # of the count of a tray: it may have been of another one
    act: str = ""  # the name of the correcting act; without, that of the first with `correct_` in front
    name: str = ""  # what people call it
    by: tuple[str, ...] = ()  # who may; without, whoever may do the first
    days: Annotated[int, Meta(ge=1, le=3660)] | None = None  # for so many days it is kept at hand; without, for ever
    until: tuple[str, ...] = ()  # acts, done to the same thing since, after which it is not corrected any more
    incident: str = ""  # what a correction is called that somebody must look into
    missing: str = ""  # the place that owes what is no longer where it would be taken from
    signs: dict[str, Signature] = field(default_factory=dict)  # besides: of what went through further hands


class Corrections(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What holds for every correction. Without it, only the needs that are about the repeated fields apply."""

    keep_needs: bool = (
        False  # it needs too what its first act needs: who does it, what no other has, what was agreed to
    )


class Writing(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """How texts are read. Without it, any text is accepted, and names differ if any character does."""

    visible: bool = False  # a text has letters or digits, and nothing that nobody sees
    alike: bool = False  # names and numbers that people take for the same are the same, for things and `sole`
    once: bool = False  # things that a field lists are named once


class Act(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, dict=True):
    """What somebody does and records."""

    name: Name
    page: str
    by: tuple[str, ...]
    thing: str = ""  # the kind of thing it is done to; without, it is about the whole office
    new: bool = False  # it makes the thing
    many: bool = False  # it may be done to several at once
    ended: bool = False  # it may be done to what has ended, too
    states: tuple[str, ...] = ()  # those it is done in
    to: str = ""  # the state it leads to
    stays: bool = False  # done in a state that is none of `states`, it leaves the thing in that one
    renews: bool = False  # what its fields do not say of a thing is not known of it any more
    clears: tuple[str, ...] = ()  # facts of a thing that are not known of it any more
    apart: Apart | None = None  # what it says stands by itself for each word of some fields, or it ends such a record
    restores: bool = False  # what began its life in another state than `to` comes back into that one
    is_fact: bool = False  # it has happened in the building: what it breaks is recorded, not refused
    on_paper: bool = False  # an outside body's act may be recorded from its paper
    fields: dict[str, Field] = field(default_factory=dict)
    signs: dict[str, Signature] = field(default_factory=dict)
    needs: dict[str, Condition] = field(default_factory=dict)
    like: tuple[str, ...] = ()  # it does what these acts do: what they need of a field of the same name, it needs too
    gate: str = ""  # the gate whose every item must hold too
    joins: str = ""  # the fact of the thing that names people: whoever does it is one of them from then on
    quits: str = ""  # the same, of whom whoever does it is one no more
    takes: str = ""  # the fact of the thing that names whoever does it, and nobody else, from then on
    keeps: tuple[str, ...] = ()  # items of the gate `open_table` that must hold after it, done to a table that is open
    moves: Moving | None = None
    counts: Counting | None = None
    pays: dict[str, Paying] = field(default_factory=dict)  # money that it moves, by what it comes to
    tallies: Tallying | None = None  # money that it counts, by what it comes to
    cash: CashMoving | None = None
    told: str = ""  # how it is told that was not recorded as it happened: one of `tellings`
    answers: tuple[str, ...] = ()  # acts that it answers, besides those of its clocks: it never happened before them
    enters: Entering | None = None
    tells: tuple[str, ...] = ()  # the bodies that are told by it
    sets: tuple[str, ...] = ()  # the values of the office that it sets, from its fields of the same names
    prints: Printing | None = None  # the things that it makes are manual slips
    batch: Batch | None = None  # it tells what was done while nothing could be recorded, its thing
    unlogged: bool = False  # nothing was recorded since it happened; told as of before the newest entry, it is late
    corrected: Corrected | None = None  # it can be put right
    uncorrected: str = ""  # why it cannot be, though it says a figure, a patron or a specification
    corrects: str = ""  # of an act that was made from another one's `corrected`: that one
    incident: str = ""  # what there is to look into whenever it is done
    involves: str = ""  # of incidents that it opens: the fact of its thing that names who else is involved
    in_batch: bool = False  # it is recorded by what tells a batch, and never by itself
    taken_back: str = ""  # what there is to look into where it waited to be signed and was taken back
    matter: str = ""  # the field whose words say what there is to look into whenever it is done


class Clock(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A deadline: what begins it, what meets it, and how long it runs.

    `after`: from the act `starts` on, the act `met` is due within the length. `before`: `met` is told so long before
    `starts` is done. `every`: `met` is due so long after it was done last, or after `starts` the first time.
    """

    name: Name
    runs: Literal["after", "before", "every"]
    starts: str
    met: tuple[str, ...]
    length: Length | None = None  # beside `value`, how long it runs until that is set
    value: str = ""  # the value of the office that says how long, where no text does
    times: str = ""  # the value with the times of day at which it may be met: it is due with the next of them
    owes: str
    to: tuple[str, ...] = ()
    ends: Literal["overdue", "deemed", "blocked"] = "overdue"
    unless: str = ""  # an act, done since, with which it does not run any more
    owed: Literal["", "until_met", "with_start"] = ""  # of `unless`: what ran then stays owed until it is met; or it
    # stands still, and doing again what begins it goes on from where it first began
    already: tuple[str, ...] = ()  # an act that was done before it began, and none of those after it: it does not run
    anew: bool = False  # doing again what begins it begins it anew; without, what was owed stays owed
    breaks: str = ""  # of incidents: it runs only for those that broke this clause
    of: str = ""  # the kind of thing it runs for, if not that of its acts: "" runs for the office as a whole
    while_in: tuple[str, ...] = ()  # it runs for each thing of the kind `of` in these states, since `starts` named it
    from_kept: bool = False  # of the office as a whole: before `starts` was done, it runs from the day that it is kept
    elected: bool = False  # it runs only once the office was told its `value`
    for_doers: bool = False  # *Today* shows it only to those who may do what meets it; without, to all


class Gate(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Everything that must hold before something else may be done; each item with its clause."""

    name: Name
    thing: str
    items: dict[str, Condition]
    house_wide: bool = False  # of employees at work: with settings and what is taken back, too, and as any office of
    # the house knows them


class Watch(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A standing condition: while things are in some states, something must hold; if not, an incident is opened."""

    name: Name
    thing: str
    states: tuple[str, ...] = ()  # without, whatever state it is in
    is_open: bool = False  # of tables: only those that are dealt now
    until_closed: bool = False  # of tables: those dealt now or opened and not closed since, whatever became of them
    needs: Condition


class Right(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What a body may see, inspect or test at any time: doing so is an act of the same name, which needs nothing."""

    name: Name
    by: tuple[str, ...]
    thing: str = ""  # the kind of thing; without, play, records and whatever else it wants to see


class Stock(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Quantities by denomination and place, kept by double entry."""

    name: Name
    places: tuple[str, ...]
    outside: tuple[str, ...]  # places that are not ours, where it comes from and goes: they may be negative
    loose: tuple[str, ...] = ()  # kinds of places where play changes what is there: only a count says
    made: str = ""  # the place outside that they come from first: no more can come back than came from it
    by_worth: bool = False  # of money: places hold what it comes to, in cents, and no denominations
    drawn: str = ""  # of a line of credit: the stock with what was drawn on it and is not paid, of papers that name it


class Value(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A figure that the text leaves to somebody: without it what depends on it stays closed."""

    name: Name
    type: Literal["count", "length", "cents", "text", "times"]
    by: tuple[str, ...] = ()  # the bodies whose paper sets it
    optional: bool = False  # a house may do without it: nobody is asked for it
    presets: dict[str, int] = field(default_factory=dict)  # what public standards say, by their names: to be elected
    otherwise: Most | None = None  # what holds where nobody has set it
    default: Length | None = None  # of a length: what holds until somebody says otherwise
    house_wide: bool = False  # of a sum of cash: what other offices of the house took of the same patron counts too


class Control(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A command to the office that two owners give together, where the house has dual control."""

    name: Name
    eases: str = ""  # of settings: what there is to look into where one makes good what was late, or lets time lapse
    unused: bool = False  # of keys: none that was revoked, or that a body has in another office of the house


Effect = Literal["favourable", "unfavourable", "delivery", "notice"]
"""What a word of an outside body does: it frees the house, binds it, or says that something has reached the body.

A notice is the house's own: it says that the house has told the body something.
"""


class BodyWords(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Acts that record the word of an outside body, or a notice to one, all with the same effect."""

    acts: tuple[str, ...]
    one_house: bool = False  # the paper of one serves no other act, in any office of the house
    dated: bool = False  # with a stamp, none is told as of before it was stamped
    issued_ahead: Length | None = None  # with a stamp, none is dated further ahead of its entry than clocks may differ
    values: bool = False  # a figure that a body sets is one: its paper serves nothing else, and has come
    signed_within: Length | None = None  # how long after it was recorded the second person signs it; later, anew
    any_state: bool = False  # where it changes nothing any more, or not yet, it is put on record all the same


class ActPages(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, dict=True):
    """All that the pages of an office say together."""

    roles: dict[str, RoleGroup] = {}
    things: dict[str, Thing] = {}
    acts: dict[str, Act] = {}
    tellings: dict[str, Telling] = {}
    clocks: dict[str, Clock] = {}
    gates: dict[str, Gate] = {}
    watches: dict[str, Watch] = {}
    rights: dict[str, Right] = {}
    stocks: dict[str, Stock] = {}
    values: dict[str, Value] = {}
    checklists: dict[str, Checklist] = {}
    papers: dict[str, Paper] = {}
    controls: dict[str, Control] = {}  # by the name of the command
    words: dict[Effect, BodyWords] = {}
    forms: dict[str, Form] = {}
    corrections: Corrections | None = None
    writing: Writing | None = None

    @cached_property
    def facts(self) -> dict[str, frozenset[str]]:
        """The facts of each kind of thing: the fields of every act that is done to it."""
        found: dict[str, set[str]] = {}
        for act in self.acts.values():
            if act.thing:
                found.setdefault(act.thing, set()).update((*act.fields, act.takes))
        return {thing: frozenset(facts - {""}) for thing, facts in found.items()}
