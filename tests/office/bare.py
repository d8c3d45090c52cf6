"""Offices whose acts ask for nothing: only who does them, to what, when and with which proof is left to be judged.

So every act of every page can be done at once, and what holds for all of them is tried with each.
"""

from __future__ import annotations

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.rules import ActRules, office_of
from passline.acts.schema import Act
from passline.acts.state import KnownThing, thing_key
from passline.authority.roles import ROLES
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bookkeeping import KeptOffice

_FACILITY = Facility(name="Harbour", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
THING = "N1"


def bare_rules(rules: ActRules) -> ActRules:
    """Return rules whose acts have no needs, fields, states or signatures of their own."""
    acts = {key: _bare(act) for key, act in rules.pages.acts.items() if not act.corrects}
    roles = {key: replace(group, designated="", ended=()) for key, group in rules.pages.roles.items()}
    pages = replace(rules.pages, acts=acts, roles=roles, gates={}, watches={}, forms={})
    return ActRules(rules.name, "0" * 64, pages)


def _bare(act: Act) -> Act:
    signs = {part: sign for part, sign in act.signs.items() if sign.of_papers}
    return replace(
        act, fields={}, needs={}, states=(), to="", gate="", like=(), keeps=(), moves=None, counts=None, cash=None,
        enters=None, sets=(), corrected=None, signs=signs, renews=False, restores=False, stays=False,
    )  # fmt: skip


class BareOffice(KeptOffice):
    """An office in which every act can be done, two people of each role, and one thing of each kind."""

    def __init__(self, name: str) -> None:
        people = {f"{role}{number}": role for role in ("owner", *ROLES) for number in (1, 2)}
        super().__init__(bare_rules(office_of(name)), _FACILITY, people)
        self.go_to("2026-03-04", "09:00")  # a Wednesday
        figures: dict[str, object] = {"length": {"count": 2, "unit": "hours"}, "times": ["06:00", "14:00", "22:00"]}
        values = {key: figures[rule.type] for key, rule in self.rules.pages.values.items() if rule.type in figures}
        self.state = replace(self.state, values={**self.state.values, **values})

    def put(self, act: str) -> tuple[str, ...]:
        """Have the thing that an act is done to, in the state that is its first; return its name."""
        rule = self.rules.pages.acts[act]
        if not rule.thing or (rule.new and self.rules.pages.things[rule.thing].series):
            return ()
        if rule.new:
            return (f"M{self.state.acts}",)
        name = "olga" if rule.thing == "person" else THING
        known = KnownThing(rule.thing, name, self.rules.pages.things[rule.thing].states[0], {}, self.at)
        if self.state.thing(rule.thing, name) is None:
            self.state = replace(self.state, things={**self.state.things, thing_key(rule.thing, name): known})
        return (name,)

    def doer(self, act: str) -> str:
        """Return who does an act: somebody who may, or compliance from the paper of the body that did it."""
        rule = self.rules.pages.acts[act]
        fit = (
            name
            for name, person in self.people.items()
            if any(self.rules.is_of(group, person, self.state) for group in rule.by)
        )
        return next(fit, "compliance1")

    def tells(
        self, act: str, things: tuple[str, ...], *, ago: int = 0, document: str | None = None, by: str = ""
    ) -> Refused | tuple[e.ActEvent, ...]:
        """Tell an act as of so many seconds ago, with its paper."""
        occurred = later(self.at, -ago) if ago else ""
        came = self.facility.today(occurred or self.at).isoformat()
        letter = self.letter() if document is None else document
        paper = {"document": letter, "reference": "letter 7", "received": came}
        command = c.DoAct(act=act, things=things, occurred=occurred, paper=paper if letter else {})
        return self.send(command, by or self.doer(act))

    def sign_all(self) -> None:
        """Have other people sign whatever waits."""
        for number, pending in list(self.state.pending.items()):
            for part in pending.done.waits:
                rule = self.rules.signature(self.rules.pages.acts[pending.done.act], part)
                assert rule is not None
                hands = {pending.done.by, *self.state.pending[number].signed.values()}
                signer = next(
                    name
                    for name, person in self.people.items()
                    if name not in hands and any(self.rules.is_of(group, person, self.state) for group in rule.by)
                )
                answer = self.send(c.SignAct(number=int(number), part=part), signer, signer)
                assert not isinstance(answer, Refused), answer

    def wait(self, seconds: int) -> None:
        """Let some time pass."""
        self.at = later(self.at, seconds)
