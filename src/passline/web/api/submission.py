"""Submits a command to a table: who gives it, in which role, and who signs it off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from time import perf_counter
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from passline.acts.patrons import Exclusion, accounts_of_patron
from passline.acts.rules import Person
from passline.authority.duties import name_of
from passline.authority.roles import FLOORPERSON, PLAYER
from passline.authority.sign_off import second_owner_fault
from passline.office.excluded import exclusion_of_patron, exclusion_words
from passline.people.accounts import Account, People, are_alike, unseen_fault
from passline.people.attempts import Wait
from passline.people.credentials import SIGNATURE_WRONG, SignOff
from passline.people.duties import owners_who_agree
from passline.people.second_factor import SecondFactorNeeded
from passline.provable_dice import NONCE_BYTES
from passline.refusal import Refusal, Refused
from passline.streams.course import Actor, Answer, Ask, RollReceipt
from passline.streams.waiting import AnswerOrFault, Reply, resolve
from passline.streams.writer import InDoubt, LogDown
from passline.tables.commands import (
    AdoptRulebook,
    ChangeHouse,
    OpenTable,
    SeatPlayer,
    TableCommand,
)
from passline.tables.decide import decide
from passline.tables.duties import (
    always_takes_two,
    duty_of,
    needs_signature,
    signing_roles,
    unfit_duty,
    unfit_signature,
)
from passline.tables.entries import TABLE_CODEC
from passline.tables.live import LiveTable, seat_of, table_id
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.signed_entries import signed_form
from passline.tables.terms import TERMS, is_play_money
from passline.tables.views.wording import lines_of
from passline.web.auth.visitors import Visitor
from passline.web.server.responses import Denied, denial, second_factor_denial, too_busy, too_many_attempts
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
    if needs_signature(ask.command, ask.by, is_demo=is_demo) and await _is_known(services, table, ask):
        return _submit(services, table, ask)  # it was done before, so nothing is done now
    if _needs_designation(services, table, ask.by.role):
        await _refuse_undesignated(services, table, ask.by)
    if isinstance(ask.command, SeatPlayer) and sign_off is not None:
        ask = replace(ask, command=await _named_as_known(services, ask.command))
    if signed := await signed_by(services, ask.command, ask.by, sign_off, address, table=table):
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
        why = f"{by.name} has not been designated as {scene.rules.words_of([lacking])} yet: the office does that"
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


async def _is_known(services: Services, table: RunningTable, ask: Ask) -> bool:
    found = await services.pools.sessions.run(lambda: services.log.find(table.stream.name, ask.by.account, ask.id))
    return found is not None


def _as_signed(services: Services, table: RunningTable | None, command: TableCommand, by: Actor) -> Refused | None:
    """Return why a command would be refused even with a good signature, or None; a table is opened if `table` is."""
    if table is not None:
        decision = table.course.decide(table.stream.state, Ask("", command, by), services.clock(), compares_odds=False)
    else:
        floor = services.floor
        decision = decide(
            None,
            replace(command, terms=TERMS) if isinstance(command, OpenTable) else command,
            by=by,
            at=services.clock(),
            approvals=floor.house.approvals,
            rulebooks=floor.rulebooks.rulebook,
        )
    return decision if isinstance(decision, Refused) else None


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
    services: Services,
    command: Any,  # noqa: ANN401 - of a table or of the house
    by: Actor,
    sign_off: SignOff | None,
    address: str = "",
    *,
    table: RunningTable | None = None,
) -> str:
    """Return the account that signs off a command, or nothing if it needs no sign-off. Raise Denied if it is unfit.

    A PIN is the last thing that is looked at: not if the command needs none, is not the sender's to give, or would be
    refused however it is signed, and only of somebody who may sign it. So nobody can try PINs by way of commands that
    come to nothing, and the answer does not tell whether name, PIN or role was wrong. `table` is the command's.
    """
    if isinstance(command, OpenTable):
        if command.is_demo and not services.is_demo:
            raise denial(403, "is_demo: only passline serve --demo opens demo tables", "duties")
        if fault := unseen_fault(command.name):
            raise denial(422, fault)
    if duty_of(command).two_owners and not unfit_duty(command, by):
        people = await services.pools.sessions.run(services.desk.people)
        owners = owners_who_agree(people, services.clock())
        if always_takes_two(command):
            owners = frozenset(owner.id for owner in people.owners())
        if owners:
            return await _second_owner(services, command, by, owners - {by.account}, sign_off, address)
    live = table.live if table else None
    is_demo = live is not None and live.is_demo
    needed = unfit_signature(command, by, None, is_demo=is_demo, live=live)
    if needed is None:
        return ""
    refused = _as_signed(services, table, command, by) if table or isinstance(command, OpenTable) else None
    if unfit := _unfit_asking(command, by, needed, sign_off, refused):
        services.desk.note(name_of(command), by.account, address)
        raise unfit
    assert sign_off is not None
    may_sign = partial(_may_sign, command, by, live)
    return await check_signature(
        services, sign_off, signed_form(command), by, may_sign, address, hint=f"; {needed.why}"
    )


async def _second_owner(  # noqa: PLR0917
    services: Services,
    command: Any,  # noqa: ANN401 - of the house
    by: Actor,
    others: frozenset[str],
    sign_off: SignOff | None,
    address: str,
) -> str:
    """Return the other owner who signs what two owners do together; raise Denied if none does."""
    if sign_off is None or not others:
        services.desk.note(name_of(command), by.account, address)
        does = duty_of(command).two_owners
        what = does(None, command) if does else name_of(command)
        raise denial(403, second_owner_fault(what, others=others, signed_by=""), "duties")
    hint = "; another owner signs this"
    return await check_signature(
        services, sign_off, signed_form(command), by, lambda account: account.id in others, address, hint=hint
    )


async def check_signature(  # noqa: PLR0917
    services: Services,
    given: SignOff,
    command: object,
    by: Actor,
    may_sign: Callable[[Account], bool],
    address: str,
    *,
    hint: str = "",
) -> str:
    """Return the account that signs a command with name, PIN and what else the house elects.

    Raise Denied if that is wrong, with the hint who may sign, or with what an authenticator is to sign.
    """
    sign_off = partial(services.desk.sign_off, name=given.name, pin=given.pin, assertion=given.assertion)
    try:
        signed = await services.pools.known.run(
            lambda: sign_off(command=command, may_sign=may_sign, requester=by.account, address=address)
        )
    except SecondFactorNeeded as needed:
        raise second_factor_denial(needed) from None
    if isinstance(signed, Wait):
        raise too_many_attempts(signed)
    if isinstance(signed, Refused):
        why, clause = signed.refusals[0].why, signed.refusals[0].clause
        raise denial(403, f"{why}{hint if why == SIGNATURE_WRONG else ''}", clause)
    return signed.id


def _unfit_asking(
    command: object, by: Actor, needed: Refusal, sign_off: SignOff | None, refused: Refused | None
) -> Denied | None:
    """Return why a signature is not even looked at, or None."""
    if refused is not None:
        return Denied(409, refused.refusals)
    if unfit := unfit_duty(command, by, is_physical=True):
        return Denied(409, (unfit,))
    if sign_off is None:
        return denial(403, needed.why, needed.clause)
    return None


def _may_sign(command: object, by: Actor, live: LiveTable | None, account: Account) -> bool:
    """Return whether somebody may sign a command: by one of their roles, and not where they play."""
    is_demo = live is not None and live.is_demo
    if live is not None and not is_demo and seat_of(live, account.id):
        return False
    signers = (Actor(account.id, account.name, role) for role in account.roles)
    return any(unfit_signature(command, by, signer, is_demo=is_demo, live=live) is None for signer in signers)


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
