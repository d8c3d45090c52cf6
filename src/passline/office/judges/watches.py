"""Watches: standing conditions that the server looks after, and the incidents that broken ones open."""

from __future__ import annotations

from passline.office import events as e
from passline.office.judges.conditions import unmet_conditions
from passline.office.judges.scene import ActFault, Scene, Verdict
from passline.office.state import thing_key

__all__ = ["watched"]


def watched(scene: Scene, open_tables: tuple[str, ...]) -> Verdict:
    """Return which watches are newly broken or hold again; refuse to write down that nothing has changed."""
    events: list[e.OfficeEvent] = []
    incidents = scene.state.incidents
    for name, watch in scene.rules.pages.watches.items():
        for known in scene.state.of_kind(watch.thing, watch.states):
            is_open = watch.thing != "table" or not watch.needs.on_duty or known.id in open_tables
            thing = thing_key(known.kind, known.id)
            was_broken = f"{name}|{thing}" in scene.state.broken
            faults = unmet_conditions({name: watch.needs}, [known], scene) if is_open else []
            if faults and not was_broken:
                incidents += 1
                events.append(e.WatchBroken(name, thing))
                events.append(e.IncidentOpened(f"I-{incidents}", faults[0].clause, faults[0].why, thing))
            elif was_broken and not faults:
                events.append(e.WatchMended(name, thing))
    return events or [ActFault("office", "nothing has changed")]
