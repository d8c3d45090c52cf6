"""Submits a command to a table: who gives it, in which role, and who signs it off."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial
from time import perf_counter
from uuid import uuid4

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from passline.acts.patrons import Exclusion, accounts_of_patron
from passline.acts.rules import Person
from passline.authority.duties import name_of, not_designated
from passline.authority.roles import FLOORPERSON, PLAYER
from passline.office.excluded import exclusion_of_patron, exclusion_words
from passline.people.accounts import Account, People, are_alike, unseen_fault
from passline.people.credentials import SignOff
from passline.provable_dice import NONCE_BYTES
from passline.refusal import Refused
from passline.store.genesis import HOUSE
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask, Decision, RollReceipt
from passline.streams.waiting import AnswerOrFault, Reply, resolve
from passline.streams.writer import InDoubt, LogDown
from passline.tables.commands import (
    AdoptRulebook,
    ChangeHouse,
    HouseCommand,
    OpenTable,
    SeatPlayer,
    TableCommand,
)
from passline.tables.decide import decide
from passline.tables.duties import (
    can_sign,
    duty_of,
    needs_signature,
    owners_who_sign,
    signing_roles,
    unfit_duty,
    unfit_owners,
    unfit_signature,
)
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.live import LiveTable, seat_of, table_id
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.signed_entries import signed_form
from passline.tables.terms import TERMS, is_play_money
from passline.tables.views.wording import lines_of
from passline.web.auth.signatures import ask_signature, entry_before
from passline.web.auth.visitors import Visitor
from passline.web.server.responses import Denied, denial, too_busy
from passline.web.server.services import Services

LOG_DOWN = "the log cannot be written now, so this request did nothing; send it again with the same id in a moment"
"""The answer when it is known that a commit wrote nothing."""
NOT_DONE = "that command was not done, and under its id it never will be: send it with a new id if you still want it"
"""The answer to somebody who asks after a command that is not in the log."""
_ID_MAX = 64
_LOOKED_UP = frozenset({AdoptRulebook, ChangeHouse, OpenTable, SeatPlayer})  # these wait for people, office or floor
_NONCE_LOOKS, _LOOK_SECONDS = 50, 0.02  # for a throw that another server process closed wagers for


def check_id(id: str) -> None:  # noqa: A002 - the request's own word
    """Raise Denied if an id is not valid."""
    if not is_valid_id(id):
        raise denial(422, f"id: a command needs an id of 1 to {_ID_MAX} printable characters, made by the caller")


def id_or_new(id: str) -> str:  # noqa: A002 - the request's own word
    """Return the id of a request, or a new one if it has none. Raise Denied if it is not valid."""
    check_id(id_ := id or uuid4().hex)
    return id_


def is_valid_id(id: str) -> bool:  # noqa: A002 - the request's own word
    """Return whether an id is valid: not empty, not too long, and printable."""
    return 1 <= len(id) <= _ID_MAX and id.isprintable()


def actor_of(visitor: Visitor, role: str) -> Actor:
    """Return a visitor as the actor of a command, in one of their roles."""
    return Actor(account=visitor.account, name=visitor.name, role=role, is_employee=visitor.is_employee)


async def submit(
    services: Services, table: RunningTable, ask: Ask, sign_off: SignOff | None, address: str = ""
) -> asyncio.Future[Answer | Refused]:
    """Submit a command to a table, signed off where it must be. Return the future of its answer."""
    is_demo = table.live.is_demo
    if needs_signature(ask.command, ask.by, is_demo=is_demo) and await entry_before(services, table.stream.name, ask):
        return _submit(services, table, ask)  # it was done before, so nothing is done now
    if _needs_designation(services, table, ask.by.role):
        await _refuse_undesignated(services, table, ask.by)
    if isinstance(ask.command, SeatPlayer) and sign_off is not None:
        ask = replace(ask, command=await _named_as_known(services, ask.command))
    if signed := await signed_by(services, ask, sign_off, address, table=table):
        await _refuse_undesignated_signer(services, table, ask.command, signed)
        ask = replace(ask, signed_by=signed)
    if isinstance(ask.command, SeatPlayer) and ask.by.role != PLAYER:
        ask = replace(ask, command=await _identify_player(services, table, ask, ask.command))
    if isinstance(ask.command, AdoptRulebook) and (unlike := await services.floor.unlike_adopted(table, ask)):
        raise Denied(409, unlike.refusals)
    if isinstance(ask.command, ChangeHouse):
        return asyncio.ensure_future(services.floor.change_house(table, ask))
    if isinstance(ask.command, OpenTable) and table_id(ask.command.table or ask.command.name) == table.id:
        return asyncio.ensure_future(_open_table(services, ask))  # by the floor, which asks the office first
    return _submit(services, table, ask)


def _needs_designation(services: Services, table: RunningTable, role: str) -> bool:
    """Return whether somebody in a role at a table answers to the office: floorpersons, where it is kept here."""
    return role == FLOORPERSON and services.floor.house.office == "here" and not is_play_money(table.live)


async def _refuse_undesignated(services: Services, table: RunningTable, by: Actor) -> None:
    """Raise Denied if people in a role act as a group for which the office must designate them, and has not."""
    scene = await services.offices.scene(rules_of(table.live).rulebook.name)
    person = Person(by.account, by.name, frozenset({by.role}))
    if lacking := scene.rules.undesignated_group(scene.rules.groups_at_tables(), person, scene.state):
        why = f"{not_designated(by.name, scene.rules.words_of([lacking]))}: the office does that"
        raise denial(409, why, scene.rules.clause_of(lacking, "duties"))


async def _refuse_undesignated_signer(services: Services, table: RunningTable, command: object, signed: str) -> None:
    """Raise Denied if a command is signed by a floorperson who is not designated, and in no other role."""
    people = await services.pools.sessions.run(services.desk.people)
    signer = people.accounts.get(signed)
    fit = {*signing_roles(type(command), table.live)} & signer.roles if signer else set()
    if signer and fit == {FLOORPERSON} and _needs_designation(services, table, FLOORPERSON):
        await _refuse_undesignated(services, table, Actor(signer.id, signer.name, FLOORPERSON))


async def _open_table(services: Services, ask: Ask) -> Answer | Refused:
    return (await services.floor.open(ask))[1]


def _as_signed(services: Services, table: RunningTable | None, ask: Ask) -> Decision | Refused | None:
    """Return what is decided on a command with a good signature; a table is opened if `table` is None."""
    at, signed = services.clock(), replace(ask, signed_by=THE_HOUSE.account)
    if table is not None:
        return table.course.decide(table.stream.state, signed, at, compares_odds=False)
    if isinstance(ask.command, OpenTable):
        command, floor = replace(ask.command, terms=TERMS), services.floor
        return decide(
            None,
            command,
            by=ask.by,
            at=at,
            approvals=floor.house.approvals,
            signed_by=signed.signed_by,
            rulebooks=floor.rulebooks.rulebook,
        )
    unfit = unfit_duty(ask.command, ask.by)
    return Refused((unfit,)) if unfit else None


def is_direct(services: Services, table: RunningTable, ask: Ask) -> bool:
    """Return whether a command needs no sign-off and no look-up, as most do, and there is room for it."""
    if type(ask.command) in _LOOKED_UP or needs_signature(ask.command, ask.by, is_demo=table.live.is_demo):
        return False
    return _has_room(services, ask) and not _needs_designation(services, table, ask.by.role)


def _has_room(services: Services, ask: Ask) -> bool:
    """Return whether not too many commands wait; one that was sent before is looked up, however many do."""
    return ask.again or services.load.has_room(ask.by.account)


def submit_directly(services: Services, table: RunningTable, ask: Ask, reply: Reply) -> None:
    """Submit a command and have it answered; it is one that `is_direct`, or was signed off and looked up."""
    begun, name, account = perf_counter(), name_of(ask.command), ask.by.account
    if PLAYER not in duty_of(ask.command).by and unfit_duty(ask.command, ask.by, is_physical=True):
        services.desk.note(name, account, "")

    def count_and_reply(answer: AnswerOrFault) -> None:
        services.load.end_command(account)
        services.metrics.count_command(name, _outcome_of(answer), perf_counter() - begun)
        reply(answer)

    services.load.begin_command(account)
    table.stream.take(ask, count_and_reply)


def _submit(services: Services, table: RunningTable, ask: Ask) -> asyncio.Future[Answer | Refused]:
    """Submit a command; raise Denied if too many wait."""
    if not _has_room(services, ask):
        services.gate.count("commands while busy")
        raise too_busy()
    future: asyncio.Future[Answer | Refused] = asyncio.get_running_loop().create_future()
    submit_directly(services, table, ask, partial(resolve, future))
    return future


async def signed_by(
    services: Services, ask: Ask, sign_off: SignOff | None, address: str = "", *, table: RunningTable | None = None
) -> str:
    """Return the account that signs off a command, or nothing if it needs no sign-off. Raise Denied if it is unfit.

    `table` is the command's; without one it opens a table, or is to the house.
    """
    command, by, live = ask.command, ask.by, table.live if table else None
    if isinstance(command, OpenTable):
        if command.is_demo and not services.is_demo:
            raise denial(403, "is_demo: only passline serve --demo opens demo tables", "duties")
        if fault := unseen_fault(command.name):
            raise denial(422, fault)
    owners = frozenset[str]()
    if duty_of(command).two_owners:
        people = await services.pools.sessions.run(services.desk.people)
        owners = owners_who_sign(people, command, services.clock())
    others = owners - {by.account}

    def is_fit(account: Account) -> bool:
        if owners:
            return account.id in others
        return not _plays(live, account.id) and can_sign(command, by, account.id, account.roles, live=live)

    return await ask_signature(
        services,
        ask,
        None if owners and not others else sign_off,
        needed=unfit_owners(command, by, "", owners) or unfit_signature(command, by, None, live=live),
        may_sign=is_fit,
        as_signed=lambda: _as_signed(services, table, ask),
        as_sent=signed_form(command),
        address=address,
        stream="" if table else _stream_of(command),
    )


def _stream_of(command: TableCommand | HouseCommand) -> str:
    """Return the stream of a command that is sent to no table: the one it opens, or the house."""
    return f"{TABLE}{table_id(command.table or command.name)}" if isinstance(command, OpenTable) else HOUSE


def _plays(live: LiveTable | None, account: str) -> bool:
    """Return whether somebody plays at a table, where they do nothing else; in a demo one person may."""
    return live is not None and not live.is_demo and seat_of(live, account) != 0


async def _named_as_known(services: Services, command: SeatPlayer) -> SeatPlayer:
    """Return a seating by the name of the account, as it is signed and recorded."""
    people = await services.pools.sessions.run(services.desk.people)
    known = people.accounts.get(command.account)
    return replace(command, name=known.name) if known else command


async def _identify_player(services: Services, table: RunningTable, ask: Ask, command: SeatPlayer) -> SeatPlayer:
    """Complete a seating from the house's records, so that the crew cannot seat an employee as somebody else.

    An employee is known by account, or by the patron whom the office has linked to an account. A name alone says
    nothing: if it is like an employee's, that is noted, and a floorperson decides.
    """
    people = await services.pools.sessions.run(services.desk.people)
    if known := people.accounts.get(command.account):
        return replace(command, name=known.name, is_employee=known.is_employee, resembles="", is_somebody_else=False)
    if fault := unseen_fault(command.name):
        raise denial(422, fault)
    linked, names = list[Account](), list[str]()
    if command.patron:
        state = (await services.offices.scene(rules_of(table.live).rulebook.name)).state
        if (patron := state.thing("patron", command.patron)) is None:
            raise denial(
                422, f"patron: there is no patron {command.patron!r} in the office; enter them, or leave it out"
            )
        if out := exclusion_of_patron(state, command.patron, services.clock()):
            raise denial(409, f"{command.name} {exclusion_words(out)}", "practice")
        found = (people.accounts.get(account) for account in accounts_of_patron(state, command.patron))
        linked = [account for account in found if account is not None]
        names = [str(patron.facts.get("name", "")), *(account.name for account in linked)]
    out = None if command.patron else excluded_like(services, command.name, is_somebody_else=command.is_somebody_else)
    is_employee = any(account.is_employee for account in linked)
    is_whom_we_know = bool(linked) and any(are_alike(command.name, name) for name in names)
    answered_by = {ask.by.account, ask.signed_by} if command.is_somebody_else else set[str]()
    alike = None if is_employee or is_whom_we_know else employee_like(people, command.name, answered_by)
    return replace(
        command,
        is_employee=is_employee,
        resembles=alike.name if alike else "",
        is_somebody_else=(alike is not None or out is not None) and command.is_somebody_else,
    )


def excluded_like(services: Services, name: str, *, is_somebody_else: bool) -> Exclusion | None:
    """Return somebody who is kept away and has a like name; raise Denied unless a floorperson says it is another."""
    out = services.offices.exclusions().like(name)
    if out is not None and not is_somebody_else:
        look = "a floorperson looks, and signs that it is somebody else (is_somebody_else) or sends them away"
        raise denial(409, f"{name} may be {out.name}, who {exclusion_words(out)}: {look}", "practice")
    return out


def employee_like(people: People, name: str, answered_by: Collection[str]) -> Account | None:
    """Return an employee whose name is like a walk-in's, or None. Raise Denied if they answer for themselves."""
    alike = people.employee_like(name)
    if alike is not None and alike.id in answered_by:
        raise denial(409, f"{alike.name} cannot say of themselves who they are not; ask another floorperson", "duties")
    return alike


def _outcome_of(answer: AnswerOrFault) -> str:
    """Return what became of a command, in a word for the metrics."""
    if isinstance(answer, Exception):
        return "in-doubt" if isinstance(answer, InDoubt) else "log-down" if isinstance(answer, LogDown) else "fault"
    return "refused" if isinstance(answer, Refused) else "done"


async def take_nonce(table: RunningTable, nonce: str) -> None:
    """Take the nonce of the shooter, in hex, for the throw whose wagers are closed, perhaps by another server."""
    try:
        given = bytes.fromhex(nonce)
    except ValueError:
        raise denial(422, f"nonce: must be {NONCE_BYTES} bytes in hex") from None
    for _ in range(_NONCE_LOOKS):
        if table.course.completion.take_nonce(given):
            return
        table.stream.catch_up()
        await asyncio.sleep(_LOOK_SECONDS)


async def with_roll(table: RunningTable, answer: Answer) -> Answer:
    """Return the answer to a throw together with its roll, once the dice have landed.

    Sequence and hash stay those of the command's own entry, which closed wagers; the roll's are under `roll`.
    """
    landed = await table.course.completion.roll_after(answer.sequence)
    if landed is None:
        return answer
    entry, head = landed.entry, table.stream.head
    assert head is not None
    lines = lines_of(table.live, table.live, TABLE_CODEC.events(entry), seats=())
    events = [*msgspec.json.decode(answer.events, type=list[Raw]), *msgspec.json.decode(entry.events, type=list[Raw])]
    return replace(
        answer,
        head=head,
        lines=(*answer.lines, *lines),
        events=Raw(msgspec.json.encode(events)),
        roll=RollReceipt(entry.sequence, landed.hash.hex()),
    )
