"""The desk: plans, entries and how they are paid, the waiting list, the sign-in sheet, chips bought, who is out."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from msgspec import json

from passline.money import dollar_amount as dollars
from passline.people.accounts import are_alike
from passline.refusal import Refusal
from passline.rules.schema import Rule
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.prize_money import forfeit_prizes
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict, unfit_text
from passline.tournament.plan.check import check_plan
from passline.tournament.plan.reader import plan_of
from passline.tournament.plan.schema import AddOn, Event, Rebuy
from passline.tournament.state import LIVE, HeldVoucher, KnownEntry, player_key

_TEXT_MAX = 400
_LATE_SECONDS = 60  # after the money was taken; within them an entry is written at the moment
_HOW = ("cash", "in_kind", "complimentary", "voucher")


def keep_plan(scene: TournamentScene, command: c.PlanTournament) -> TournamentVerdict:
    """Keep a lawful plan; replace it only while nobody has entered."""
    plan, faults = plan_of(command.plan)
    refusals = [Refusal(FORM, str(fault)) for fault in faults]
    if plan is not None:
        refusals += (
            Refusal(breach.clause, f"{breach.key}: {breach.problem}") for breach in check_plan(scene.rules, plan)
        )
    if scene.state.entries or scene.state.balances or scene.state.concluded:
        refusals.append(Refusal(FORM, "players or money have come in under this plan: it stays as it is"))
    if scene.state.planned and plan and plan.id != scene.state.plan.id:
        refusals.append(Refusal(FORM, f"this is the tournament {scene.state.plan.id}: a plan keeps its id"))
    if refusals or plan is None:
        return refusals
    text = json.encode(plan, order="deterministic")
    data, digest = json.decode(text), sha256(text).hexdigest()  # as the log will have it
    kept = e.TournamentPlanned(data, digest, scene.rules.digest)
    lot: list[e.TournamentEvent] = [] if scene.state.lot else [e.LotCommitted(1, command.lot_digest)]
    return [kept, *lot]


def keep_waiting_list(scene: TournamentScene, command: c.WaitForPlace) -> TournamentVerdict:
    """Put somebody on the waiting list of an event, or take them off."""
    refusals = _unfit_name(command.name)
    if scene.state.event(command.event) is None:
        refusals.append(_no_event(scene, command.event))
    waiting = (command.event, command.name.strip(), command.account)
    if (waiting in scene.state.waiting) != command.is_over:
        why = "does not stand" if command.is_over else "stands already"
        refusals.append(Refusal(FORM, f"{command.name} {why} on the waiting list of {command.event}"))
    return refusals or [e.PlayerWaits(*waiting, is_over=command.is_over)]


def enter_player(scene: TournamentScene, command: c.EnterPlayer) -> TournamentVerdict:
    """Take an entry: one live entry of a player at most, everybody at the same price, a voucher by its owner only."""
    state, pages = scene.state, scene.pages
    refusals = _unfit_name(command.name)
    event = state.event(command.event)
    if event is None:
        return [*refusals, _no_event(scene, command.event)]
    refusals += _unfit_entry(scene, command, event)
    voucher, wrong = _voucher(scene, command, event)
    refusals += wrong
    fee, wrong = _payment(scene, command.fee, event.fee_cents, command.fee_item, event, voucher, is_fee=True)
    refusals += wrong
    buy_in, wrong = _payment(
        scene, command.buy_in, event.buy_in_cents, command.buy_in_item, event, voucher, is_fee=False
    )
    refusals += wrong
    if refusals:
        return refusals
    first = len(state.entries) + 1
    events: list[e.TournamentEvent] = [
        e.PlayerEntered(
            first, event.name, command.name.strip(), command.account, fee, buy_in, event.points,
            command.occurred or scene.at, scene.by.account, command.voucher, _entry_before(scene, command, event),
        )
    ]  # fmt: skip
    events += _desk_answers(scene, command, first)
    if pages.log.at_once and command.occurred and _is_late(command.occurred, scene.at):
        why = f"the money was taken at {command.occurred} and written into the log at {scene.at}"
        events.append(scene.breach(why, pages.log.at_once, pages.log.kept, entry=first))
    return events


def _unfit_entry(scene: TournamentScene, command: c.EnterPlayer, event: Event) -> list[Refusal]:
    """Return why a player may not enter an event, however it is paid."""
    state, pages = scene.state, scene.pages
    refusals = []
    mine = [entry for entry in state.entries.values() if _is_of(entry, command)]
    if command.has_other_entry:
        why = f"{command.name} may not enter twice at once: there is a live entry at another casino"
        refusals.append(scene.refusal(why, pages.entry.live))
    else:
        refusals += _too_many(scene, command.name, command.account)
    again = [
        entry for entry in mine if entry.event_name == event.name and entry.status not in {"withdrawn", "disqualified"}
    ]
    if len(again) > event.reentries_max and not any(entry.status in LIVE for entry in again):
        why = (
            f"{command.name} has entered {event.name} {len(again)} times: {event.reentries_max} re-entries are allowed"
        )
        refusals.append(scene.refusal(why, pages.entry.reentry))
    if any(entry.status == "disqualified" for entry in mine):
        refusals.append(scene.refusal(f"{command.name} is disqualified", pages.entry.disqualified))
    held = len(state.rounds_of(event.name))
    if event.name in state.concluded or (held and not again) or held >= len(event.rounds):
        refusals.append(Refusal(FORM, f"{event.name} has begun: no entries are taken any more"))
    if sum(entry.status != "withdrawn" for entry in state.of_event(event.name)) >= event.entries_max:
        refusals.append(Refusal(FORM, f"{event.name} is full ({event.entries_max} entries): use the waiting list"))
    if command.occurred and not _is_before(command.occurred, scene.at):
        refusals.append(Refusal(FORM, f"occurred: {command.occurred!r} is not a moment before {scene.at}"))
    return [*refusals, *_unknown_person(scene, command)]


def _unknown_person(scene: TournamentScene, command: c.EnterPlayer) -> list[Refusal]:
    """Return why the desk must look first: an employee, or a name like an employee's or another player's."""
    entry, refusals = scene.pages.entry, []
    look = "look who it is; if it is somebody else, enter them as somebody else (is_somebody_else)"
    if entry.employees and command.is_employee:
        refusals.append(scene.refusal(f"{command.name} is a gaming employee and may not enter", entry.employees))
    elif entry.employees and command.resembles and not command.is_somebody_else:
        why = f"{command.name} may be {command.resembles}, who is employed here: {look}"
        refusals.append(scene.refusal(why, entry.employees))
    alike = [] if command.is_somebody_else else _alike_entries(scene, command)
    if alike:
        who = " and ".join(f"{other.name} of entry {other.number}" for other in alike)
        own = "otherwise under the name and account of that entry"
        refusals.append(scene.refusal(f"{command.name} may be {who}: {look}, {own}", entry.live))
    return refusals


def _alike_entries(scene: TournamentScene, command: c.EnterPlayer) -> list[KnownEntry]:
    """Return the entries of players who may be this one: of a like name, and accounts do not tell them apart."""
    live, mine = scene.pages.entry.live, player_key(command.name, command.account)
    if live is None or not live.asks_desk:
        return []

    def may_be(entry: KnownEntry) -> bool:
        key = player_key(entry.name, entry.account)
        is_known = key == mine or bool(entry.account and command.account)
        is_known = is_known or not {(key, mine), (mine, key)}.isdisjoint(scene.state.told_apart)
        return not is_known and entry.status != "withdrawn" and are_alike(entry.name, command.name)

    return [entry for entry in scene.state.entries.values() if may_be(entry)]


def _desk_answers(scene: TournamentScene, command: c.EnterPlayer, number: int) -> list[e.TournamentEvent]:
    """Return the record of what the desk said of a player whose name is like others'."""
    if not command.is_somebody_else:
        return []
    rules = scene.pages.entry
    others = tuple(entry.number for entry in _alike_entries(scene, command))
    employee = command.resembles if rules.employees else ""
    asked = (rules.live if others else None, rules.employees if employee else None)
    return [e.DeskAnswered(number, others, employee, scene.rules.clause(*asked))] if others or employee else []


def _too_many(scene: TournamentScene, name: str, account: str) -> list[Refusal]:
    """Return why a player may not have another live entry: by the regulation, or by the rule sheet."""
    state, most = scene.state, scene.pages.entry.live
    key = player_key(name, account)
    mine = (entry for entry in state.entries.values() if player_key(entry.name, entry.account) == key)
    live = [entry.number for entry in mine if entry.status in LIVE and entry.event_name not in state.concluded]
    why = f"{name} may not enter twice at once: entry {live[0]} is still in" if live else ""
    if most and len(live) >= most.most:
        return [scene.refusal(why, most)]
    return [Refusal("sheet", why)] if len(live) >= state.plan.entries_at_once else []


def _is_of(entry: KnownEntry, command: c.EnterPlayer) -> bool:
    return player_key(entry.name, entry.account) == player_key(command.name, command.account)


def _entry_before(scene: TournamentScene, command: c.EnterPlayer, event: Event) -> int:
    out = [
        entry.number
        for entry in scene.state.of_event(event.name)
        if _is_of(entry, command) and entry.status == "eliminated"
    ]
    return out[-1] if out else 0


def _voucher(scene: TournamentScene, command: c.EnterPlayer, event: Event) -> tuple[HeldVoucher | None, list[Refusal]]:
    """Return the voucher that an entry is paid with: of this event, not used, and the player's own."""
    rules = scene.pages.voucher
    is_asked = "voucher" in {command.fee, command.buy_in} or command.voucher
    if not is_asked:
        if event.is_by_voucher:
            return None, [scene.refusal(f"{event.name} is entered with a voucher only", rules.offer)]
        return None, []
    voucher = scene.state.vouchers.get(str(command.voucher))
    if voucher is None or voucher.state != "open":
        why = (
            f"there is no voucher {command.voucher}"
            if voucher is None
            else f"voucher {voucher.number} was {voucher.state}"
        )
        return None, [scene.refusal(why, rules.offer)]
    refusals = []
    if voucher.event_name != event.name:
        why = f"voucher {voucher.number} is for {voucher.event_name}, not for {event.name}"
        refusals.append(scene.refusal(why, rules.offer))
    winner = scene.state.entries[str(voucher.entry)]
    if rules.owner and not _is_of(winner, command):
        why = f"voucher {voucher.number} is {winner.name}'s: nobody else may use it"
        refusals.append(scene.refusal(why, rules.owner))
    return voucher, refusals


def _payment(  # noqa: PLR0917 - the two prices of an entry, judged alike
    scene: TournamentScene, how: str, cents: int, item: str, event: Event, voucher: HeldVoucher | None, *, is_fee: bool
) -> tuple[e.Paid, list[Refusal]]:
    """Return how a fee or buy-in is paid, at the value that is the same for everybody."""
    pages, what = scene.pages, "fee" if is_fee else "buy-in"
    if voucher is not None:
        return e.Paid("voucher", voucher.fee_cents if is_fee else voucher.buy_in_cents), []
    match how:
        case "cash":
            return e.Paid("cash", cents), []
        case "complimentary":
            allowed = pages.fee.complimentary if is_fee else pages.pool.complimentary
            wrong = [] if allowed or not cents else [scene.refusal(f"no clause allows a complimentary {what}", None)]
            return e.Paid("complimentary", cents), wrong
        case "in_kind":
            listed = event.fee_in_kind if is_fee else event.buy_in_in_kind
            if item not in {kind.item for kind in listed}:
                rule = pages.fee.in_kind if is_fee else pages.pool.in_kind
                known = ", ".join(kind.item for kind in listed) or "nothing"
                why = f"the plan takes {known} in place of the {what} of {dollars(cents)}: {item!r} has no value yet"
                return e.Paid("in_kind", cents, item), [scene.refusal(why, rule)]
            return e.Paid("in_kind", cents, item), []
        case _:
            return e.Paid(how, cents), [Refusal(FORM, f"{what}: {how!r} is not one of {', '.join(_HOW)}")]


def _is_before(occurred: str, at: str) -> bool:
    """Return whether a text is a time in the log's format, and not after `at`."""
    try:
        datetime.strptime(occurred, "%Y-%m-%dT%H:%M:%S.%fZ")  # noqa: DTZ007 - Z is UTC
    except ValueError:
        return False
    return len(occurred) == len(at) and occurred <= at


def _is_late(occurred: str, at: str) -> bool:
    """Return whether an entry was written more than a minute after the money was taken."""
    taken, written = (datetime.fromisoformat(moment) for moment in (occurred, at))
    return (written - taken).total_seconds() > _LATE_SECONDS


def sign_in_player(scene: TournamentScene, command: c.SignInPlayer) -> TournamentVerdict:
    """Have a player sign the sheet, with a copy of the rules."""
    entry = scene.live_entry(command.entry)
    if isinstance(entry, Refusal):
        return [entry]
    if entry.has_signed_in:
        return [Refusal(FORM, f"{entry.name} has signed in already")]
    return [e.PlayerSignedIn(entry.number)]


def withdraw_entry(scene: TournamentScene, command: c.WithdrawEntry) -> TournamentVerdict:
    """Take back an entry that has not played, before its event's pool is awarded; what was paid goes back."""
    entry = scene.live_entry(command.entry)
    if isinstance(entry, Refusal):
        return [entry]
    refusals = unfit_text(command.reason, "why it is withdrawn")
    if entry.round or entry.bought:
        refusals.append(
            scene.refusal(f"{entry.name} has played: buy-ins stay in the pool", scene.pages.pool.keeps_nothing)
        )
    if entry.event_name in scene.state.concluded:
        refusals.append(scene.refusal(f"{entry.event_name} is over: its pool is awarded", scene.pages.pool.pays_all))
    elif entry.buy_in.cents > scene.state.free(entry.event_name):
        refusals.append(scene.refusal("this buy-in is in a prize that was awarded", scene.pages.pool.pays_all))
    return refusals or [e.EntryWithdrawn(entry.number, command.reason.strip())]


def sell_chips(scene: TournamentScene, command: c.BuyChips) -> TournamentVerdict:
    """Sell chips as the plan allows everybody; they are played from the next game on."""
    state, pages = scene.state, scene.pages
    entry = state.entry(command.entry)
    if entry is None or entry.status in {"disqualified", "withdrawn", "placed"}:
        return [Refusal(FORM, f"there is no entry {command.entry} that may buy chips")]
    event = state.event(entry.event_name)
    assert event is not None
    offers: dict[str, Rebuy | AddOn | None] = {"rebuy": event.rebuy, "add_on": event.add_on}
    offer = offers.get(command.kind)
    if offer is None:
        why = f"{event.name} has no {command.kind.replace('_', '-')}s"
        return [scene.refusal(why, pages.play.equal_chance)]
    refusals = _unfit_buyer(scene, entry)
    held = next((held for held in reversed(state.rounds_of(event.name))), None)
    if held is None or held.name not in offer.rounds or entry.number not in held.entries:
        why = f"{command.kind.replace('_', '-')}s are for those who play {', '.join(offer.rounds)}, during or after it"
        refusals.append(scene.refusal(why, pages.play.equal_chance))
    if entry.bought.get(command.kind, 0) >= offer.most:
        why = f"{entry.name} has had {offer.most} {command.kind.replace('_', '-')}s: more are not allowed to anybody"
        refusals.append(scene.refusal(why, pages.limits.buy_ins, pages.play.equal_chance))
    has_chips = entry.points or entry.is_back
    if command.kind == "rebuy" and (has_chips or not held or str(entry.number) not in held.points):
        refusals.append(scene.refusal(f"{entry.name} has chips left, or a game going on", pages.play.elimination))
    if command.kind == "add_on" and entry.status == "eliminated":
        refusals.append(scene.refusal(f"{entry.name} is out", pages.play.elimination))
    if held and held.name == event.rounds[-1].name and held.phase in {"playing", "ended"}:
        why = "chips are played from the next game on, and this was the last"
        refusals.append(scene.refusal(why, pages.play.chips_on_table))
    if command.how not in {"cash", "complimentary"}:
        refusals.append(Refusal(FORM, f"how: {command.how!r} is not one of cash, complimentary"))
    return refusals or [e.ChipsBought(entry.number, command.kind, e.Paid(command.how, offer.cents), offer.points)]


def _unfit_buyer(scene: TournamentScene, entry: KnownEntry) -> list[Refusal]:
    """Return why an entry may buy nothing more: its event is over, or its player has another one by now."""
    refusals = []
    if entry.event_name in scene.state.concluded:
        refusals.append(scene.refusal(f"{entry.event_name} is over: its pool is awarded", scene.pages.pool.pays_all))
    if entry.status not in LIVE:
        refusals += _too_many(scene, entry.name, entry.account)
    return refusals


def disqualify(scene: TournamentScene, command: c.Disqualify) -> TournamentVerdict:
    """Disqualify an entry; for two live entries at once, all entries of the player."""
    entry, pages = scene.state.entry(command.entry), scene.pages
    rules: tuple[tuple[Rule | None, ...], ...] = (
        (pages.entry.disqualified, pages.entry.no_prize),
        (pages.play.no_stand_ins,),
        (pages.play.no_wagers_for_others,),
        (pages.play.no_hidden_chips,),
        (None,),
    )
    causes = dict(zip(c.CAUSES, rules, strict=True))
    if entry is None or entry.status in {"disqualified", "withdrawn"}:
        return [Refusal(FORM, f"there is no entry {command.entry} to disqualify")]
    refusals = unfit_text(command.reason, "what happened")
    if command.cause not in causes:
        refusals.append(Refusal(FORM, f"cause: {command.cause!r} is not one of {', '.join(causes)}"))
    if refusals:
        return refusals
    clause, out = scene.rules.clause(*causes[command.cause]), [entry]
    if command.cause == "two_entries":
        mine = player_key(entry.name, entry.account)
        gone = {"disqualified", "withdrawn"}
        out = [
            entry
            for entry in scene.state.entries.values()
            if player_key(entry.name, entry.account) == mine and entry.status not in gone
        ]
    events: list[e.TournamentEvent] = [
        e.PlayerDisqualified(entry.number, clause, command.reason.strip()) for entry in out
    ]
    split = scene.state.split
    if split is not None and any(str(entry.number) in split.shares for entry in out):
        events.append(e.SplitStopped(f"entry {entry.number} is disqualified"))
    return [*events, *forfeit_prizes(scene, out, clause)]


def _unfit_name(name: str) -> list[Refusal]:
    fits = 0 < len(name.strip()) <= _TEXT_MAX and name.isprintable()
    return [] if fits else [Refusal(FORM, "a player needs a name")]


def _no_event(scene: TournamentScene, name: str) -> Refusal:
    events = ", ".join(event.name for event in scene.state.plan.events)
    return Refusal(FORM, f"this tournament has no event {name!r}; it has {events}")
