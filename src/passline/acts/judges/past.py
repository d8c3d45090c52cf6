"""The recent past of things, kept where their page says so, to judge an act that is recorded late as of its moment."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.judges.scene import Scene
from passline.acts.state import KnownThing

PAST = "earlier"
"""The fact of a thing with what it was, each with the moment until which."""
_STATE, _UNTIL = "state", "until"
_KEPT_MAX = 12


def recalling_change(scene: Scene, done: e.ActDone, change: e.Change) -> e.Change:
    """Return the change that an act makes to a thing; where its page wants the past kept, with what it was before."""
    rule = scene.rules.pages.things.get(change.kind)
    if rule is None or not rule.recalls:
        return change
    known = scene.state.thing(change.kind, change.id)
    was = {key: _word_of(known, key) for key in rule.recalls}
    if {key: change.state if key == _STATE else change.facts.get(key, was[key]) for key in was} == was:
        return change
    earlier = list[dict[str, Any]]((known.facts.get(PAST) or ()) if known else ())
    kept = [*earlier, {_UNTIL: done.occurred, **was}][-_KEPT_MAX:]
    return replace(change, facts={**change.facts, PAST: kept})


def thing_at(known: KnownThing, moment: str) -> KnownThing:
    """Return a thing as it was at a moment, as far as its past is kept.

    >>> die = KnownThing("die", "A1", "lost", {PAST: [{"until": "2026-03-02T17", "state": "stored"}]}, "2026-03-02T18")
    >>> thing_at(die, "2026-03-02T16").state, thing_at(die, "2026-03-02T17").state
    ('stored', 'lost')
    """
    was = next((was for was in known.facts.get(PAST) or () if was[_UNTIL] > moment), None)
    if was is None:
        return known
    facts = {key: word for key, word in was.items() if key not in {_STATE, _UNTIL}}
    return replace(known, state=was.get(_STATE, known.state), facts={**known.facts, **facts})


def _word_of(known: KnownThing | None, key: str) -> Any:  # noqa: ANN401 - as a fact has it
    """Return what is known of a thing; of one that was not there yet, nothing."""
    if known is None:
        return ""
    return known.state if key == _STATE else known.facts.get(key, "")
