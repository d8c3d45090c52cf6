"""The API of forms: those of a gaming day, and each as it is printed, by any printer of the browser or by a till's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.history import RecordedAct
from passline.acts.judges.scene import Scene
from passline.acts.papers.form_codes import EntryMark
from passline.acts.printed_schema import Form
from passline.acts.rules import Person
from passline.acts.state import KnownThing, thing_key
from passline.acts.views.blind import acts_seen_by, state_seen_by
from passline.acts.views.forms import FormMatter, act_form, log_form, thing_form
from passline.acts.views.manual_slips import find_slip, manual_sheets, slip_key
from passline.documents.as_escpos import COLUMNS, COLUMNS_LEAST, COLUMNS_MOST, as_escpos
from passline.documents.sheet import PrintedSheet
from passline.extras import MissingExtra
from passline.office.views.day_forms import forms_of_day
from passline.office.views.kept_past import acts_done_to, acts_of_day, find_entry, find_filed, kept_acts, kept_past
from passline.streams.projection_store import ViewStore
from passline.web.api.openapi import query, refusals
from passline.web.api.papers import RegulationPath, day_in, facility_of, names_in, office_reader, sheet_response
from passline.web.server.responses import denial, json_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of forms."""
_FORMS = ("pdf", "html", "txt", "escpos")
_Form = Annotated[str, Path(min_length=1, max_length=64, examples=["fill_slip"])]
_Number = Annotated[str, Path(min_length=1, max_length=110, examples=["F-000001.pdf"])]
_DIGITS = 4
_SLIPS_MAX, _DIGITS_MAX = 200, 9
_RESPONSES = refusals(401, 403, 404, 409, 422, 503)


@router.get("/api/office/{name}/forms", openapi_extra=query(day="string"), responses=_RESPONSES)
async def forms(request: Request, name: RegulationPath) -> Response:
    """List the forms of a gaming day (`day`; without it, of this one) that its file has, in order."""
    scene, reader = await office_reader(request, name)
    facility = facility_of(scene)
    day = day_in(request.query_params.get("day", "")) or facility.gaming_day(scene.at)
    services = services_of(request)
    past, _ = await services.views.read(lambda views: kept_past(services.log, views, name, day, names_in(services)))
    pages, rules = scene.rules.pages, scene.rules
    found = [
        form
        for form in forms_of_day(past.day)
        if (rule := pages.forms.get(form.form)) and rules.is_seen_by(rule.thing, reader, scene.state)
    ]
    return json_response({"day": day.isoformat(), "forms": found})


@router.get("/api/office/{name}/forms/{form}/{number}", openapi_extra=query(columns="integer"), responses=_RESPONSES)
async def form(request: Request, name: RegulationPath, form: _Form, number: _Number) -> Response:
    """Return a form as it is printed, all its copies: with `.pdf`, `.html` or `.txt` after its number.

    With `.escpos` it comes as bytes for a thermal printer; `columns` says how wide its roll is (42 unless told).

    The number is that of its thing, such as F-000001, of its act, or for a log the gaming day. With the number of a
    manual slip, such as MF-000001 or MF-000001..MF-000020, they come blank, to be written on in an outage.
    """
    named, _, kind = number.rpartition(".")
    if kind not in _FORMS or not named:
        raise denial(404, "say after the number how it is printed: .pdf, .html, .txt or .escpos", "office")
    sheets = await _form_sheets(request, name, form, named)
    if kind != "escpos":
        return await sheet_response(kind, form, *sheets)
    try:
        return Response(as_escpos(*sheets, columns=_columns(request)), media_type="application/octet-stream")
    except MissingExtra as error:
        raise denial(409, str(error), "office") from error


def _columns(request: Request) -> int:
    """Return how many characters a line of the printer's roll has."""
    text = request.query_params.get("columns", str(COLUMNS))
    if not (text.isdecimal() and len(text) < _DIGITS and COLUMNS_LEAST <= int(text) <= COLUMNS_MOST):
        why = f"columns: {text[:20]!r} is not from {COLUMNS_LEAST} to {COLUMNS_MOST}, as many as a line of the roll has"
        raise denial(422, why)
    return int(text)


async def _form_sheets(request: Request, name: str, form: str, number: str) -> Sequence[PrintedSheet]:
    """Return a form by its number; raise Denied if there is none, or the sender may not read it."""
    scene, reader = await office_reader(request, name)
    services, rule = services_of(request), scene.rules.pages.forms.get(form)
    if rule is None:
        known = ", ".join(scene.rules.pages.forms)
        raise denial(404, f"this office has no form {form[:40]!r}; it has {known}", "office")
    if not scene.rules.is_seen_by(rule.thing, reader, scene.state):
        raise denial(404, f"this office has no {rule.name.lower()} {number[:40]!r}", "office")
    matter = FormMatter(
        rules=scene.rules,
        state=state_seen_by(scene, reader),
        facility=facility_of(scene),
        names=names_in(services),
    )
    if rule.manual and number.startswith(f"{rule.manual}-"):
        slips, office = _slips_asked(matter, form, number), scene.rules.name
        sheets, _ = await services.views.read(
            lambda views: [
                sheet
                for slip in slips
                for sheet in manual_sheets(matter, slip, find_entry(services.log, views, office, slip_key(slip)))
            ]
        )
        return sheets
    if rule.is_log:
        day = day_in(number)
        assert day is not None
        acts, _ = await services.views.read(lambda views: acts_of_day(services.log, views, name, matter.facility, day))
        return log_form(matter, form, day, [*acts_seen_by(scene, reader, acts)])
    reading = _Reading(services, scene, reader, rule)
    if rule.thing:
        (thing, found, entry), _ = await services.views.read(lambda views: reading.thing(views, matter, number))
        if thing is not None:
            return thing_form(matter, form, thing, found, entry)
    elif number.isdecimal():
        (act, entry), _ = await services.views.read(lambda views: reading.act(views, int(number[:18])))
        if act is not None:
            return act_form(matter, form, act, entry)
    raise denial(404, f"this office has no {rule.name.lower()} {number[:40]!r}", "office")


def _slips_asked(matter: FormMatter, form: str, numbers: str) -> list[KnownThing]:
    """Return manual slips by their number, or by the first and the last; raise Denied if one was never printed."""
    first, _, last = numbers.partition("..")
    ends = [end.rpartition("-") for end in (first, last or first)]
    if ends[0][0] != ends[1][0] or not all(end[2].isdecimal() and len(end[2]) <= _DIGITS_MAX for end in ends):
        raise denial(422, f"{numbers[:40]!r} is not the number of a slip, or FIRST..LAST of one kind", "office")
    low, high = (int(end[2]) for end in ends)
    if not low <= high < low + _SLIPS_MAX:
        raise denial(422, f"print at most {_SLIPS_MAX} slips at a time, the first number before the last", "office")
    found = list[KnownThing]()
    for number in (f"{ends[0][0]}-{place:06}" for place in range(low, high + 1)):
        slip = find_slip(matter.rules, matter.state, number)
        if slip is None or slip.facts.get("form") != form:
            raise denial(404, f"there is no manual slip {number} of this form at hand: have it printed first", "office")
        found.append(slip)
    return found


class _Reading:
    """Finds what a form is printed from, as somebody may see it."""

    def __init__(self, services: Services, scene: Scene, reader: Person, rule: Form) -> None:
        self._log, self._scene, self._reader, self._rule = services.log, scene, reader, rule
        self._office = scene.rules.name

    def thing(
        self, views: ViewStore, matter: FormMatter, number: str
    ) -> tuple[KnownThing | None, list[RecordedAct], EntryMark | None]:
        """Return a thing, filed or not, the acts that were done to it, and the entry that made it."""
        subject = thing_key(self._rule.thing, number)
        filed = find_filed(views, self._office, [subject]).get(subject)
        acts = acts_done_to(self._log, views, self._office, subject)
        seen = [*acts_seen_by(self._scene, self._reader, acts)]
        return filed or matter.state.things.get(subject), seen, find_entry(self._log, views, self._office, subject)

    def act(self, views: ViewStore, number: int) -> tuple[RecordedAct | None, EntryMark | None]:
        """Return an act of the form, and its entry."""
        acts = kept_acts(self._log, views, self._office, [number]).values()
        seen = [act for act in acts_seen_by(self._scene, self._reader, acts) if act.done.act in self._rule.acts]
        return seen[0] if seen else None, find_entry(self._log, views, self._office, f"act/{number}")
