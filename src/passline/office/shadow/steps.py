"""The acts that the lines of a month stand for: each at its time, by the people that its line names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.office.shadow.month import Month, MonthLine, moment_of


class MonthStep(Struct, frozen=True, kw_only=True):
    """An act that a line stands for."""

    line: MonthLine
    at: str  # as a moment of the log
    act: str
    by: str  # empty: nobody is named
    things: tuple[str, ...] = ()
    fields: dict[str, Any] = {}
    signed: dict[str, str] = {}  # by part, whoever the line names
    counted: dict[str, dict[str, Any]] = {}  # by part, what they counted
    slip: str = ""  # of a slip, its number in the other system


def month_steps(month: Month) -> Iterator[MonthStep]:
    """Yield the acts that the lines stand for."""
    facility = month.head.facility
    for line in month.lines["slips.csv"]:
        yield from _slip_steps(line, facility)
    for line in month.lines["inventories.csv"]:
        counted = {"second": {"chips": line.units("second_chips")}} if line["second_chips"] else {}
        yield MonthStep(
            line=line,
            at=moment_of(facility, line["at"]),
            act=f"count_{line['kind']}",
            by=line["counted_by"],
            things=(line["table"],),
            fields={"chips": line.units("chips"), "shift": line["shift"]},
            signed=_signers(second=line["second_by"]),
            counted=counted,
        )
    for line in month.lines["drops.csv"]:
        put_on = {"drop_box": line["box_on"]} if line["box_on"] else {"no_box": True}
        yield MonthStep(
            line=line,
            at=moment_of(facility, line["at"]),
            act="drop_table",
            by=line["dropped_by"],
            things=(line["table"],),
            fields={"shift": line["shift"], "dropped": line["box_off"], **put_on},
            signed=_signers(viewer=line["viewer"]),
        )
    for line in month.lines["boxes.csv"]:
        yield from _box_steps(line, facility, has_slips="slips" in month.columns["boxes.csv"])


def _slip_steps(line: MonthLine, facility: Facility) -> Iterator[MonthStep]:
    """Yield the acts of a slip: asked for, made up, carried, accepted; or void."""
    kind, slip = line["kind"], line["slip"]
    asked, ended = (moment_of(facility, line[at]) if line[at] else "" for at in ("requested_at", "accepted_at"))
    fields = {"table": line["table"], "units": line.units("chips")}
    yield MonthStep(line=line, at=asked, act=f"request_{kind}", by=line["requested_by"], fields=fields, slip=slip)
    if line["void_by"]:
        void = _signers(witness=line["void_witness"])
        why = {"reason": "void in the other system"}
        yield MonthStep(
            line=line,
            at=asked,
            act=f"void_{kind}",
            by=line["void_by"],
            things=(slip,),
            fields=why,
            signed=void,
            slip=slip,
        )
    elif ended:
        signed = _signers(supervisor=line["supervisor"])
        for act in ("prepare", "carry", "accept"):
            by = line[{"prepare": "prepared_by", "carry": "carried_by", "accept": "accepted_by"}[act]]
            at = asked if act == "prepare" else ended
            yield MonthStep(line=line, at=at, act=f"{act}_{kind}", by=by, things=(slip,), signed=signed, slip=slip)
    else:
        yield MonthStep(line=line, at=asked, act=f"prepare_{kind}", by=line["prepared_by"], things=(slip,), slip=slip)


def _box_steps(line: MonthLine, facility: Facility, *, has_slips: bool) -> Iterator[MonthStep]:
    """Yield the acts of a box in the count room: its slips are matched, if the file has them, and it is counted."""
    team, at = line.people("team"), moment_of(facility, line["at"])
    second = line["second_by"] or (team[1] if len(team) > 1 else "")
    found = {"found": line["slips"].split()} if has_slips else {}  # without the column, those that belong in it
    signed = _signers(second=second)
    yield MonthStep(line=line, at=at, act="match_slips", by=team[0], things=(line["box"],), fields=found, signed=signed)
    again = {"cash": line.units("second_cash")} if line["second_cash"] else {}
    yield MonthStep(
        line=line,
        at=at,
        act="count_box",
        by=team[0],
        things=(line["box"],),
        fields={"cash": line.units("cash"), "team": team},
        signed=_signers(second=second, cage=line["cage_by"], third=team[2] if len(team) > 2 else ""),  # noqa: PLR2004
        counted={"second": again} if again else {},
    )


def _signers(**signers: str) -> dict[str, str]:
    return {part: person for part, person in signers.items() if person}
