"""Conclusion: places and prizes of an event, vouchers, pools carried forward, payment, and the books closed at zero."""

from __future__ import annotations

from collections.abc import Mapping

from passline.money import Cents
from passline.money import dollar_amount as dollars
from passline.refusal import Refusal
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.cancelling import unfit_close
from passline.tournament.judges.play_days import day_of, last_play_day
from passline.tournament.judges.prize_money import OUT, places_of, ranks_in, to_award, voucher_cents, voucher_values
from passline.tournament.judges.rounds import PLAYERS_MIN, next_players
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict, unfit_text
from passline.tournament.plan.schema import Event, Place, Prize
from passline.tournament.results.prizes import Award, awards_of, is_parted
from passline.tournament.results.ranking import Rank
from passline.tournament.state import TournamentState


def conclude_event(scene: TournamentScene, command: c.ConcludeEvent) -> TournamentVerdict:
    """Award the places of an event whose last round is over."""
    state = scene.state
    event = state.event(command.event)
    if event is None or event.name in state.concluded:
        return [Refusal(FORM, f"this tournament has no event {command.event!r} that goes on")]
    if unfit := unfit_end(scene, event):
        return unfit
    day = day_of(scene, command.day)
    if isinstance(day, Refusal):
        return [day]
    held, last = state.rounds_of(event.name), last_play_day(scene)
    goes_on = len(held) < len(event.rounds) and len(next_players(state, event)) >= PLAYERS_MIN
    waits = [entry for entry in state.of_event(event.name) if entry.status == "entered" and not entry.has_signed_in]
    is_open = goes_on or bool(held and held[-1].phase != "ended")
    is_cut = is_open and last is not None and day > last and (not held or held[-1].phase != "playing")
    if (is_open and not is_cut) or (not held and waits):
        return [Refusal(FORM, f"{event.name} has not had its last round")]
    cut: list[e.TournamentEvent] = []
    if is_cut:
        cut = [scene.breach(f"{event.name} ends without its last round, after {last}", scene.pages.length)]
    places, ranks = places_of(state, event), ranks_in(state, event)
    if unfit := _undivided_ties(scene, places, ranks):
        return unfit
    pool = to_award(scene.pages, state, event)
    if pool and not ranks and event == state.plan.events[-1]:
        return _award_unplayed(scene, event, pool, cut)
    awards = awards_of(places, ranks, pool, voucher_values(scene.pages, state, places))
    return [*cut, *_conclusion(scene, event, {str(rank.entry): rank.place for rank in ranks}, awards)]


def _award_unplayed(
    scene: TournamentScene, event: Event, pool: Cents, cut: list[e.TournamentEvent]
) -> TournamentVerdict:
    """Award the pool of a last event without players by the places of the latest event that was played."""
    state = scene.state
    for played in reversed(state.plan.events):
        if ranks := ranks_in(state, played):
            places = ((place.place, Prize(basis_points=place.prize.basis_points)) for place in places_of(state, played))
            cash = [Place(place=place, prize=prize) for place, prize in places]
            ended: list[e.TournamentEvent] = [*cut, e.EventConcluded(event.name, {}, awards_of(cash, ranks, pool))]
            source, target = state.pool_of(event.name), state.pool_of(played.name)
            return ended if source == target else [*ended, e.PoolCarried(source, target, pool)]
    why = f"{dollars(pool)} are in the pool and nobody is there to win them"
    return [scene.refusal(why, scene.pages.pool.pays_all)]


def unfit_end(scene: TournamentScene, event: Event) -> list[Refusal]:
    """Return why an event cannot end yet, by play or by a split: open vouchers, money still to be added."""
    state = scene.state
    before = state.plan.events[: state.plan.events.index(event)]
    if going := [earlier.name for earlier in before if earlier.name not in state.concluded]:
        return [Refusal(FORM, f"{', '.join(going)} must be over first: what is left of a pool is carried forward")]
    refusals = []
    unused = [
        voucher.number
        for voucher in state.vouchers.values()
        if (voucher.event_name, voucher.state) == (event.name, "open")
    ]
    if unused:
        numbers = " and ".join(map(str, unused))
        why = f"still open for {event.name}: voucher {numbers}; each is used, or returned to the pool, first"
        refusals.append(scene.refusal(why, scene.pages.pool.pays_all))
    promised = state.plan.house_adds_cents
    if event == state.plan.events[-1] and (added := state.added_by_house()) < promised:
        why = f"the house adds {dollars(promised)} by the rule sheet, and has added {dollars(added)}"
        refusals.append(scene.refusal(why, scene.pages.pool.pays_all))
    need, pool = sum(voucher_values(scene.pages, state, places_of(state, event))), to_award(scene.pages, state, event)
    if need > pool:
        why = f"the vouchers are worth {dollars(need)} and the pool has {dollars(pool)}: the house adds money first"
        refusals.append(scene.refusal(why, scene.pages.voucher.prize))
    return refusals


def _undivided_ties(scene: TournamentScene, places: tuple[Place, ...], ranks: tuple[Rank, ...]) -> list[Refusal]:
    """Return why a tie must be parted before prizes are awarded."""
    ties = scene.state.plan.sheet.ties
    if not is_parted(places, ranks):
        why = "players are level for a prize that cannot be shared: part them first, as the rule sheet says"
        return [scene.refusal(why, scene.pages.chips.rank)]
    if ties != "shared" and _is_level(places, ranks):
        why = f"players are level for a prize: the rule sheet parts ties by {ties}"
        return [scene.refusal(why, scene.pages.chips.rank)]
    return []


def _is_level(places: tuple[Place, ...], ranks: tuple[Rank, ...]) -> bool:
    """Return whether players are level where a prize is won."""
    return any(ranks[number].place == ranks[number + 1].place for number in range(min(len(places), len(ranks) - 1)))


def unfit_split(scene: TournamentScene, event: Event, shares: Mapping[str, int]) -> list[Refusal]:
    """Return why an event cannot be awarded as its last players agreed."""
    ranks = _split_ranks(scene.state, event, shares)
    return unfit_end(scene, event) or _undivided_ties(scene, places_of(scene.state, event), ranks)


def _split_ranks(state: TournamentState, event: Event, shares: Mapping[str, int]) -> tuple[Rank, ...]:
    """Return the order of an event that ends by a split: those who agreed come first, the others as they stand."""
    ranks = ranks_in(state, event)
    played = [rank.entry for rank in ranks if str(rank.entry) in shares]
    agreed = [*played, *sorted({*map(int, shares)} - {*played})]  # who entered again may not have played yet
    others = [rank for rank in ranks if str(rank.entry) not in shares]
    first = {rank.place: number for number, rank in reversed([*enumerate(others, start=len(agreed) + 1)])}
    return (
        *(Rank(number, entry, state.entries[str(entry)].points) for number, entry in enumerate(agreed, start=1)),
        *(Rank(first[rank.place], rank.entry, rank.points) for rank in others),
    )


def award_split(scene: TournamentScene, event: Event, shares: Mapping[str, int]) -> list[e.TournamentEvent]:
    """Award an event as its last players agreed; those who are out already win what their places say."""
    state = scene.state
    places, numbered, agreed = places_of(state, event), _split_ranks(state, event, shares), {*shares}
    by_play = awards_of(
        places, numbered, to_award(scene.pages, state, event), voucher_values(scene.pages, state, places)
    )
    pool = sum(award.pool_cents for award in by_play if str(award.entry) in agreed)
    awards = [award for award in by_play if str(award.entry) not in agreed]
    for entry, cents in sorted(shares.items(), key=lambda share: int(share[0])):
        from_pool = min(cents, pool)
        pool -= from_pool
        awards.append(Award(int(entry), 1, pool_cents=from_pool, house_cents=cents - from_pool))
    result = {str(rank.entry): 1 if str(rank.entry) in agreed else rank.place for rank in numbered}
    held = state.rounds_of(event.name)[-1]
    ended: list[e.TournamentEvent] = [] if held.phase == "ended" else [e.RoundEnded(held.number, ())]
    return [*ended, *_conclusion(scene, event, result, tuple(awards))]


def _conclusion(
    scene: TournamentScene, event: Event, places: dict[str, int], awards: tuple[Award, ...]
) -> list[e.TournamentEvent]:
    """Return what is recorded when an event ends: awards, vouchers, and money carried into the next event's pool."""
    state, not_prize = scene.state, scene.pages.voucher.not_prize
    events: list[e.TournamentEvent] = [e.EventConcluded(event.name, places, awards)]
    number = len(state.vouchers)
    planned = {place.place: place for place in event.places}
    for award in awards:
        if award.voucher:
            number += 1
            fee, buy_in = voucher_cents(scene.pages, state, planned[award.place])
            target = state.event(award.voucher)
            has_price = target is not None and bool(target.fee_cents or target.buy_in_cents)
            is_prize = has_price or not_prize is None
            events.append(e.VoucherIssued(number, award.entry, award.voucher, fee, buy_in, is_prize))
    later = state.plan.events[state.plan.events.index(event) + 1 :]
    if state.plan.pools == "by_event" and later:
        pool = state.pool_of(event.name)
        awarded = sum(award.pool_cents + award.voucher_cents for award in awards)
        if left := state.balances.get(pool, 0) - state.unpaid_awards(event.name) - awarded:
            events.append(e.PoolCarried(pool, state.pool_of(later[0].name), left))
    return events


def count_fees(scene: TournamentScene, command: c.CountFees) -> TournamentVerdict:
    """Count the cash of fees; where it differs from the entries, that is a breach to be looked into."""
    if command.counted < 0:
        return [Refusal(FORM, "a count is not below zero")]
    expected, apart = scene.state.fees_expected(), scene.pages.fee.apart
    counted = e.FeesCounted(command.counted, expected, scene.by.account if apart and apart.agrees else "")
    if command.counted == expected:
        return [counted]
    why = f"{dollars(command.counted)} of entry fees in cash were counted; the entries paid {dollars(expected)}"
    events: list[e.TournamentEvent] = [counted, scene.breach(why, apart)]
    return events


def settle_fees(scene: TournamentScene, command: c.SettleFees) -> TournamentVerdict:
    """Record why the last count of fees differs, by somebody who did not make it: then the books can be closed."""
    state, apart = scene.state, scene.pages.fee.apart
    difference = _fee_difference(scene)
    if not difference:
        return [Refusal(FORM, "the last count of fees leaves nothing to settle")]
    refusals = []
    if state.fees_counted_by == scene.by.account:
        why = f"{scene.by.name} has counted these fees: somebody else settles the difference, or counts again"
        refusals.append(scene.refusal(why, apart))
    refusals += unfit_text(command.reason, "why the cash differs")
    reason, clause = command.reason.strip(), scene.rules.clause(apart)
    return refusals or [e.FeesSettled(state.fees_count, state.fees_expected(), reason, clause)]


def _fee_difference(scene: TournamentScene) -> int:
    """Return by how much the last count of fees differs from what was paid, where that must be settled."""
    state, apart = scene.state, scene.pages.fee.apart
    if apart is None or not apart.agrees or not state.fees_counted or state.are_fees_settled:
        return 0
    return state.fees_count - state.fees_expected()


def add_money(scene: TournamentScene, command: c.AddMoney) -> TournamentVerdict:
    """Put money of the house into a pool, from which it is paid to players like the rest."""
    event = scene.state.event(command.event)
    if event is None or event.name in scene.state.concluded or command.cents <= 0:
        return [Refusal(FORM, "name an event that goes on, and an amount")]
    return [e.MoneyAdded(scene.state.pool_of(event.name), command.cents)]


def pay_prize(scene: TournamentScene, command: c.PayPrize) -> TournamentVerdict:
    """Hand a winner what was won, once."""
    award, entry = scene.state.awards.get(str(command.entry)), scene.state.entry(command.entry)
    if award is None or entry is None:
        return [Refusal(FORM, f"entry {command.entry} has no prize to be paid: it has won none, or has it")]
    if entry.status in OUT:
        return [scene.refusal(f"{entry.name} is {entry.status} and wins nothing", scene.pages.entry.no_prize)]
    pool = scene.state.pool_of(entry.event_name)
    return [e.PrizePaid(entry.number, pool, award.pool_cents, award.house_cents, award.item, award.item_cents)]


def return_voucher(scene: TournamentScene, command: c.ReturnVoucher) -> TournamentVerdict:
    """Put the value of a voucher back into the pool of the event that it was for, before that is concluded."""
    voucher = scene.state.vouchers.get(str(command.number))
    if voucher is None or voucher.state != "open":
        return [Refusal(FORM, f"voucher {command.number} is not open")]
    if voucher.event_name in scene.state.concluded:
        return [scene.refusal("its event is over: the pool was paid out", scene.pages.pool.pays_all)]
    return [e.VoucherReturned(voucher.number, scene.state.pool_of(voucher.event_name))]


def close_tournament(scene: TournamentScene, _command: c.CloseTournament) -> TournamentVerdict:
    """Close the books: every event over, every prize handed out, not a cent left in a pool."""
    state, pages = scene.state, scene.pages
    if state.cancelled:
        return unfit_close(scene) or [e.TournamentClosed()]
    refusals = []
    if going := [event.name for event in state.plan.events if event.name not in state.concluded]:
        refusals.append(Refusal(FORM, f"{', '.join(going)} not concluded"))
    if state.awards:
        who = ", ".join(f"entry {entry}" for entry in state.awards)
        refusals.append(scene.refusal(f"prizes are not handed out: {who}", pages.pool.pays_all))
    held = {name: cents for name, cents in state.balances.items() if name.startswith("pool/") or name == "vouchers"}
    if left := sum(map(abs, held.values())):
        rules = (pages.pool.pays_all, pages.pool.keeps_nothing)
        refusals.append(scene.refusal(f"{dollars(left)} of buy-ins are not paid out", *rules))
    if pages.fee.apart and not state.fees_counted and any(entry.fee.cents for entry in state.entries.values()):
        refusals.append(scene.refusal("the cash of entry fees has not been counted", pages.fee.apart))
    elif _fee_difference(scene):
        counted, expected = dollars(state.fees_count), dollars(state.fees_expected())
        why = f"{counted} of entry fees were counted, and the entries paid {expected}: count again, or have somebody "
        refusals.append(scene.refusal(f"{why}who did not count settle the difference", pages.fee.apart))
    return refusals or [e.TournamentClosed()]
