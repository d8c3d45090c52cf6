"""Divides a pool to the cent: every share is rounded down, and each cent left over goes to the best places in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from passline.money import Cents
from passline.tournament.plan.schema import Event, Place, Prize
from passline.tournament.results.ranking import Rank


class Award(Struct, frozen=True, gc=False, omit_defaults=True):
    """What an entry wins: cash from the pool and from the house, a thing, a voucher."""

    entry: int
    place: int
    pool_cents: int = 0
    house_cents: int = 0
    item: str = ""
    item_cents: int = 0
    voucher: str = ""  # the event that it lets its winner enter
    voucher_cents: int = 0  # of the pool


def shared_out(cents: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Share cents out by weight, to the last one.

    >>> shared_out(100_00, (50, 30, 20)), shared_out(100, (1, 1, 1)), shared_out(100, ())
    ((5000, 3000, 2000), (34, 33, 33), ())
    """
    whole = sum(weights)
    if not whole:
        return (0,) * len(weights)
    shares = [cents * weight // whole for weight in weights]
    for place in range(cents - sum(shares)):
        shares[place] += 1
    return tuple(shares)


def places_paid(event: Event, entries: int, players: int) -> tuple[Place, ...]:
    """Return the places that win something: as many as have players, and as the number of entries allows."""
    lawful = [place for place in event.places if place.entries_from <= entries and place.place <= players]
    return tuple(sorted(lawful, key=lambda place: place.place))


def awards_of(
    places: Sequence[Place], ranks: Sequence[Rank], pool: Cents, voucher_cents: Iterable[int] = ()
) -> tuple[Award, ...]:
    """Return what each of the best ranks wins; the pool goes out whole.

    Vouchers come out of the pool first (`voucher_cents`, by place). What is left is shared by the places' shares. Those
    who are tied share the cash of the places that they fill; a thing or voucher needs the tie to be parted first.

    >>> half = [Place(place=place, prize=Prize(basis_points=5000)) for place in (1, 2)]
    >>> [(award.entry, award.pool_cents) for award in awards_of(half, [Rank(1, 7, 90), Rank(2, 4, 80)], Cents(101))]
    [(7, 51), (4, 50)]
    >>> [(award.entry, award.pool_cents) for award in awards_of(half, [Rank(1, 4, 90), Rank(1, 7, 90)], Cents(101))]
    [(4, 51), (7, 50)]
    """
    vouchers = tuple(voucher_cents) or (0,) * len(places)
    weights = [place.prize.basis_points for place in places]
    shares = shared_out(pool - sum(vouchers), weights if any(weights) else [1] * len(places))
    awards: list[Award] = []
    for _, level in groupby(ranks, key=lambda rank: rank.place):
        tied, first = list(level), len(awards)
        filled = range(first, min(first + len(tied), len(places)))
        if not filled:
            break
        cash = shared_out(sum(shares[index] for index in filled), (1,) * len(tied))
        besides = shared_out(sum(places[index].prize.cents for index in filled), (1,) * len(tied))
        whole = places[first].prize if len(tied) == 1 else Prize()
        awards += (
            Award(
                rank.entry,
                rank.place,
                pool_cents=cash[number],
                house_cents=besides[number],
                item=whole.item,
                item_cents=whole.item_cents if whole.item else 0,
                voucher=whole.voucher,
                voucher_cents=vouchers[first] if whole.voucher else 0,
            )
            for number, rank in enumerate(tied)
        )
    return tuple(awards)


def is_parted(places: Sequence[Place], ranks: Sequence[Rank]) -> bool:
    """Return whether nobody is tied for a thing or a voucher, which cannot be shared.

    >>> car = [Place(place=1, prize=Prize(item="a car"))]
    >>> is_parted(car, [Rank(1, 4, 90), Rank(1, 7, 90)]), is_parted(car, [Rank(1, 4, 90), Rank(2, 7, 80)])
    (False, True)
    """
    tied = {rank.place for rank in ranks if sum(1 for other in ranks if other.place == rank.place) > 1}
    return not any(place.prize.is_whole and rank.place in tied for place, rank in zip(places, ranks, strict=False))
