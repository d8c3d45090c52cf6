"""What a tournament's office must have before its first round, and whether this server asks for it."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.judges.gates import gate_items
from passline.acts.judges.scene import Scene
from passline.acts.schema import ActPages
from passline.authority.roles import OWNER
from passline.rules.schema import clause_text

START = "start_tournament"
"""The gate of the office that a tournament's first round passes."""


class StartCheck(Struct, frozen=True):
    """One thing that must hold before the first round, what is wrong with it, and the act that mends it."""

    clause: str
    says: str  # what is wrong if it does not hold
    wrong: tuple[str, ...]  # nothing where it holds, or where it is not checked here
    act: str  # what it is called
    by: tuple[str, ...]  # who may do it
    path: str  # of the page on which it is done; empty where this server keeps no office


class StartChecks(Struct, frozen=True):
    """All checks before the first round, and whether this server makes them."""

    is_checked: bool
    items: tuple[StartCheck, ...]


def start_checks(scene: Scene, tournament: str, *, is_checked: bool) -> StartChecks:
    """Return what must hold before the first round of a tournament, what is wrong first.

    Where this server keeps no office nothing is looked at: all of it is for whoever keeps it.
    """
    pages, name = scene.rules.pages, scene.rules.name
    gate = pages.gates.get(START)
    if gate is None:
        return StartChecks(is_checked, ())
    if is_checked and scene.state.facility is None:
        why = f"the office of {name} is kept here and not set up"
        missing = StartCheck("practice", why, (why,), "Set up the office", (OWNER,), f"/office/{name}/set-up")
        return StartChecks(is_checked, (missing,))
    found = []
    wrong = {item.key: item.wrong for item in gate_items(scene, START, tournament)} if is_checked else {}
    for key, condition in gate.items.items():
        if is_checked and key not in wrong:  # the house has elected to do without it
            continue
        act = pages.acts.get(condition.mend)
        path = f"/office/{name}/{act.page}#{condition.mend}={tournament}" if act and is_checked else ""
        done = act.name if act else ""
        by = tuple(_name(pages, group) for group in act.by) if act else ()
        check = StartCheck(clause_text(condition.cite), condition.says, wrong.get(key, ()), done, by, path)
        found.append(check)
    return StartChecks(is_checked, tuple(sorted(found, key=lambda check: not check.wrong)))


def _name(pages: ActPages, group: str) -> str:
    """Return how people call whoever may do an act: an outside body by its name."""
    known = pages.roles.get(group)
    return known.body if known and known.body else group.replace("_", " ")
