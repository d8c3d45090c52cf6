"""Comps that a patron has earned: a share of what the play of a gaming day was worth, credited when it is over."""

from __future__ import annotations

from datetime import date

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.judges.paying import CENT
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.noted import COMP_DAY, COMP_SHARE, COMP_STOCK, COMPS_EARNED, comp_day
from passline.acts.state import thing_key

_PERCENT = 100
_CREDITED = "credited"


def note_comp(scene: Scene, command: c.NoteComp) -> Verdict:
    """Return that a patron earned comps for a gaming day; refuse what is known, and a day that goes on or is filed.

    The share of a gaming day is the one that held when its comps were first noted. What turns out to be too much is
    taken back as far as it was not given yet.
    """
    state, facility = scene.state, scene.state.facility
    assert facility is not None
    share = scene.rules.figure(state, COMP_SHARE)
    if share is None or COMP_DAY not in scene.rules.pages.things:
        return [ActFault("office", "nobody has said which share of theoretical win is given back in comps")]
    if state.thing("patron", command.patron) is None:
        return [ActFault("office", f"no patron {command.patron} is on record")]
    if date.fromisoformat(command.day) >= facility.gaming_day(scene.at):
        return [ActFault("office", f"the gaming day {command.day} is not over: its comps are credited after it")]
    name, place = comp_day(command.patron, command.day), thing_key("patron", command.patron)
    known = state.thing(COMP_DAY, name)
    if known is not None and not known.facts:
        return [ActFault("office", f"the comps of {command.day} were filed: nothing of them changes")]
    before = known.facts if known else {"theoretical": 0, "share": share, "earned": 0}
    if command.theoretical == before["theoretical"]:
        return [ActFault("office", "nothing has changed")]
    left = state.stocks.get(COMP_STOCK, {}).get(place, {}).get(CENT, 0)
    wanted = max(command.theoretical, 0) * before["share"] // _PERCENT
    moved = max(wanted - before["earned"], -left)
    earned = before["earned"] + moved
    facts = {"patron": command.patron, "gaming_day": command.day, "theoretical": command.theoretical}
    facts |= {"share": before["share"], "earned": earned}
    ends = (COMPS_EARNED, place) if moved > 0 else (place, COMPS_EARNED)
    move = e.StockMove(COMP_STOCK, *ends, {CENT: abs(moved)})
    return [e.CompEarned(e.Change(COMP_DAY, name, _CREDITED, facts), move)]
