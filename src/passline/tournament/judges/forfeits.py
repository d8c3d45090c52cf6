"""Forfeits: what somebody won who is disqualified before it was handed out goes to the best of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from passline.tournament import events as e
from passline.tournament.judges.prize_money import ranks_in
from passline.tournament.judges.scene import TournamentScene
from passline.tournament.results.prizes import Award, shared_out
from passline.tournament.results.ranking import Rank
from passline.tournament.state import KnownEntry, TournamentState

__all__ = ["forfeited"]


def forfeited(scene: TournamentScene, out: Sequence[KnownEntry], clause: str) -> list[e.TournamentEvent]:
    """Pass on what these entries won: vouchers go back to their pools, cash and things to the next best."""
    state, events, gone = scene.state, list[e.TournamentEvent](), {one.number for one in out}
    awards, breaches = dict(state.awards), 0
    for entry in out:
        events += _returned(state, entry.number)
        lost = awards.pop(str(entry.number), None)
        if lost is None:
            continue
        heirs = _heirs(state, entry.event_name, lost.place, gone)
        going = next((one.name for one in state.plan.events if one.name not in state.concluded), "")
        changed, is_left = _passed_on(lost, heirs, awards, _handed_things(state))
        if heirs:
            events += _carried(state, entry, state.entries[str(heirs[0].entry)].event_name, lost.pool_cents)
        elif going:  # whoever plays it wins the cash
            events += _carried(state, entry, going, lost.pool_cents)
            changed, is_left = [Award(entry.number, lost.place)], bool(lost.house_cents or lost.item)
        awards |= {str(one.entry): one for one in changed}
        events += (e.PrizeForfeited(entry.number, one, clause) for one in changed)
        if is_left:
            why = f"nobody is left to win what entry {entry.number} has won"
            events.append(scene.breach(why, None, entry=entry.number, after=breaches))
            breaches += 1
    return events


def _returned(state: TournamentState, entry: int) -> Iterator[e.VoucherReturned]:
    """Yield the return of the vouchers that an entry has won and not used."""
    for one in state.vouchers.values():
        if one.entry == entry and one.state == "open" and one.event_name not in state.concluded:
            yield e.VoucherReturned(one.number, state.pool_of(one.event_name))


def _heirs(state: TournamentState, event_name: str, place: int, gone: set[int]) -> list[Rank]:
    """Return who comes next, the best first: below in the event, above if nobody is, or else in the latest event."""
    latest = [event for event in reversed(state.plan.events) if event.name in state.concluded]
    for event in sorted(latest, key=lambda one: one.name != event_name):  # this one before the others
        ranks = [one for one in ranks_in(state, event) if one.entry not in gone]
        below = [one for one in ranks if one.place >= place] if event.name == event_name else []
        if below or ranks:
            return below or ranks
    return []


def _carried(state: TournamentState, entry: KnownEntry, event_name: str, cents: int) -> Iterator[e.PoolCarried]:
    """Yield the move of what an entry won to the pool that it is paid from now, if it is another."""
    source, target = state.pool_of(entry.event_name), state.pool_of(event_name)
    if source != target and cents:
        yield e.PoolCarried(source, target, cents)


def _handed_things(state: TournamentState) -> set[int]:
    """Return the entries that have been handed a thing: an award holds one."""
    won = {one.entry for awards in state.results.values() for one in awards if one.item}
    return {one for one in won if str(one) not in state.awards}


def _passed_on(
    lost: Award, heirs: Sequence[Rank], awards: Mapping[str, Award], handed: set[int]
) -> tuple[list[Award], bool]:
    """Return the awards that change, and whether something is left that nobody can win.

    Cash is shared by all who are level. A thing goes to the next, whose own goes to the one after, and so on.
    """
    if not heirs:
        return [], True
    level = [one for one in heirs if one.place == heirs[0].place]
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
