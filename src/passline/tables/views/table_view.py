"""What a page shows of a table: the public view, and the private part of a player or of the crew.

A rack is seen only by its player and the crew: it is in `own_of` and nowhere else, and so is what the crew supervises.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any

from msgspec.structs import asdict

from passline.authority.roles import CREW, PLAYER, TABLE_READERS
from passline.game.markers import markers_after
from passline.game.position import Position, Wager
from passline.game.progressives import meters_of
from passline.game.spots import is_off
from passline.rules.rules import Rules
from passline.streams.course import Actor
from passline.tables.approvals import Approvals
from passline.tables.conduct import may_show_rolls
from passline.tables.live import LiveTable, layout_version, seat_of
from passline.tables.money.points import rolls_left
from passline.tables.rules_in_force import rules_of
from passline.tables.views.settled import settled_wagers
from passline.tables.views.supervision import supervision_view
from passline.tables.views.wording import roll_call

_ROLLS_SHOWN = 20
_NOTHING_APPROVED = Approvals()
# While all that the sources of `_PARTS` read is equal, so is the view but for the wagers. A test holds that they read
# these, what `news_between` compares beside them, and what only the opening of a table sets.
_of_table = attrgetter(
    *("name", "house", "rules", "status", "players", "track", "notice", "frozen", "automate", "dice"),
    *("commitment", "closing", "proof"),
)
_of_position = attrgetter("puck", "is_clearing", "shooter", "dice", "offered_to", "faces", "is_disputed", "seats")


def view_of(live: LiveTable, approvals: Approvals = _NOTHING_APPROVED, stopped: str = "") -> dict[str, Any]:
    """Return the whole public view of a table; `stopped` says why nothing can be dealt, if so."""
    look = _Look(live, approvals, stopped)
    return {
        **{key: show(look) for key, (_source, show) in _PARTS.items()},
        "wagers": [wager_view(look.rules, look.position, wager) for wager in look.position.layout],
    }


def news_between(
    before: LiveTable,
    after: LiveTable,
    approvals: Approvals = _NOTHING_APPROVED,
    approvals_before: Approvals | None = None,
    *,
    stopped: tuple[str, str] = ("", ""),
) -> dict[str, Any]:
    """Return what changed in the view: parts whose source changed, and wagers that differ.

    `approvals_before` are the approvals under which the earlier view was shown, if they were others; `stopped` says why
    nothing could be dealt then, and why now.
    """
    was = _Look(before, approvals if approvals_before is None else approvals_before, stopped[0])
    now = _Look(after, approvals, stopped[1])
    changed: dict[str, Any] = {}
    is_shown_alike = (
        was.may_show_rolls is now.may_show_rolls
        and was.stopped == now.stopped
        and before.game.meters is after.game.meters
    )
    if (
        is_shown_alike
        and _of_table(before) == _of_table(after)
        and _of_position(was.position) == _of_position(now.position)
    ):
        return {"changed": changed, **_wagers_between(was, now)}  # the case of nearly every wager
    for key, (source, show) in _PARTS.items():
        old, new = source(was), source(now)
        if old is not new and old != new:
            changed[key] = show(now)
    return {"changed": changed, **_wagers_between(was, now)}


def _money_for(live: LiveTable, by: Actor, held: dict[str, int]) -> dict[str, Any]:
    """Return the table's money for somebody who sees it; not where nobody keys it in, nor before a blind count."""
    if not live.is_keyed:
        return {"not_covered": [*held]}
    if live.books is not None and by.role in CREW:
        return {"counted_blind": [*held]}
    return held


def own_of(live: LiveTable, by: Actor | None) -> dict[str, Any] | None:
    """Return the private part: a player's own rack, or the table's money for the crew; None for a spectator.

    A person who plays at the table sees no other rack in any role, except in a demo.
    """
    if by is None or (by.role != PLAYER and not live.is_demo and seat_of(live, by.account)):
        return None
    money = live.game.money
    who = {"role": by.role, "account": by.account, "name": by.name}
    if by.role in TABLE_READERS:
        racks = {str(seat): money.racks[seat - 1] for seat in live.players}
        held = {"bank": money.bank, "drop": money.drop, "tip_box": money.tip_box}
        return {
            **who,
            **_money_for(live, by, held),
            "owes": live.owes,
            "racks": racks,
            "supervision": supervision_view(live),
            "by_slip": live.books is not None,  # fills and credits come by the office's slips
        }
    if by.role != PLAYER:
        return None
    seat = seat_of(live, by.account)
    return {
        **who,
        "seat": seat,
        "rack": money.racks[seat - 1] if seat else 0,
        "coupon": money.coupons[seat - 1] if seat else 0,
    }


def wager_view(rules: Rules, position: Position, wager: Wager) -> dict[str, Any]:
    """Return a wager as a page shows it."""
    return {
        **asdict(wager),
        "is_off": is_off(rules, position, wager),
        "name": rules.wagers[wager.kind].display_name(wager.number),
    }


def _wagers_between(was: _Look, now: _Look) -> dict[str, Any]:
    old, new = was.position.layout, now.position.layout
    up: list[Wager] = []
    gone: list[tuple[int, str, str, int]] = []
    if len(new) == len(old) + 1 and (added := _added_to(old, new)) is not None:  # the case of nearly every wager
        up = [added]
    elif old is not new:
        went, came = map(set, without_shared_ends(old, new))
        up = sorted(came - went)
        kept = {_key(wager) for wager in up}
        gone = [key for key in map(_key, sorted(went - came)) if key not in kept]
    if (was.position.puck > 0) is not (now.position.puck > 0):  # wagers that stayed may be off now, or working again
        fresh = set(up)
        turned = (
            wager
            for wager in new
            if wager not in fresh
            and is_off(was.rules, was.position, wager) is not is_off(now.rules, now.position, wager)
        )
        up = sorted((*up, *turned))
    return {"wagers_gone": gone, "wagers_up": [wager_view(now.rules, now.position, wager) for wager in up]}


def _added_to(old: tuple[Wager, ...], new: tuple[Wager, ...]) -> Wager | None:
    """Return the wager by which a layout is longer than another, if that is all; None if not."""
    place = _count_shared(old, new)
    return new[place] if old[place:] == new[place + 1 :] else None


def without_shared_ends(old: tuple[Wager, ...], new: tuple[Wager, ...]) -> tuple[tuple[Wager, ...], tuple[Wager, ...]]:
    """Return two layouts without the wagers at their beginnings and ends that are the same, which are nearly all."""
    first = _count_shared(old, new)
    old, new = old[first:], new[first:]
    last = _count_shared(old[::-1], new[::-1])
    return old[: len(old) - last], new[: len(new) - last]


def _count_shared(old: tuple[Wager, ...], new: tuple[Wager, ...]) -> int:
    """Return how many wagers two layouts share before the first that differs."""
    return next(compress(count(), map(is_not, old, new)), min(len(old), len(new)))


def _key(wager: Wager) -> tuple[int, str, str, int]:
    return wager.seat, wager.owner, wager.kind, wager.number


class _Look:
    """A table, and what several parts of its view need."""

    __slots__ = ("live", "may_show_rolls", "position", "rules", "stopped")

    def __init__(self, live: LiveTable, approvals: Approvals, stopped: str) -> None:
        self.live = live
        self.stopped = stopped
        self.position = live.game.position
        self.rules = rules_of(live)
        self.may_show_rolls = may_show_rolls(self.rules, approvals)


def _limits(look: _Look) -> dict[str, Any]:
    """Return the table's limits, and those of each wager that has its own."""
    house = look.rules.house
    least, most = house.wager_cents_min, house.wager_cents_max
    own = {
        kind: {"min": rule.min, "max": rule.max}
        for kind, rule in look.rules.wagers.items()
        if rule.is_offered and not rule.behind and (rule.min, rule.max) != (least, most)
    }
    return {"min": least, "max": most, "wagers": own}


def _notice(look: _Look) -> dict[str, Any] | None:
    notice = look.live.notice
    if notice is None:
        return None
    return {"wager_cents_min": notice.wager_cents_min, "wager_cents_max": notice.wager_cents_max, "at": notice.at}


def _dispute(look: _Look) -> dict[str, Any] | None:
    """Return the dispute, with the entry that each seat's screen had confirmed."""
    frozen = look.live.frozen
    return None if frozen is None else {"reason": frozen.reason, "seat": frozen.seat, "shown": frozen.shown}


def _seats(look: _Look) -> list[dict[str, Any]]:
    states = look.position.seats
    return [
        {"seat": seat, "name": player.name, "state": states[seat - 1]}
        for seat, player in sorted(look.live.players.items())
    ]


def _points(look: _Look) -> dict[str, Any] | None:
    """Return the tournament that a table plays a round of, and how many rolls are left."""
    mode = look.live.points
    if mode is None:
        return None
    return {
        "tournament": mode.tournament,
        "round": mode.round,
        "rolls_left": rolls_left(look.live),
        "has_limits": look.rules.limits_apply,
    }


def _faces(look: _Look) -> tuple[int, int]:
    """Return the dice as they lie: at rest, or as the last roll left them."""
    rolls = look.live.track.rolls
    if look.position.faces != (0, 0) or look.position.dice == "air" or not rolls:
        return look.position.faces
    return rolls[-1].first, rolls[-1].second


def _markers(look: _Look) -> list[dict[str, Any]]:
    markers = markers_after(look.rules, look.live.track.marked, look.position.layout).values()
    meters = meters_of(look.rules, look.live.game)
    return [
        {
            "kind": marker.kind,
            "count": marker.count,
            "lit": marker.lit,
            **({"meter": meters[marker.kind]} if marker.kind in meters else {}),
        }
        for marker in markers
    ]


def _rolls(look: _Look) -> list[dict[str, Any]] | None:
    if not look.may_show_rolls:
        return None
    return [
        {
            "roll": roll.roll,
            "first": roll.first,
            "second": roll.second,
            "point": roll.point,
            "call": roll_call(look.rules, roll),
        }
        for roll in look.live.track.rolls[-_ROLLS_SHOWN:]
    ]


_Source = Callable[[_Look], Any]


def _plain(source: _Source) -> tuple[_Source, _Source]:
    return source, source


# Each part of the view: its source, cheap to compare, and how it is shown.
_PARTS: dict[str, tuple[_Source, _Source]] = {
    "id": _plain(lambda look: look.live.id),
    "name": _plain(lambda look: look.live.name),
    "regulation": _plain(lambda look: look.live.house["rules"]),
    "game": _plain(lambda look: look.live.house["game"]),
    "house": _plain(lambda look: look.live.house["name"]),
    "is_demo": _plain(lambda look: look.live.is_demo),
    "practice": _plain(lambda look: look.live.practice_cents_max),
    "dice": _plain(lambda look: look.live.dice),
    "commitment": _plain(lambda look: look.live.commitment),
    "closing": _plain(lambda look: look.live.closing),
    "proof": _plain(lambda look: look.live.proof),
    "buy_in": _plain(lambda look: look.live.buy_in),
    "is_keyed": _plain(lambda look: look.live.is_keyed),
    "requires_dice_out": _plain(lambda look: look.live.requires_dice_out),
    "points": _plain(_points),
    "automate": _plain(lambda look: look.live.automate),
    "status": _plain(lambda look: look.live.status),
    "rules": _plain(lambda look: look.live.rules),
    "layout": (lambda look: look.live.rules, lambda look: layout_version(look.live)),
    "limits": (lambda look: look.live.rules, _limits),
    "notice": (lambda look: look.live.notice, _notice),
    "frozen": (lambda look: look.live.frozen, _dispute),
    "stopped": _plain(lambda look: look.stopped),
    "puck": _plain(lambda look: look.position.puck),
    "phase": _plain(lambda look: look.position.phase),
    "shooter": _plain(lambda look: look.position.shooter),
    "dice_are": _plain(lambda look: look.position.dice),
    "offered_to": _plain(lambda look: look.position.offered_to),
    "is_disputed": _plain(lambda look: look.position.is_disputed),
    "faces": _plain(_faces),
    "seats": (lambda look: (look.position.seats, look.live.players), _seats),
    "places": _plain(lambda look: len(look.position.seats)),
    "markers": (lambda look: (look.live.track.marked, look.live.game.meters), _markers),
    "rolls": (lambda look: (look.may_show_rolls, look.live.track.rolls), _rolls),
    "histogram": _plain(lambda look: look.live.track.totals if look.may_show_rolls else None),
    "roll": _plain(lambda look: look.live.track.roll),
    "hand": _plain(lambda look: look.live.track.hand),
    "settled": (lambda look: look.live.track.settled, lambda look: settled_wagers(look.live)),
}
