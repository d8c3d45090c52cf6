"""Which acts bring a thing into another state, and what a table's gate asks of people who are not named yet."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from passline.acts.judges.gates import OPENING, gate_path
from passline.acts.schema import ActPages, Condition


def fewest_acts(pages: ActPages, kind: str, states: Sequence[str], state: str) -> list[str]:
    """Return the shortest list of acts that brings a thing from `state` ("": it does not exist yet) into `states`.

    >>> from passline.acts.rules import office_of
    >>> fewest_acts(office_of("arizona").pages, "person", ["on_duty"], "")
    ['enter_employee', 'go_on_duty']
    """
    ways: dict[str, list[str]] = {state: []}
    front = [state]
    while front:
        found = list[str]()
        for here in front:
            for key, target in _moves_from(pages, kind, here):
                if target not in ways:
                    ways[target] = [*ways[here], key]
                    found.append(target)
                    if not states or target in states:
                        return ways[target]
        front = found
    return []


def _moves_from(pages: ActPages, kind: str, state: str) -> Iterator[tuple[str, str]]:
    for key, act in pages.acts.items():
        if act.corrects or act.in_batch or act.prints is not None:
            continue
        if (
            act.thing == kind
            and act.to
            and (act.new if not state else not act.new and state in (act.states or (state,)))
        ):
            yield key, act.to
        for field in act.fields.values() if state and act.thing != kind else ():
            if field.type in {"thing", "things"} and field.to and field.of[:1] == (kind,) and state in field.states:
                yield key, field.to


def asked_of_named(pages: ActPages, field: str, left_out: Container[str]) -> list[Condition]:
    """Return what the opening gate of a table asks of whoever a field will name.

    >>> from passline.acts.rules import office_of
    >>> [item.says for item in asked_of_named(office_of("arizona").pages, "boxperson", ())][-1]
    'is not on duty as its boxperson'
    """
    return [
        item
        for key, item in pages.gates[OPENING].items.items()
        if field in ((item.of,) if isinstance(item.of, str) else item.of)
        and (item.state or item.valid)
        and item.kind == "person"
        and not (item.when or item.sole)
        and gate_path(OPENING, key) not in left_out
    ]
