"""The API of tournaments: plans, every command of the desk and the floor, the board of the room, and the papers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Path
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.authority import roles as r
from passline.authority.duties import may_not, role_list
from passline.documents.as_file import LIST_FILES, SHEET_FILES
from passline.money import POINT_CENTS
from passline.people.accounts import unseen_fault
from passline.people.credentials import SignOff
from passline.refusal import Refusal, Refused
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tables.money.points import rolls_left
from passline.tournament import commands as c
from passline.tournament.commands import TournamentCommand
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, tournament_command_as_sent
from passline.tournament.decide import decide_tournament, may_sign, signature_refusal
from passline.tournament.judges.prize_money import cash_of
from passline.tournament.papers import LIST_FORMS, tournament_paper
from passline.tournament.reports import TOURNAMENT_LISTS, TournamentBooks, books_of
from passline.tournament.rules import TournamentRules
from passline.tournament.state import TournamentState
from passline.tournament.verify import other_signers
from passline.tournament.views import Board, board_for_room, board_of, fees_of, level_of, own_rank, phase_of, refunds_of
from passline.web.api.openapi import READ_REFUSALS, body, query, refusals
from passline.web.api.submission import actor_of, employee_like, excluded_like, id_or_new
from passline.web.api.tables import query_text
from passline.web.auth.screen_links import ScreenLinks
from passline.web.auth.signatures import ask_signature
from passline.web.auth.till import check_till
from passline.web.auth.visitors import Visitor, address_of, require_visitor, role_for
from passline.web.duties import STAFF_READERS
from passline.web.server.responses import Denied, answer_response, denial, json_response, read_body, refusals_response
from passline.web.server.services import Services, services_of
from passline.web.uploads.asking import answer_upload
from passline.web.uploads.questions import PlanText

router = APIRouter(tags=["tournaments"])
"""The routes of tournaments."""
TOURNAMENT_PAPERS = ("rules", *TOURNAMENT_LISTS)
"""The papers of a tournament."""
_Id = Annotated[str, Path(min_length=1, max_length=40, examples=["spring-classic"])]
_Token = Annotated[str, Path(min_length=1, max_length=100)]
_REFUSALS = refusals(400, 401, 403, 404, 409, 413, 422, 503)
_ORDER = (*r.DIRECTORS, r.CASHIER, r.FLOORPERSON, r.BOXPERSON, r.DEALER, r.SUPERVISOR, r.ACCOUNTANT, r.COUNTER)
_ACCOUNTS_MAX = 12
_SIGN_OFF = "sign-off"  # the clause of what a page asks for: it sends the same request again, with name and PIN
_MOVING_MONEY = (c.EnterPlayer, c.WithdrawEntry, c.BuyChips, c.AddMoney, c.PayPrize, c.RefundEntry)


class TournamentBody(Struct, forbid_unknown_fields=True):
    """A command to a tournament. The caller makes the id; sent twice with the same id, it acts once."""

    command: TournamentCommand
    id: str = ""
    role: str = ""  # if empty: the first role of the account that may
    sign_off: SignOff | None = None  # whoever signs it with name and PIN
    pin: str = ""  # the sender's own, where money is moved at a till that was idle
    again: bool = False  # sent before, and its answer did not come


async def tournament_state(services: Services, id: str) -> TournamentState:  # noqa: A002 - of the path
    """Return a tournament as it is now, or deny a request for one that is not there."""
    state = await services.tournaments.state(id)
    if state is None:
        raise denial(404, f"there is no tournament {id[:40]!r}", "tournaments")
    return state


@router.get("/api/tournaments", responses=refusals(401, 403, 503))
async def tournaments(request: Request) -> Response:
    """List the tournaments of the house."""
    await require_visitor(request)
    services = services_of(request)
    return json_response({"tournaments": await listed_tournaments(services)})


async def listed_tournaments(services: Services) -> list[dict[str, Any]]:
    """Return every tournament of the house in a few words, the latest first."""
    found = [(id_, await tournament_state(services, id_)) for id_ in services.tournaments.ids()]
    found.sort(key=lambda item: item[1].plan.events[0].first_day, reverse=True)
    return [
        {
            "id": id_,
            "name": state.plan.name,
            "rules": state.plan.rules,
            "first_day": state.plan.events[0].first_day,
            "entries": len(state.entries),
            "phase": phase_of(state),
        }
        for id_, state in found
    ]


@router.post("/api/tournaments/check", openapi_extra=body(PlanText), responses=_REFUSALS)
async def check(request: Request) -> Response:
    """Read the text of a plan: its data as plan-tournament takes it, and every breach with its clause."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, PlanText))


@router.post("/api/tournaments/commands", status_code=201, openapi_extra=body(TournamentBody), responses=_REFUSALS)
async def plan(request: Request) -> Response:
    """Keep the plan of a tournament; it is refused with every breach at once."""
    services, visitor = services_of(request), await require_visitor(request)
    asked = await read_body(request, TournamentBody)
    if not isinstance(asked.command, c.PlanTournament):
        raise denial(422, "send plan-tournament here, and other commands to a tournament", "form")
    by, id_ = actor_of(visitor, role_for(visitor, asked.role, _ORDER, r.PLAYER)), id_or_new(asked.id)
    name, answer = await services.tournaments.plan(Ask(id_, asked.command, by, again=asked.again))
    if isinstance(answer, Refused):
        return refusals_response(answer)
    return json_response({"tournament": name, "receipt": answer}, 201)


@router.post("/api/tournaments/{id}/commands", status_code=201, openapi_extra=body(TournamentBody), responses=_REFUSALS)
async def command(request: Request, id: _Id) -> Response:  # noqa: A002
    """Carry out a command to a tournament."""
    services, visitor = services_of(request), await require_visitor(request)
    asked = await read_body(request, TournamentBody)
    await tournament_state(services, id)
    by, id_ = actor_of(visitor, role_for(visitor, asked.role, _ORDER, r.PLAYER)), id_or_new(asked.id)
    sent = asked.command
    if isinstance(sent, c.EnterPlayer | c.WaitForPlace):
        sent = await _identify_player(services, id, sent, by)
    if isinstance(sent, _MOVING_MONEY):
        await check_till(request, visitor, asked.pin)
    if hasattr(sent, "is_alone"):
        people, state = await asyncio.to_thread(services.desk.people), await tournament_state(services, id)
        others = other_signers(people, state, sent, by.account, services.clock())
        sent = replace(sent, is_alone=asked.sign_off is None and not others)
    signed = await _signer(services, id, Ask(id_, sent, by), asked.sign_off, address_of(request))
    answer = await services.tournaments.ask(id, Ask(id_, sent, by, signed, asked.again))
    return answer_response(answer, 201)


async def _signer(
    services: Services,
    id: str,  # noqa: A002
    ask: Ask,
    given: SignOff | None,
    address: str,
) -> str:
    """Return the account that signs a command with name and PIN; raise Denied if nobody does, or nobody who may."""
    rules, state = await services.tournaments.rules(id), await tournament_state(services, id)
    needed = signature_refusal(rules, ask.command, ask.by, "")
    return await ask_signature(
        services,
        ask,
        given,
        needed=replace(needed, clause=_SIGN_OFF) if needed else None,
        may_sign=lambda account: may_sign(state, ask.command, account.id, account.roles),
        as_signed=lambda: decide_tournament(
            rules, state, ask.command, by=ask.by, at=services.clock(), signed_by=THE_HOUSE.account
        ),
        as_sent=tournament_command_as_sent(ask.command),
        address=address,
        stream=TOURNAMENT_STREAM + id,
    )


async def _identify_player(
    services: Services,
    id: str,  # noqa: A002
    sent: c.EnterPlayer | c.WaitForPlace,
    by: Actor,
) -> TournamentCommand:
    """Complete an entry from the house's records, as a live table does: whose account it is, and who is employed.

    Refuse an account that nobody has: whoever was meant could not sit down at the table.
    """
    people = await asyncio.to_thread(services.desk.people)
    known = people.accounts.get(sent.account)
    if sent.account and known is None:
        raise denial(422, f"nobody here has the account {sent.account!r}; leave it out for a walk-in", "form")
    if known is None and (fault := unseen_fault(sent.name)):
        raise denial(422, fault, "form")
    if isinstance(sent, c.WaitForPlace):
        return sent
    if known is not None and (why := services.offices.exclusions().why(known.id)):
        raise denial(409, f"{known.name} {why}", "practice")
    if known is None:
        excluded_like(services, sent.name, is_somebody_else=sent.is_somebody_else)
    bars_employees = (await services.tournaments.rules(id)).pages.entry.employees is not None
    if known is not None:
        return replace(sent, name=known.name, is_employee=bars_employees and known.is_employee, resembles="")
    alike = None
    if bars_employees:
        alike = employee_like(people, sent.name, {by.account} if sent.is_somebody_else else ())
    return replace(sent, is_employee=False, resembles=alike.name if alike else "")


@router.post("/api/tournaments/{id}/tables/{table}/finish", status_code=201, responses=_REFUSALS)
async def finish(request: Request, id: _Id, table: str) -> Response:  # noqa: A002
    """End the round at a table now: wagers that are up go as the rule sheet says."""
    services = services_of(request)
    await require_visitor(request)
    await tournament_state(services, id)
    answer = await services.tournaments.finish(id, table)
    return answer_response(answer, 201)


async def boards_of(services: Services, id: str, state: TournamentState) -> list[Board]:  # noqa: A002
    """Return the board of every event, with the points that lie at its tables now."""
    live, left = dict[int, int](), dict[str, int]()
    held = state.round
    for table in held.tables if held and held.phase == "playing" else ():
        running = await services.floor.table(table)
        at = running.live if running and running.stream.state else None
        if at is None or at.points is None or held is None or at.points.round != held.number:
            continue
        left[table] = rolls_left(at)
        layout: dict[int, int] = {}
        for wager in at.game.position.layout:
            layout[wager.seat] = layout.get(wager.seat, 0) + wager.cents + wager.vigorish
        for seat in held.seats:
            if seat.table == table and seat.seat in at.players:
                cents = at.game.money.racks[seat.seat - 1] + layout.get(seat.seat, 0)
                live[seat.entry] = cents // POINT_CENTS
    waits, pages = services.tournaments.waiting.get(id, {}), (await services.tournaments.rules(id)).pages
    return [board_of(pages, state, event.name, live=live, rolls_left=left, waits=waits) for event in state.plan.events]


@router.get("/api/tournaments/{id}", responses=READ_REFUSALS)
async def tournament(request: Request, id: _Id) -> Response:  # noqa: A002
    """Return a tournament: its boards, the sender's own ranks, and for the staff its entries and money too."""
    visitor = await require_visitor(request)
    services = services_of(request)
    state = await tournament_state(services, id)
    boards = await boards_of(services, id, state)
    mine = [entry.number for entry in state.entries.values() if entry.account and entry.account == visitor.account]
    shown = {
        "id": id,
        "name": state.plan.name,
        "boards": boards,
        "own": [rank for board in boards for entry in mine if (rank := own_rank(board, entry))],
        "mine": [state.entries[str(number)] for number in mine],
        "is_closed": state.is_closed,
        "cancelled": state.cancelled,
        "current": _current(state),
        "lot": _lot(state),
        "now": services.clock(),
    }
    if state.split and (visitor.may(STAFF_READERS) or {str(number) for number in mine} & {*state.split.shares}):
        shown["split"] = state.split
    if visitor.may(STAFF_READERS):
        shown |= {
            "plan": state.plan,
            "digest": state.digest,
            "entries": list(state.entries.values()),
            "waiting": state.waiting,
            "rounds": state.rounds,
            "balances": state.balances,
            "vouchers": list(state.vouchers.values()),
            "awards": list(state.awards.values()),
            "concluded": state.concluded,
            "fees_counted": state.fees_counted,
            "breaches": state.breaches,
            "tables_waiting": services.tournaments.waiting.get(id, {}),
            "level": level_of(state),
            "fees": fees_of((await services.tournaments.rules(id)).pages, state),
            "refunds": refunds_of(state),
            "checks": await services.tournaments.start_checks(id),
        }
    return json_response(shown)


@router.post("/api/tournaments/{id}/screen", status_code=201, responses=_REFUSALS)
async def make_screen(request: Request, id: _Id) -> Response:  # noqa: A002
    """Make a link to the big screen that needs no log-in; one that was made before shows nothing any more."""
    services = services_of(request)
    await require_visitor(request)
    await tournament_state(services, id)
    links = ScreenLinks(services.log)
    token = await asyncio.to_thread(links.make, id, services.clock())
    return json_response({"path": f"/screens/{token}"}, 201)


@router.post("/api/tournaments/{id}/screen/revoke", responses=_REFUSALS)
async def revoke_screen(request: Request, id: _Id) -> Response:  # noqa: A002
    """Have the link to the big screen show nothing any more."""
    services = services_of(request)
    await require_visitor(request)
    await tournament_state(services, id)
    was_there = await asyncio.to_thread(ScreenLinks(services.log).revoke, id, services.clock())
    return json_response({"was_there": was_there})


@router.get("/api/screens/{token}", responses=refusals(404, 503))
async def screen(request: Request, token: _Token) -> Response:
    """Return what a room may see of a tournament, to whoever has the link: the board of the event that goes on."""
    services = services_of(request)
    id_ = await asyncio.to_thread(ScreenLinks(services.log).tournament, token, services.clock())
    state = await services.tournaments.state(id_) if id_ else None
    if state is None:
        raise denial(404, "this link shows nothing any more; ask the director for a new one", "tournaments")
    current = _current(state)
    boards = await boards_of(services, id_, state)
    shown = {"name": state.plan.name, "boards": [board_for_room(board) for board in boards if board.event == current]}
    return json_response(shown | {"current": current, "now": services.clock()})


def _lot(state: TournamentState) -> dict[str, Any]:
    """Return what a player's page must know to add a nonce to the next seat draw."""
    held = state.round
    waits = held.waits_for if held and held.phase == "prepared" else ()
    return {"promised": [int(entry) for entry in state.promised], "waits_for": waits}


def _current(state: TournamentState) -> str:
    """Return the event that goes on: that of the last round, or the first one that is not over."""
    if state.round is not None:
        return state.round.event_name
    return next(
        (event.name for event in state.plan.events if event.name not in state.concluded), state.plan.events[-1].name
    )


@router.get("/api/tournaments/{id}/accounts", openapi_extra=query(name="string"), responses=READ_REFUSALS)
async def accounts(request: Request, id: _Id) -> Response:  # noqa: A002
    """Find players' accounts by their name, for an entry."""
    await require_visitor(request)
    services = services_of(request)
    await tournament_state(services, id)
    sought = (query_text(request, "name") or "").casefold()
    people = await asyncio.to_thread(services.desk.people)
    found = [
        {"account": account.id, "name": account.name}
        for account in people.accounts.values()
        if r.PLAYER in account.roles and not account.is_disabled and sought and sought in account.name.casefold()
    ]
    return json_response({"accounts": found[:_ACCOUNTS_MAX]})


@router.get("/api/tournaments/{id}/split", responses=READ_REFUSALS)
async def split(request: Request, id: _Id) -> Response:  # noqa: A002
    """Return who is left in the event that goes on and the cash they play for, to one of them or the crew."""
    visitor = await require_visitor(request)
    services = services_of(request)
    state = await tournament_state(services, id)
    event = _current(state)
    left = state.players_left(event)
    if not visitor.may(STAFF_READERS) and visitor.account not in {entry.account for entry in left}:
        raise denial(403, f"{_not_staff(visitor, 'read this')}, and so may those who are left", "duties")
    pages, planned = (await services.tournaments.rules(id)).pages, state.event(event)
    assert planned is not None
    return json_response(
        {
            "event": event,
            "left": [
                {"entry": entry.number, "name": entry.name, "is_own": entry.account == visitor.account}
                for entry in left
            ],
            "cash_cents": cash_of(pages, state, planned, len(left)),
            "split": state.split,
        }
    )


@router.get(
    "/api/tournaments/{id}/papers/{paper}",
    openapi_extra=query(form=tuple(LIST_FORMS), event="string"),
    responses=READ_REFUSALS,
)
async def paper(request: Request, id: _Id, paper: str) -> Response:  # noqa: A002
    """Return a paper of a tournament: rule sheet, entrants, prizes, tax, tax forms, log, sign-in sheet, standings."""
    visitor = await require_visitor(request)
    services = services_of(request)
    state = await tournament_state(services, id)
    if paper not in TOURNAMENT_PAPERS:
        raise denial(404, f"there is no paper {paper[:40]!r}; there are {', '.join(TOURNAMENT_PAPERS)}", "tournaments")
    if paper != "rules" and not visitor.may(STAFF_READERS):
        raise denial(403, _not_staff(visitor, "read the books of a tournament"), "duties")
    form = query_text(request, "form") or "pdf"
    if form not in LIST_FORMS:
        raise denial(422, f"form: {form[:20]!r} is not one of {', '.join(LIST_FORMS)}", "form")
    form = "pdf" if paper == "rules" else form
    rules, zone = await services.tournaments.rules(id), await facility_clock(services, state.plan.rules)
    books, event = await asyncio.to_thread(_books, services, id), query_text(request, "event")
    books.office = (await services.offices.scene(state.plan.rules)).state
    made = await asyncio.to_thread(tournament_paper, rules, books, paper, form, zone, services.clock(), event)
    if isinstance(made, Refusal):
        raise Denied(409, [made])
    headers = {"Content-Disposition": f'inline; filename="{id}-{paper}.{form}"'}
    return Response(made, media_type=(SHEET_FILES | LIST_FILES)[LIST_FORMS[form]], headers=headers)


def _not_staff(visitor: Visitor, what: str) -> str:
    return may_not(role_list(visitor.roles), what, STAFF_READERS)


def _books(services: Services, id: str) -> TournamentBooks:  # noqa: A002
    return books_of(
        (stored.entry.at, stored.entry.actor, TOURNAMENT_CODEC.events(stored.entry))
        for stored in services.log.read_stream(TOURNAMENT_STREAM + id)
    )


async def books_of_regulation(
    services: Services, regulation: str
) -> AsyncIterator[tuple[TournamentRules, TournamentBooks, Callable[[str], datetime]]]:
    """Yield the rules and books of every tournament under a regulation, with what gives its local time."""
    local = await facility_clock(services, regulation)
    streams = await asyncio.to_thread(services.log.streams)
    for id_ in sorted(name.removeprefix(TOURNAMENT_STREAM) for name in streams if name.startswith(TOURNAMENT_STREAM)):
        books = await asyncio.to_thread(_books, services, id_)
        if books.state.plan.rules == regulation:
            yield await services.tournaments.rules(id_), books, local


async def facility_clock(services: Services, rules: str) -> Callable[[str], datetime]:
    """Return what gives the local time of the facility, or UTC where its office is not set up."""
    scene = await services.offices.scene(rules)
    facility = scene.state.facility
    if facility is not None:
        return facility.local
    return lambda at: datetime.fromisoformat(at).astimezone(ZoneInfo("UTC"))
