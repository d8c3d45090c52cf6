"""The API of what an office has on record: things, their history, stocks, cash, and what can be counted now."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.calendar.shifts import ending_shift
from passline.acts.history import RecordedAct
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.state import thing_key
from passline.acts.views.blind import acts_seen_by, hidden_places, state_seen_by
from passline.acts.views.counts import counts_of
from passline.acts.views.lists import acts_table, stocks_table, things_table
from passline.acts.views.thing_history import ThingPast, acts_about, history_of
from passline.authority.duties import may_not, role_list
from passline.authority.roles import in_order
from passline.bookkeeping.period_sums import PeriodSum
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import GAMING_DAY
from passline.documents.as_text import listed_rows
from passline.office.excluded import exclusions_table
from passline.office.runtime import CashOf
from passline.office.views.cage import aging_table
from passline.office.views.cash import CASH_LOG, CashPart, cash_of_buy_ins, cash_table, transactions_table
from passline.office.views.kept_past import (
    find_acts_about,
    find_cash,
    find_filed,
    find_incidents,
    kept_acts,
)
from passline.office.views.kept_results import find_results, find_to_date
from passline.office.views.results import (
    KEPT_SUMS,
    crew_in_words,
    grouped_sums,
    results_json,
    sums_by_game,
    sums_table,
)
from passline.streams.projection_store import ViewStore
from passline.tables.views.buy_ins import find_buy_ins
from passline.web.api.openapi import READ_REFUSALS, SET_UP_REFUSALS, query
from passline.web.api.papers import (
    FORMS,
    RegulationPath,
    as_list,
    facility_of,
    form_of,
    names_in,
    office_reader,
    office_scene,
    staff_of,
)
from passline.web.api.tables import query_text
from passline.web.server.responses import denial, json_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of these lists."""
_Kind = Annotated[str, Path(min_length=1, max_length=60, examples=["table"])]
_Thing = Annotated[str, Path(min_length=1, max_length=100, examples=["craps-1"])]
_ACTS = 500  # of the history of a thing at once
_DIGITS = 12
_PERIODS = ("day", "month", "year")
_BY = ("table", "pit", "game", "shift", "crew", "day", "month")


def _check_seen(scene: Scene, reader: Person, kind: str) -> None:
    """Raise Denied if somebody may not read of a kind of thing."""
    if not scene.rules.is_seen_by(kind, reader, scene.state):
        seen_by = scene.rules.words(scene.rules.pages.things[kind].seen_by)
        raise denial(403, may_not(role_list(in_order(reader.roles)), "read this", seen_by), "duties")


@router.get(
    "/api/office/{name}/things/{kind}", openapi_extra=query(state="string", format=FORMS), responses=READ_REFUSALS
)
async def things(request: Request, name: RegulationPath, kind: _Kind) -> Response:
    """List the things of a kind, with all that is known of them; `state` leaves out others, `format` makes a file.

    Whoever is to count something without seeing the book is not shown what was counted of it last.
    """
    scene, reader = await office_reader(request, name)
    if kind not in scene.rules.pages.things:
        known = ", ".join(scene.rules.pages.things)
        raise denial(404, f"this office keeps no {kind[:40]!r}; it keeps {known}", "office")
    _check_seen(scene, reader, kind)
    seen = state_seen_by(scene, reader)
    state, form = query_text(request, "state"), form_of(request)
    states = [state] if state else ()
    if form == "json":
        return json_response({"things": seen.of_kind(kind, states)})
    return as_list(things_table(scene.rules, seen, kind, states, names_in(services_of(request))), form, kind)


@router.get(
    "/api/office/{name}/things/{kind}/{thing}",
    openapi_extra=query(before="integer", format=FORMS),
    responses=SET_UP_REFUSALS,
)
async def thing(request: Request, name: RegulationPath, kind: _Kind, thing: _Thing) -> Response:
    """Return one thing with its history: every act about it, in order, with who, when, signatures and papers.

    It has the newest 500 acts; `earlier` is the `before` with which it goes on, or 0. `format` makes a file of them.
    """
    (scene, reader), form = await office_reader(request, name), form_of(request)
    if scene.state.thing(kind, thing) is None:
        raise denial(404, f"this office knows no {kind[:40].replace('_', ' ')} {thing[:40]!r}", "office")
    _check_seen(scene, reader, kind)
    services = services_of(request)
    seen = replace(scene, state=state_seen_by(scene, reader))

    before = _before(request)

    def look(views: ViewStore) -> tuple[ThingPast, list[RecordedAct]]:
        about = thing_key(kind, thing)
        numbers = find_acts_about(views, name, about, before, _ACTS + 1)
        acts = kept_acts(services.log, views, name, numbers[-_ACTS:])
        incidents = find_incidents(views, name, about, _ACTS)
        filed = find_filed(views, name, [about, *incidents])
        known = {key: record for key in (about, *incidents) if (record := filed.get(key) or seen.state.things.get(key))}
        past = ThingPast(known.get(about), tuple(known[incident] for incident in incidents if incident in known))
        return replace(past, earlier=numbers[1] if len(numbers) > _ACTS else 0), [
            acts[number] for number in sorted(acts)
        ]

    (past, acts), _ = await services.views.read(look)
    shown = tuple(acts_seen_by(scene, reader, acts_about(scene.rules, kind, thing, acts)))
    if form == "json":
        return json_response(history_of(seen, past, shown, names_in(services)))
    return as_list(acts_table(scene.rules, scene.state.facility, shown, names_in(services)), form, f"{kind}-{thing}")


def _before(request: Request) -> int:
    """Return the number of the act before which a history goes on; 0: it begins with the newest."""
    text = request.query_params.get("before", "0")
    if not text.isdecimal() or len(text) > _DIGITS:
        raise denial(422, "before: is not the number of an act")
    return int(text)


@router.get("/api/office/{name}/stocks", openapi_extra=query(format=FORMS), responses=READ_REFUSALS)
async def stocks(request: Request, name: RegulationPath) -> Response:
    """Return what is where: units by stock, place and denomination in cents.

    Places that the reader may count are left out and named under `hidden`, until the reader has counted them in this
    shift: whoever knows the figure counts the figure. `denominations` are those of each stock as a whole.
    """
    (scene, reader), form = await office_reader(request, name), form_of(request)
    seen = state_seen_by(scene, reader)
    if form != "json":
        return as_list(stocks_table(scene.rules, seen), form, "stocks")
    hidden = hidden_places(scene, reader)
    known = {
        stock: sorted({unit for units in places.values() for unit in units}, key=int)
        for stock, places in scene.state.stocks.items()
    }
    return json_response(
        {
            "stocks": seen.stocks,
            "hidden": {stock: sorted(places) for stock, places in hidden.items()},
            "denominations": known,
        }
    )


@router.get("/api/office/{name}/counts", responses=SET_UP_REFUSALS)
async def counts(request: Request, name: RegulationPath) -> Response:
    """Return what the reader can count now, what stands against it, and the shift that runs and the one that ends."""
    scene, reader = await office_reader(request, name)
    facility = facility_of(scene)
    return json_response(
        {
            "day": facility.gaming_day(scene.at).isoformat(),
            "shift": facility.shift_of(scene.at).name,
            "ending": ending_shift(scene.at, facility),
            "counts": counts_of(scene, reader, await staff_of(services_of(request))),
        }
    )


def hidden_kinds(scene: Scene, person: Person) -> frozenset[str]:
    """Return the kinds of things that somebody may not read of."""
    return frozenset(kind for kind in scene.rules.pages.things if not scene.rules.is_seen_by(kind, person, scene.state))


def cash_in(services: Services) -> CashOf:
    """Return what finds the cash at a regulation's tables, in its cage and its tournaments between two moments."""

    async def find(rules: str, since: str, until: str) -> list[CashPart]:
        def look(views: ViewStore) -> list[CashPart]:
            brought = find_buy_ins(views, rules, since, until)
            played = services.tournaments.cash(rules, since, until)
            return [*cash_of_buy_ins(brought), *find_cash(views, rules, since, until), *played]

        return (await services.views.read(look))[0]

    return find


@router.get("/api/office/{name}/cash", openapi_extra=query(day="string", format=FORMS), responses=SET_UP_REFUSALS)
async def cash(request: Request, name: RegulationPath) -> Response:
    """List the cash of each patron in a gaming day (`day`; without it, this one), and which of it wants a report."""
    scene, form, services = await office_scene(request, name), form_of(request), services_of(request)
    day = day_asked(request, scene)
    found = await services.offices.cash(name, day, cash_in(services))
    if form == "json":
        return json_response({"day": day.isoformat(), "patrons": found})
    return as_list(cash_table(scene.state, day, found, names_in(services)), form, f"cash-{day}")


@router.get("/api/office/{name}/markers", openapi_extra=query(format=FORMS), responses=SET_UP_REFUSALS)
async def markers(request: Request, name: RegulationPath) -> Response:
    """List the markers that are not paid, with what is left of each and how old it is."""
    scene, form = await office_scene(request, name), form_of(request)
    facility = facility_of(scene)
    table = aging_table(scene.state, facility, facility.gaming_day(scene.at))
    if form == "json":
        return json_response({"markers": listed_rows(table)})
    return as_list(table, form, "markers")


@router.get("/api/office/{name}/exclusions", openapi_extra=query(format=FORMS), responses=SET_UP_REFUSALS)
async def exclusion_list(request: Request, name: RegulationPath) -> Response:
    """List who is kept away from the games now: since when and until when, on which list, and who wants it."""
    scene, form = await office_scene(request, name), form_of(request)
    facility_of(scene)
    table = exclusions_table(scene.state, scene.at)
    if form == "json":
        return json_response({"exclusions": listed_rows(table)})
    return as_list(table, form, "exclusions")


@router.get("/api/office/{name}/cash/log", openapi_extra=query(day="string", format=FORMS), responses=SET_UP_REFUSALS)
async def transactions(request: Request, name: RegulationPath) -> Response:
    """List each time that cash changed hands with whoever brought or took much of it in a gaming day.

    That is the log of multiple transactions; the value `cash_log` says from how much on. `format` makes a file of it.
    """
    scene, form, services = await office_scene(request, name), form_of(request), services_of(request)
    day = day_asked(request, scene)
    found = await services.offices.cash(name, day, cash_in(services))
    from_cents = scene.rules.figure(scene.state, CASH_LOG) or 0
    table = transactions_table(scene.state, day, found, names_in(services), from_cents)
    if form == "json":
        return json_response({"day": day.isoformat(), "from_cents": from_cents, "transactions": listed_rows(table)})
    return as_list(table, form, f"transactions-{day}")


def day_asked(request: Request, scene: Scene) -> date:
    """Return the gaming day that is asked for; without one, this one."""
    facility, text = facility_of(scene), request.query_params.get("day", "")[:10]
    try:
        return date.fromisoformat(text) if text else facility.gaming_day(scene.at)
    except ValueError:
        raise denial(422, "day: is not a day such as 2026-03-02") from None


@router.get(
    "/api/office/{name}/results",
    openapi_extra=query(
        day="string", period=_PERIODS, by=_BY, table="string", pit="string", shift="string", crew="string", format=FORMS
    ),
    responses=SET_UP_REFUSALS,
)
async def results(request: Request, name: RegulationPath) -> Response:
    """Return drop, win and hold of a gaming day (`day`; without it, this one), or of its month or year until then.

    By table, pit (in which the table stood then), game (which the table is dealt by now), shift, crew, day or month;
    `table`, `pit`, `shift` and `crew` leave out others. What is not known yet is counted under `unknown` and is in no
    sum; of a day each shift of each table is listed too, with the acts behind its figures. Cents; `hold` is a fraction
    of the drop.
    """
    scene, form = await office_scene(request, name), form_of(request)
    services, facility = services_of(request), facility_of(scene)
    period, by = _choice(request, "period", _PERIODS), _choice(request, "by", _BY)
    day, names = day_asked(request, scene), names_in(services)
    first = {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[period]

    only = {key: query_text(request, key) for key in ("table", "pit", "shift", "crew")}

    def is_asked(result: TableResult) -> bool:
        told = {"table": result.table, "pit": result.pit, "shift": result.shift, "crew": crew_in_words(result, names)}
        return all(not wanted or told[key] == wanted for key, wanted in only.items())

    def look(views: ViewStore) -> tuple[dict[str, PeriodSum], list[TableResult]]:
        is_kept = by in KEPT_SUMS and not any(wanted for key, wanted in only.items() if key != KEPT_SUMS[by])
        since = day if is_kept else first
        shifts = [result for result in find_results(views, name, facility, since, day) if is_asked(result)]
        if is_kept:
            sums: dict[str, PeriodSum] = getattr(find_to_date(views, name, day, KEPT_SUMS[by]), period)
            own = {subject: total for subject, total in sums.items() if only[KEPT_SUMS[by]] in {"", subject}}
        else:
            own = grouped_sums(shifts, "table" if by == "game" else by, names)
        return sums_by_game(scene.state, own) if by == "game" else own, [each for each in shifts if each.day == day]

    (sums, shifts), seen = await services.views.read(look)
    if form == "json":
        return json_response(
            results_json(sums, shifts)
            | {"day": day, "first": first, "period": period, "by": by, "as_of": seen}
            | {"is_closed": scene.state.thing(GAMING_DAY, day.isoformat()) is not None}
        )
    title = f"Drop, win and hold by {by}, {first} to {day}"
    return as_list(sums_table(title, by, sums), form, f"results-{period}-{day}")


def _choice(request: Request, key: str, choices: tuple[str, ...]) -> str:
    chosen = request.query_params.get(key, choices[0])
    if chosen not in choices:
        raise denial(422, f"{key}: {chosen[:40]!r} is not one of {', '.join(choices)}")
    return chosen
