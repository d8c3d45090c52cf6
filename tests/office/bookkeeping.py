"""An office that is kept by tests: acts are done in a word, and must not be refused."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw, json

from passline.acts import commands as c
from passline.acts.course import OFFICE_STREAM
from passline.acts.papers.houses import elected_presets
from passline.acts.rules import OFFICE_RULES, SECOND, Person
from passline.authority.roles import in_order
from passline.office.trial import TrialOffice
from passline.people import accounts
from passline.people import commands as p
from passline.people.decide import decide as decide_people
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.store.entry import Draft
from passline.store.sealed import Log
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE, Decision

_BEGUN = "2025-12-31T00:00:00.000000Z"
_VAULT_NAME = "its name in a vault"


class KeptOffice(TrialOffice):
    """An office with its people, its clock and its events, decision by decision."""

    def write(self, log: Log, after: int = 0, *, at_once: bool = False) -> None:
        """Write everything into a log as a server would have: who the people are, then what they did.

        So many decisions, with the people, are in it already. What they did is committed one by one, or all at once.
        """
        if not after:
            log.append(people_drafts(self.people))
        OFFICE_RULES.keep(self.rules)
        drafts = list[Draft]()
        for number, done in enumerate(self.done[after:], start=after):
            draft = Draft(
                stream=OFFICE_STREAM + self.rules.name,
                expected=number,
                at=done.at,
                actor=done.ask.by.account,
                role=done.ask.by.role,
                signed_by=done.ask.signed_by,
                id=str(number),
                command=Raw(json.encode(self.command_of(done.ask.command, is_first=not number))),
                events=Raw(json.encode(done.events)),
            )
            drafts.append(draft)
        for commit in [drafts] if at_once else [[draft] for draft in drafts]:
            log.append(commit)

    def command_of(self, command: object, *, is_first: bool) -> object:
        """Return a command as a server would have given it: pages that are kept are in it, with what a house elects."""
        if not isinstance(command, c.KeepOffice):
            return command
        elected = () if is_first else elected_presets(self.state)
        pages = packed_pages(OFFICE_RULES.installed_pages(self.rules.name, elected))
        return c.KeepOffice(name=self.rules.name, pages=pages, program="trial")

    def tries(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> bool:
        """Try an act, with somebody who signs it as a part; return whether it was done."""
        signer, part = signs
        command = c.DoAct(act=act, things=things, fields=fields, signs=part)
        return not isinstance(self.send(command, by, signer), Refused)

    def does(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> None:
        """Do an act that must not be refused."""
        signer, part = signs
        is_notice = self.rules.effect_of(act) == "notice" and not self.state.bodies.get(by)
        if is_notice and not part:
            signer, part = self.another_reader(act, by), SECOND
        paper = {"document": self.letter()} if is_notice else {}
        answer = self.send(c.DoAct(act=act, things=things, fields=fields, signs=part, paper=paper), by, signer)
        assert not isinstance(answer, Refused), answer

    def letter(self) -> str:
        """Return the digest of another document each time: a paper serves one act."""
        return f"{self.state.acts + 1:064x}"

    def another_reader(self, act: str, by: str) -> str:
        """Return somebody besides the doer who may sign as the second person who has seen a paper."""
        rule = self.rules.pages.acts[act].signs[SECOND]
        return next(
            name
            for name, person in self.people.items()
            if name != by and any(self.rules.is_of(group, person, self.state) for group in rule.by)
        )

    def signs(self, by: str, part: str, **fields: object) -> None:
        """Sign the act that was recorded last."""
        number = max(map(int, self.state.pending))
        answer = self.send(c.SignAct(number=number, part=part, fields=fields), by, by)
        assert not isinstance(answer, Refused), answer


def people_drafts(people: Mapping[str, Person], at: str = _BEGUN) -> list[Draft]:
    """Return how the people of an office came to the house: its owner by a link, everybody else through the owner."""
    owner = next(name for name, person in people.items() if "owner" in person.roles)
    commands: list[tuple[str, p.PeopleCommand]] = [
        ("", p.Invite(invitation="first", roles=("owner",), expires=later(at, 3600))),
        ("", p.AcceptInvitation(account=owner, invitation="first", name=people[owner].name, password=_VAULT_NAME)),
    ]
    for name, person in people.items():
        if name != owner:
            commands.append((owner, p.CreateAccount(account=name, name=person.name, roles=in_order(person.roles))))
    known, drafts = accounts.People(), list[Draft]()
    for number, (by, command) in enumerate(commands):
        decision = decide_people(known, command, by=by, at=at)
        assert isinstance(decision, Decision), decision
        known = decision.after
        draft = Draft(
            stream=accounts.STREAM,
            expected=number,
            at=at,
            actor=by or ("visitor" if isinstance(command, p.AcceptInvitation) else THE_HOUSE.account),
            role="owner",
            id=str(number),
            command=Raw(json.encode(command)),
            events=Raw(json.encode(decision.events)),
        )
        drafts.append(draft)
    return drafts
