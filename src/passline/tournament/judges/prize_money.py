"""Prize money: who may win a place, what places win as the pool stands, and who wins what a disqualified entry had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from passline.money import Cents
from passline.tournament import events as e
from passline.tournament.judges.rounds import standing_of
from passline.tournament.judges.scene import TournamentScene
from passline.tournament.plan.schema import Event, Place
from passline.tournament.results.prizes import Award, awards_of, places_paid, shared_out
from passline.tournament.results.ranking import Rank, ranks_of
from passline.tournament.rules import TournamentPages
from passline.tournament.state import KnownEntry, TournamentState

OUT = frozenset({"disqualified", "withdrawn", "refunded"})
"""The status of who can win nothing any more."""


def places_of(state: TournamentState, event: Event) -> tuple[Place, ...]:
    """Return the places of an event that win something, as many as have players."""
    entries = [entry for entry in state.of_event(event.name) if entry.status != "withdrawn"]
    return places_paid(event, len(entries), len(_in_the_running(state, event)))


def ranks_in(state: TournamentState, event: Event) -> tuple[Rank, ...]:
    """Return the order of everybody who has played an event and may win."""
    return ranks_of(standing_of(entry) for entry in _in_the_running(state, event))


def _in_the_running(state: TournamentState, event: Event) -> list[KnownEntry]:
    """Return who may win something: everybody who has played, or whoever is there if too few came to play at all."""
    is_walk_over = not state.rounds_of(event.name)
    return [entry for entry in state.of_event(event.name) if entry.status not in OUT and (entry.round or is_walk_over)]


def expected_awards(pages: TournamentPages, state: TournamentState, event: Event) -> tuple[Award, ...]:
    """Return what the places of an event win if nothing more comes in; those of the plan if nobody has entered."""
    places = places_of(state, event) or tuple(sorted(event.places, key=lambda place: place.place))
    ranks = [Rank(number, number, 0) for number in range(1, len(places) + 1)]
    values = voucher_values(pages, state, places)
    return awards_of(places, ranks, max(to_award(pages, state, event), Cents(sum(values))), values)


def cash_of(pages: TournamentPages, state: TournamentState, event: Event, players: int) -> int:
    """Return the cash that the best `players` of an event win together."""
    return sum(award.pool_cents + award.house_cents for award in expected_awards(pages, state, event)[:players])


def to_award(pages: TournamentPages, state: TournamentState, event: Event) -> Cents:
    """Return what an event pays out: its share of the pool, and no less than its vouchers are worth."""
    need = sum(voucher_values(pages, state, places_of(state, event)))
    return Cents(max(state.to_award(event), min(need, state.free(event.name))))


def voucher_values(pages: TournamentPages, state: TournamentState, places: Sequence[Place]) -> list[int]:
    """Return what the voucher of each place is worth, 0 for none."""
    return [sum(voucher_cents(pages, state, place)) for place in places]


def voucher_cents(pages: TournamentPages, state: TournamentState, place: Place) -> tuple[int, int]:
    """Return the fee and buy-in that a place's voucher is good for.

    Where the event has neither, the voucher is a buy-in of what the plan says it is worth, if the text has it so.
    """
    target = state.event(place.prize.voucher)
    if target is None:
        return 0, 0
    if target.fee_cents or target.buy_in_cents:
        return target.fee_cents, target.buy_in_cents
    return 0, place.prize.voucher_cents if pages.voucher.no_fee else 0


def forfeit_prizes(scene: TournamentScene, out: Sequence[KnownEntry], clause: str) -> list[e.TournamentEvent]:
    """Take back what these entries won: vouchers go back to their pools, cash and things go to the next best."""
    state, events, gone = scene.state, list[e.TournamentEvent](), {entry.number for entry in out}
    awards, breaches = dict(state.awards), 0
    for entry in out:
        events += _vouchers_back(state, entry.number)
        lost = awards.pop(str(entry.number), None)
        if lost is None:
            continue
        heirs = _heirs(state, entry.event_name, lost.place, gone)
        going = next((event.name for event in state.plan.events if event.name not in state.concluded), "")
        changed, is_left = _passed_on(lost, heirs, awards, _handed_things(state))
        if heirs:
            events += _pool_moves(state, entry, state.entries[str(heirs[0].entry)].event_name, lost.pool_cents)
        elif going:  # whoever plays it wins the cash
            events += _pool_moves(state, entry, going, lost.pool_cents)
            changed, is_left = [Award(entry.number, lost.place)], bool(lost.house_cents or lost.item)
        awards |= {str(award.entry): award for award in changed}
        events += (e.PrizeForfeited(entry.number, award, clause) for award in changed)
        if is_left:
            why = f"nobody is left to win what entry {entry.number} has won"
            events.append(scene.breach(why, None, entry=entry.number, after=breaches))
            breaches += 1
    return events


def _vouchers_back(state: TournamentState, entry: int) -> Iterator[e.VoucherReturned]:
    """Yield the return of the vouchers that an entry has won and not used."""
    for voucher in state.vouchers.values():
        if voucher.entry == entry and voucher.state == "open" and voucher.event_name not in state.concluded:
            yield e.VoucherReturned(voucher.number, state.pool_of(voucher.event_name))


def _heirs(state: TournamentState, event_name: str, place: int, gone: set[int]) -> list[Rank]:
    """Return who inherits a prize, best first: those placed below, or else above, or else in the latest event."""
    latest = [event for event in reversed(state.plan.events) if event.name in state.concluded]
    for event in sorted(latest, key=lambda event: event.name != event_name):  # this one before the others
        ranks = [rank for rank in ranks_in(state, event) if rank.entry not in gone]
        below = [rank for rank in ranks if rank.place >= place] if event.name == event_name else []
        if below or ranks:
            return below or ranks
    return []


def _pool_moves(state: TournamentState, entry: KnownEntry, event_name: str, cents: int) -> Iterator[e.PoolCarried]:
    """Yield the transfer of a forfeited prize to the heir's pool, where that is another pool."""
    source, target = state.pool_of(entry.event_name), state.pool_of(event_name)
    if source != target and cents:
        yield e.PoolCarried(source, target, cents)


def _handed_things(state: TournamentState) -> set[int]:
    """Return the entries that have been handed a thing already; nobody gets a second one."""
    won = {award.entry for awards in state.results.values() for award in awards if award.item}
    return {entry for entry in won if str(entry) not in state.awards}


def _passed_on(
    lost: Award, heirs: Sequence[Rank], awards: Mapping[str, Award], handed: set[int]
) -> tuple[list[Award], bool]:
    """Return the awards that change, and whether something is left that nobody can win.

    Cash is shared by all who are level. A thing goes to the next, whose own goes to the one after, and so on.
    """
    if not heirs:
        return [], True
    level = [rank for rank in heirs if rank.place == heirs[0].place]
    equal = (1,) * len(level)
    pool, house = shared_out(lost.pool_cents, equal), shared_out(lost.house_cents, equal)
    changed = dict[int, Award]()

    def now(rank: Rank) -> Award:
        return changed.get(rank.entry) or awards.get(str(rank.entry)) or Award(rank.entry, rank.place)

    if lost.pool_cents or lost.house_cents:
        for number, rank in enumerate(level):
            has = now(rank)
            cash = {"pool_cents": has.pool_cents + pool[number], "house_cents": has.house_cents + house[number]}
            changed[rank.entry] = replace(has, **cash)
    item, item_cents = lost.item, lost.item_cents
    for rank in heirs:
        if item and rank.entry not in handed:
            has = now(rank)
            changed[rank.entry] = replace(has, item=item, item_cents=item_cents)
            item, item_cents = has.item, has.item_cents
    return list(changed.values()), bool(item)
