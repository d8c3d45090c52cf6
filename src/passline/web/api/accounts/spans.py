"""The periods that the API of accounts is asked for: this gaming day, or the one that the query names."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct
from starlette.requests import Request

from passline.office.accounts.account import Period, Span
from passline.office.judges.scene import Scene
from passline.web.api.papers import form_of, office_scene
from passline.web.api.tables import query_text
from passline.web.server.responses import denial

__all__ = ["PERIOD_NAMES", "AskedFor", "asked_for"]

PERIOD_NAMES: tuple[str, ...] = get_args(Period)
"""The periods that can be asked for."""


class AskedFor(Struct, frozen=True):
    """What a reader asks for."""

    scene: Scene
    period: Period
    span: str
    form: str


async def asked_for(request: Request, name: str, default: Period = "day") -> AskedFor:
    """Return the office, period and form that somebody asks for; raise Denied if they may not read it."""
    scene, form = await office_scene(request, name), form_of(request)
    period = query_text(request, "period") or default
    for known in get_args(Period):
        if known == period:
            return AskedFor(scene, known, query_text(request, "span") or _now(scene, known), form)
    raise denial(422, f"period: {period[:20]!r} is not one of {', '.join(PERIOD_NAMES)}")


def _now(scene: Scene, period: Period) -> str:
    facility, at = scene.state.facility, scene.at
    if facility is None:
        return Span(at[:10]).named(period)
    return Span(facility.gaming_day(at).isoformat(), facility.shift_of(at).name).named(period)
