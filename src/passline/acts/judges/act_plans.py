"""What the pages say of an act, worked out once, so that judges that do not concern the act can be skipped."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.page_memo import kept_with_page
from passline.acts.rules import ActRules
from passline.acts.schema import Act, Telling
from passline.rules.schema import clause_text


class ActPlan(Struct, frozen=True):
    """An act, and which judges concern it."""

    act: Act
    clause: str
    roles: frozenset[str]  # who has one of them may do it, and is not asked for more
    is_word: bool  # it records the word of an outside body
    telling: Telling | None  # how it is told later than it happened
    is_prompt: bool  # done at once, it counts from its entry, whatever was owed before
    has_needs: bool
    is_once: bool  # a document, a scan or a text of it serves no other act
    series: bool  # the office numbers what it makes


def act_plan(rules: ActRules, name: str) -> ActPlan | None:
    """Return what the pages say of an act; None: there is no such act."""
    plans = _plans(rules)
    if (plan := plans.get(name)) is None and (act := rules.act(name)) is not None:
        plan = plans[name] = _made_plan(rules, name, act)
    return plan


@kept_with_page
def _plans(_rules: ActRules) -> dict[str, ActPlan]:
    return {}


def _made_plan(rules: ActRules, name: str, act: Act) -> ActPlan:
    groups = [rules.group(group) for group in act.by]
    plain = [group.roles for group in groups if not group.body and not group.designated]
    has_proof = act.batch is not None and bool(act.batch.proof)
    return ActPlan(
        act,
        clause_text(act.cite),
        frozenset() if act.in_batch else frozenset(role for roles in plain for role in roles),
        rules.effect_of(name) is not None,
        rules.telling_of(act),
        not (act.on_paper or act.unlogged or rules.begins_clocks(name)),
        bool(act.needs or act.like or act.keeps),
        has_proof or any(field.once or field.repeated for field in act.fields.values()),
        bool(act.new and act.thing and rules.pages.things[act.thing].series),
    )
