"""The API of dice: what the rolls of each physical set say against it, as a curve."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.state import DICE_ALARM, DICE_ALARM_ONE_IN
from passline.bookkeeping.dice_kept import find_alarmed, find_dice_sets, find_unaccounted
from passline.bookkeeping.dice_power import SetLife, found_by_now, life_hours
from passline.bookkeeping.dice_sets import DiceSet
from passline.documents.sheet import SheetTable
from passline.exact.dice_faults import false_alarms_a_year
from passline.office.runtime import AlarmedDice
from passline.streams.projection_store import ViewReader
from passline.tables.views.recall import Pace, find_hands, pace_of
from passline.web.api.openapi import READ_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, form_of, office_scene
from passline.web.api.tables import query_text
from passline.web.server.responses import page_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The route of the evidence against dice."""
_HANDS = 40


@router.get(
    "/api/office/{name}/dice-evidence", openapi_extra=query(table="string", format=FORMS), responses=READ_REFUSALS
)
async def dice_evidence(request: Request, name: RegulationPath) -> Response:
    """List the sets of physical dice with the evidence against each: all of one `table`, or the newest of every table.

    A set alarms when its evidence comes to its own `bound`: `one_in` times the most sets of its size that were in use
    together with its dice. The `bound` of the house is that of the sets in use now, for one that begins now. Points of
    a curve are rolls, the natural logarithm of the evidence after them, and the entry. `found` says with which chance
    each of several faults would have been found by now, by each of the `parts` and in the `life` of the set.
    """
    scene, form, table = await office_scene(request, name), form_of(request), query_text(request, "table")

    def look(views: ViewReader) -> tuple[list[DiceSet], int, dict[str, Pace]]:
        in_use = len(find_dice_sets(views, name, in_use=True))
        found = find_dice_sets(views, name, table=table)
        shown = [
            dice_set for dice_set in found if dice_set.rolled or dice_set.is_in_use
        ]  # dice may lie in a cup at a closed table
        paces = {id_: pace_of(find_hands(views, id_, limit=_HANDS)) for id_ in {dice_set.table for dice_set in shown}}
        return shown, in_use, paces

    (found, in_use, paces), seen = await services_of(request).views.read(look)
    one_in = int(scene.state.values.get(DICE_ALARM, DICE_ALARM_ONE_IN))
    if form != "json":
        return as_list(_table(found), form, "dice-evidence")
    hours = life_hours(name, scene.state.values, scene.state.facility, at=scene.at)
    fields = {
        "one_in": one_in,
        "in_use": in_use,
        "bound": one_in * max(in_use, 1),
        "life_hours": hours,
        "false_alarms_a_year": false_alarms_a_year(one_in=max(one_in, 1), hours=hours) if hours else None,
        "sets": [_set_fields(dice_set, one_in, _life(hours, paces[dice_set.table])) for dice_set in found],
    }
    return page_response(fields, seen)


def alarmed_in(services: Services) -> AlarmedDice:
    """Return what finds the sets of dice that came to the alarm."""

    async def find(rules: str) -> list[DiceSet]:
        return (await services.views.read(lambda views: find_alarmed(views, rules)))[0]

    return find


def unaccounted_in(services: Services) -> AlarmedDice:
    """Return what finds the sets that were thrown after the papers took their dice away."""

    async def find(rules: str) -> list[DiceSet]:
        return (await services.views.read(lambda views: find_unaccounted(views, rules)))[0]

    return find


def _life(hours: float | None, pace: Pace) -> SetLife | None:
    return SetLife(hours, round(hours * pace.rolls_an_hour), pace) if hours else None


def _set_fields(dice_set: DiceSet, one_in: int, life: SetLife | None) -> dict[str, object]:
    return {
        "table": dice_set.table,
        "number": dice_set.number,
        "subject": f"{dice_set.table}/{dice_set.number}",
        "at": dice_set.at,
        "dice": dice_set.dice,
        "rolls": dice_set.rolls,
        "evidence": dice_set.value,
        "log": dice_set.log_value,
        "parts": [
            {"names": line.names, "rolls": line.evidence.rolls, "evidence": line.evidence.value}
            for line, _ in dice_set.shares
        ],
        "life": life,
        "found": found_by_now(dice_set, one_in=one_in, life=life),
        "highest_log": dice_set.highest,
        "bound": one_in * dice_set.sets,
        "is_in_use": dice_set.is_in_use,
        "alarm": dice_set.alarm,
        "counts": dice_set.counts,
        "curve": dice_set.curve,
        "first": dice_set.first_sequence,
        "last": dice_set.last_sequence,
    }


def _table(found: list[DiceSet]) -> SheetTable:
    return SheetTable(
        title="Evidence against dice",
        heads=(
            "table",
            "set",
            "dice",
            "in play since",
            "rolls",
            "evidence",
            "in use",
            "alarm at entry",
            "first",
            "last",
        ),
        rows=tuple(
            (
                *(
                    dice_set.table,
                    dice_set.number,
                    ", ".join(dice_set.dice),
                    dice_set.at,
                    dice_set.rolls,
                    f"{dice_set.value:.4g}",
                ),
                *("yes" if dice_set.is_in_use else "no", dice_set.alarm.sequence if dice_set.alarm else None),
                *(dice_set.first_sequence, dice_set.last_sequence),
            )
            for dice_set in found
        ),
        nothing="No physical dice were thrown.",
    )
