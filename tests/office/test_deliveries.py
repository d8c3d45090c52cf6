"""Every act that speaks for an outside body or tells it something: who records it, what proves it, what it serves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.check import office_problems
from passline.acts.rules import SECOND, ActRules, office_of
from passline.acts.schema import Act, BodyWords
from passline.refusal import Refused
from tests.office.bare import BareOffice

_OFFICES = ("arizona", "colorado", "maryland", "section2")
_EFFECTS = {"favourable", "delivery", "notice"}  # what the house may not say alone


def _speaking(rules: ActRules) -> Iterator[str]:
    """The acts that are done by a body, tell one, are owed to one, or are named after one."""
    owed = {
        act
        for clock in rules.pages.clocks.values()
        if any(rules.group(group).body for group in (*clock.to, clock.owes))
        for act in clock.met
    }
    for key, act in rules.pages.acts.items():
        choices = {choice for field in act.fields.values() for choice in field.of}
        is_named = any(re.search(rf"\b{re.escape(body)}\b", act.name) for body in rules.bodies)
        is_told = rules.body_of((*act.by, *act.tells)) or key in owed or choices & {*rules.bodies}
        if (is_told or is_named) and not act.corrects:
            yield key


def _is_signed_by_body(rules: ActRules, act: Act) -> bool:
    return any(rules.body_of(sign.by) for sign in act.signs.values())


@pytest.mark.parametrize("name", _OFFICES)
def test_every_act_that_speaks_for_a_body_or_tells_one_says_what_it_does(name: str) -> None:
    rules = office_of(name)
    found = [*_speaking(rules)]
    unsaid = [key for key in found if not rules.effect_of(key) and not _is_signed_by_body(rules, rules.pages.acts[key])]
    assert not unsaid, "write them into words.toml: favourable, unfavourable, delivery or notice"
    for key in found:
        act, effect = rules.pages.acts[key], rules.effect_of(key)
        telling = rules.telling_of(act)
        assert telling is not None, key
        assert telling.within is not None, f"{key}: has no bound for telling it later"
        assert (SECOND in act.signs) == (effect in _EFFECTS), key


def test_the_search_finds_acts_to_speak_of() -> None:
    """Else the test above could not fail."""
    found = {*_speaking(office_of("arizona"))}
    assert len(found) > 60
    assert {"notify_removal", "submit_house", "report_discrepancy", "inspect_table"} <= found


def test_a_page_that_leaves_one_out_is_a_problem() -> None:
    rules = office_of("maryland")
    words = {effect: replace(of, acts=tuple(act for act in of.acts if act != "submit_layout"))
             for effect, of in rules.pages.words.items()}  # fmt: skip
    problems = office_problems(ActRules(rules.name, rules.digest, replace(rules.pages, words=words)))
    assert problems == ["words: submit_layout speaks for the Commission, or tells it something: say what it does"]
    other = {**rules.pages.words, "notice": BodyWords(acts=("draft_house",), cite="practice")}
    wrong = office_problems(ActRules(rules.name, rules.digest, replace(rules.pages, words=other)))
    assert "words.notice: draft_house is done by no outside body, and tells none" in wrong


_WORDS = [
    (name, effect, key)
    for name in _OFFICES
    for effect, words in office_of(name).pages.words.items()
    if effect in _EFFECTS
    for key in words.acts
]


@pytest.mark.parametrize(("name", "effect", "act"), _WORDS, ids=[f"{name}-{act}" for name, _, act in _WORDS])
def test_nobody_alone_says_what_a_body_did_or_was_told(name: str, effect: str, act: str) -> None:
    """Without a document it is refused; one person's word waits for another; the document serves nothing else."""
    office = BareOffice(name)
    things = office.put(act)
    why = str(office.tells(act, things, document=""))
    assert "proves it" in why if effect == "notice" else "record it from its paper" in why, why
    answer = office.tells(act, things, document="a" * 64)
    assert not isinstance(answer, Refused), answer
    (done,) = [event for event in answer if isinstance(event, e.ActDone)]
    assert (done.waits, done.word, done.told, done.serves) == ((SECOND,), effect, "house", ("a" * 64,))
    assert done.body in office.rules.bodies
    assert not any(isinstance(event, e.ActCompleted) for event in answer)
    own = office.send(c.SignAct(number=done.number, part=SECOND), done.by, done.by)
    assert "it must be signed by somebody other than" in str(own)
    office.sign_all()
    assert office.state.mark(act, f"{done.kind}/{done.things[0]}" if done.things else "") is not None
    assert "a paper serves one act" in str(office.tells(act, office.put(act), document="a" * 64))
    left = office.send(c.LeaveOut(items=(f"acts.{act}.signs.{SECOND}",)), "owner1")
    assert "it cannot be left out" in str(left)
