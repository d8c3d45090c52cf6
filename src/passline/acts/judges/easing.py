"""Settings that make something late count as on time, or let an outside body's time to answer run out.

Deadlines are computed from the log, so a new calendar or length also moves deadlines that are over. Such a setting is
accepted, and opens an incident.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.acts import events as e
from passline.acts.clocks import Running, clocks_at
from passline.acts.commands import ActCommand
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.state import ActState, fold
from passline.authority.duties import name_of
from passline.rules.schema import clause_text

_LATE = frozenset({"overdue", "late"})
_SHOWN = 6


def with_easing(scene: Scene, command: ActCommand, verdict: Verdict, people: Iterable[str]) -> Verdict:
    """Return the events of a setting that `people` gave, with an incident if it changes what was late."""
    control = scene.rules.pages.controls.get(name_of(command))
    events = [event for event in verdict if not isinstance(event, ActFault)]
    if control is None or not control.eases or scene.state.facility is None or len(events) < len(verdict):
        return verdict
    eased = _clocks_eased(scene, fold(scene.state, scene.at, events))
    if not eased:
        return verdict
    more = f" and {len(eased) - _SHOWN} more" if len(eased) > _SHOWN else ""
    why = f"{control.eases}: {'; '.join(eased[:_SHOWN])}{more}"
    number, involved = scene.state.incidents + 1, tuple(dict.fromkeys(filter(None, people)))
    return [*events, e.IncidentOpened(f"I-{number}", clause_text(control.cite), why, "", people=involved)]


def _clocks_eased(scene: Scene, after: ActState) -> list[str]:
    """Return the clocks that were late and are not by a setting, and those whose silence is consent by it alone."""
    clocks, before = scene.rules.pages.clocks, _late_clocks(scene, scene.state)
    now = _late_clocks(scene, after)
    changed = [running for key, running in before.items() if key not in now and clocks[key[0]].ends != "deemed"]
    changed += [running for key, running in now.items() if key not in before and clocks[key[0]].ends == "deemed"]
    return [" ".join(filter(None, (clocks[clock.clock].name, clock.subject.replace("/", " ")))) for clock in changed]


def _late_clocks(scene: Scene, state: ActState) -> dict[tuple[str, str], Running]:
    running: Sequence[Running] = clocks_at(scene.rules, state, scene.at)
    return {(clock.clock, clock.subject): clock for clock in running if clock.status in _LATE}
