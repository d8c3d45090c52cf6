"""Notation: a whole table, position and money, on one line that parses back to the same table.

    puck ON 6 | shooter 1 | dice held | seats 1 2- 3* of 20 | up 1 pass 10.00; 1 pass_odds 6 20.00; 2 come 9 15.00 on |
    racks 1 470.00; 2 500.00 | bank 9000.00 | drop 1000.00

(on one line). Parts with their default value are left out, and parts may come in any order. A seat is `2` for a seated
player, `2-` for a standing one, `2*` for an employee. A wager is its seat (`2/crew` for a tip), kind, number, amount,
and then, if they apply, `on?`, `on`, `off?` or `off` for a call without or with a button, `vigorish 1.00` charged,
`coupon 25.00`, `needs dealer+boxperson` for missing confirmations, `late` for a wager made while the dice were in the
air, `progress 1,48` for what a side wager has counted. The number of a side wager is its place among those of its kind.
`closed new_hand` names the windows that this hand has closed. `meters beacon 5010000` has what stands on the meter of
each progressive, in ten-thousandths of a cent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

from passline.dice import OUTCOMES, number_code, number_text
from passline.errors import CrapsError
from passline.game.position import METER_CLOSED, Dice, Money, Position, Seat, Table, Wager
from passline.money import dollars

_AMOUNT = re.compile(r"(-?)([0-9]{1,15})\.([0-9]{2})")
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"[1-9][0-9]?|[1-6]-[1-6]")
_FACES = re.compile(r"([1-6])-([1-6])")
_ROLES = re.compile(r"[a-z]+(\|[a-z]+)*")
_PROGRESS = re.compile(r"[0-9]{1,6}(,[0-9]{1,6})*")
_POINTS = frozenset(str(roll.total) for roll in OUTCOMES) - {"7"}  # of any game
SEATS_MAX = 1000
"""More seats than any table has: what names more is no table."""
_METER_MAX = 10**17
_CLOSED = "closed"
_CALLS = ("on?", "on", "off?", "off")
_DICE: tuple[Dice, ...] = get_args(Dice)
_MARKS: dict[Seat, str] = {"seated": "", "standing": "-", "employee": "*"}
_STATES: dict[str, Seat] = {mark: state for state, mark in _MARKS.items()}


class NotationError(CrapsError):
    """A line that is not a table, naming the part that cannot be read.

    >>> parse_table("puck ON 7")
    Traceback (most recent call last):
    passline.game.notation.NotationError: puck ON 7: the puck is OFF, or ON a point: 2 to 6 or 8 to 12
    """


def format_table(table: Table) -> str:
    """Return a table as one line.

    >>> layout = (Wager(1, "player", "pass", 0, 10_00),)
    >>> position = Position(puck=6, shooter=1, dice="held", seats=("seated", ""), layout=layout)
    >>> format_table(Table(position, Money(racks=(470_00, 0), bank=9000_00, coupons=(0, 0))))
    'puck ON 6 | shooter 1 | dice held | seats 1 of 2 | up 1 pass 10.00 | racks 1 470.00 | bank 9000.00'
    """
    position, money = table.position, table.money
    if not len(position.seats) == len(money.racks) == len(money.coupons):
        places = f"{len(position.seats)} seats, {len(money.racks)} racks and {len(money.coupons)} coupons"
        raise NotationError(f"a table has as many racks and coupons as seats, not {places}")
    parts = [format_position(position), _by_seat("racks", money.racks)]
    amounts = {"bank": money.bank, "tips": money.tip_box, "drop": money.drop}
    parts += [f"{name} {dollars(cents)}" for name, cents in amounts.items() if cents]
    parts.append(_by_seat("coupons", money.coupons))
    if money.coupons_taken:
        parts.append(f"coupons_taken {dollars(money.coupons_taken)}")
    if table.meters:
        parts.append("meters " + "; ".join(f"{kind} {_meter(meter)}" for kind, meter in table.meters))
    return " | ".join(filter(None, parts))


def _meter(meter: int) -> str:
    return _CLOSED if meter == METER_CLOSED else str(meter)


def format_position(position: Position) -> str:
    """Return the position alone, with which a table's line begins.

    >>> format_position(Position(seats=("seated", "standing", "employee", "")))
    'puck OFF | seats 1 2- 3* of 4'
    """
    offer = f"offer {position.offered_to}" if position.offered_to or position.offer_from else ""
    parts = [
        f"puck ON {position.puck}" if position.puck else "puck OFF",
        "clearing" if position.is_clearing else "",
        f"shooter {position.shooter}" if position.shooter else "",
        f"dice {position.dice}" if position.dice != "cup" else "",
        f"{offer} from {position.offer_from}" if position.offer_from else offer,
        f"declined {position.declined}" if position.declined else "",
        f"set {position.dice_set}" if position.dice_set else "",
        f"faces {position.faces[0]}-{position.faces[1]}" if position.faces != (0, 0) else "",
        "disputed" if position.is_disputed else "",
        f"closed {' '.join(position.closed)}" if position.closed else "",
        _seats_text(position.seats),
        "up " + "; ".join(format_wager(wager) for wager in position.layout) if position.layout else "",
    ]
    return " | ".join(filter(None, parts))


def _seats_text(seats: tuple[Seat, ...]) -> str:
    taken = [f"{seat}{_MARKS[state]} " for seat, state in enumerate(seats, start=1) if state]
    return f"seats {''.join(taken)}of {len(seats)}" if seats else ""


def _by_seat(name: str, amounts: tuple[int, ...]) -> str:
    listed = [f"{seat} {dollars(cents)}" for seat, cents in enumerate(amounts, start=1) if cents]
    return f"{name} {'; '.join(listed)}" if listed else ""


def format_wager(wager: Wager, *, with_seat: bool = True) -> str:
    """Return one wager as text.

    >>> format_wager(Wager(2, "player", "buy", 4, 25_00, vigorish=1_00, pending=("dealer|boxperson",), late=True))
    '2 buy 4 25.00 vigorish 1.00 needs dealer|boxperson late'
    """
    owner = "" if wager.owner == "player" else f"/{wager.owner}"
    words = [
        f"{wager.seat}{owner}" if with_seat else owner[1:],
        wager.kind,
        number_text(wager.number),
        dollars(wager.cents),
        wager.working,
        f"vigorish {dollars(wager.vigorish)}" if wager.vigorish else "",
        f"coupon {dollars(wager.coupon)}" if wager.coupon else "",
        f"needs {'+'.join(wager.pending)}" if wager.pending else "",
        "late" if wager.late else "",
        f"progress {','.join(map(str, wager.progress))}" if wager.progress else "",
    ]
    return " ".join(filter(None, words))


def parse_table(text: str) -> Table:
    """Parse a table from its line.

    >>> table = parse_table("puck OFF | shooter 2 | dice held | seats 1 2 of 3 | up 2 pass 10.00 | racks 2 90.00")
    >>> table.position.layout[0].cents, table.money.racks
    (1000, (0, 9000, 0))
    >>> format_table(parse_table(format_table(table))) == format_table(table)
    True
    """
    found: dict[str, str] = {}
    for part in text.split(" | "):
        name, _, rest = part.strip(" ").partition(" ")
        if name in found:
            raise _wrong(part, f"{name!r} comes twice")
        if name not in _PARTS:
            raise _wrong(part, f"not a part of a table; the parts are: {', '.join(_PARTS)}")
        found[name] = rest
    if "puck" not in found:
        raise _wrong(text, "the puck is missing, such as puck OFF")
    found = {"seats": "of 0", **found}  # read first: other parts need their number
    position: dict[str, Any] = {"seats": ()}
    money: dict[str, Any] = {}
    for name, rest in found.items():
        read, is_money = _PARTS[name]
        (money if is_money else position).update(read(f"{name} {rest}".rstrip(" "), rest, len(position["seats"])))
    nothing = (0,) * len(position["seats"])
    meters = money.pop("meters", ())
    return Table(Position(**position), Money(**{"racks": nothing, "coupons": nothing, **money}), meters)


def parse_wager(text: str, *, seat: int = 0) -> Wager:
    """Parse one wager; it begins with its seat unless `seat` is given, and then with `crew` for a tip.

    >>> parse_wager("2 hop 1-3 5.00") == Wager(2, "player", "hop", 113, 5_00)
    True
    >>> parse_wager("come 6 10.00 off?", seat=1).working
    'off?'
    >>> parse_wager("crew pass 1.00", seat=1).owner
    'crew'
    """
    words = text.split(" ")
    owner = "player"
    if not seat:
        place, _, owner = words.pop(0).partition("/")
        seat = _whole(text, place, least=1, most=SEATS_MAX)
        owner = _word(text, owner or "player")
    elif words[0] == "crew":
        owner = words.pop(0)
    kind = _word(text, words.pop(0) if words else "")
    number = number_code(words.pop(0)) if words and _NUMBER.fullmatch(words[0]) else 0
    cents = _chips(text, words.pop(0) if words else "")
    return Wager(seat, owner, kind, number, cents, **_read_details(text, words))


def _read_details(text: str, words: list[str]) -> dict[str, Any]:
    """Parse what follows a wager's amount."""
    more: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word in _CALLS:
            found: dict[str, Any] = {"working": word}
        elif word in {"vigorish", "coupon"}:
            found = {word: _chips(text, next(rest, ""))}
        elif word == "needs":
            found = {"pending": tuple(next(rest, "").split("+"))}
            if not all(_ROLES.fullmatch(role) for role in found["pending"]):
                raise _wrong(text, "needs takes roles, such as dealer+boxperson")
        elif word == "late":
            found = {"late": True}
        elif word == "progress":
            found = {"progress": _progress(text, next(rest, ""))}
        else:
            raise _wrong(text, f"{word!r} is not understood after a wager's amount")
        if found.keys() & more:
            raise _wrong(text, f"{word!r} comes twice")
        more |= found
    return more


def _progress(text: str, numbers: str) -> tuple[int, ...]:
    if not _PROGRESS.fullmatch(numbers):
        raise _wrong(text, "progress takes whole numbers, such as 1,48")
    return tuple(map(int, numbers.split(",")))


def _wrong(part: str, why: str) -> NotationError:
    shown = " ".join(part.split()) or "(empty)"
    return NotationError(f"{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '...'}: {why}")


_SHOWN = 80


def _whole(part: str, text: str, *, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text) or not least <= int(text) <= most:
        raise _wrong(part, f"{text!r} is not a whole number from {least} to {most}")
    return int(text)


def _amount(part: str, text: str) -> int:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise _wrong(part, f"{text!r} is not an amount such as 12.00")
    cents = int(match[2]) * 100 + int(match[3])
    return -cents if match[1] else cents


def _chips(part: str, text: str) -> int:
    cents = _amount(part, text)
    if cents <= 0:
        raise _wrong(part, f"{text!r} is not more than 0.00")
    return cents


def _word(part: str, text: str) -> str:
    if not _WORD.fullmatch(text):
        raise _wrong(part, f"{text!r} is not a name in lower case")
    return text


def _seats(part: str, rest: str, _places: int) -> dict[str, Any]:
    *taken, of, places = ("", *rest.split(" "))
    if of != "of":
        raise _wrong(part, "seats are listed and then counted, such as seats 1 2 of 20")
    seats: list[Seat] = [""] * _whole(part, places, least=0, most=SEATS_MAX)
    for text in taken[1:]:
        seat = _whole(part, text.rstrip("-*"), least=1, most=len(seats))
        mark = text[len(text.rstrip("-*")) :]
        if mark not in _STATES or seats[seat - 1]:
            raise _wrong(part, f"{text!r}: each seat once, with - for standing or * for an employee")
        seats[seat - 1] = _STATES[mark]
    return {"seats": tuple(seats)}


def _puck(part: str, rest: str, _places: int) -> dict[str, Any]:
    turned, _, point = rest.partition(" ")
    if rest != "OFF" and (turned != "ON" or point not in _POINTS):
        raise _wrong(part, "the puck is OFF, or ON a point: 2 to 6 or 8 to 12")
    return {"puck": int(point) if point else 0}


def _flag(name: str) -> _Read:
    def read(part: str, rest: str, _places: int) -> dict[str, Any]:
        if rest:
            raise _wrong(part, "nothing may follow this word")
        return {name: True}

    return read


def _at_seat(name: str) -> _Read:
    return lambda part, rest, places: {name: _whole(part, rest, least=1, most=places)}


def _dice(part: str, rest: str, _places: int) -> dict[str, Any]:
    if rest not in _DICE:
        raise _wrong(part, f"the dice are one of: {', '.join(_DICE)}")
    return {"dice": rest}


def _offer(part: str, rest: str, places: int) -> dict[str, Any]:
    to, joined, start = rest.partition(" from ")
    first = _whole(part, start, least=1, most=places) if joined else 0
    return {"offered_to": _whole(part, to, least=0, most=places), "offer_from": first}


def _set(part: str, rest: str, _places: int) -> dict[str, Any]:
    return {"dice_set": _whole(part, rest, least=1, most=SEATS_MAX)}


def _faces(part: str, rest: str, _places: int) -> dict[str, Any]:
    match = _FACES.fullmatch(rest)
    if match is None:
        raise _wrong(part, "faces are two numbers from 1 to 6, such as 3-4")
    return {"faces": (int(match[1]), int(match[2]))}


def _read_closed(part: str, rest: str, _places: int) -> dict[str, Any]:
    windows = tuple(_word(part, name) for name in rest.split(" "))
    if len(set(windows)) < len(windows):
        raise _wrong(part, "each window is named once")
    return {"closed": windows}


def _read_layout(part: str, rest: str, places: int) -> dict[str, Any]:
    layout = sorted(parse_wager(text) for text in rest.split("; "))
    if layout[-1].seat > places:
        raise _wrong(part, f"there is no seat {layout[-1].seat}")
    return {"layout": tuple(layout)}


def _read_meters(part: str, rest: str, _places: int) -> dict[str, Any]:
    meters: dict[str, int] = {}
    for text in rest.split("; "):
        kind, _, meter = text.partition(" ")
        if _word(part, kind) in meters:
            raise _wrong(part, f"{kind} comes twice")
        closed = meter == _CLOSED
        meters[kind] = METER_CLOSED if closed else _whole(part, meter, least=0, most=_METER_MAX)
    return {"meters": tuple(sorted(meters.items()))}


def _each_seat(name: str) -> _Read:
    def read(part: str, rest: str, places: int) -> dict[str, Any]:
        amounts = [0] * places
        for text in rest.split("; "):
            place, _, amount = text.partition(" ")
            seat = _whole(part, place, least=1, most=places)
            if amounts[seat - 1]:
                raise _wrong(part, f"seat {seat} comes twice")
            amounts[seat - 1] = _amount(part, amount)
        return {name: tuple(amounts)}

    return read


def _cents(name: str) -> _Read:
    return lambda part, rest, _places: {name: _amount(part, rest)}


_Read = Callable[[str, str, int], dict[str, Any]]

# The parts of a line in printing order: how each is read, and whether it is money.
_PARTS: dict[str, tuple[_Read, bool]] = {
    "puck": (_puck, False),
    "clearing": (_flag("is_clearing"), False),
    "shooter": (_at_seat("shooter"), False),
    "dice": (_dice, False),
    "offer": (_offer, False),
    "declined": (_at_seat("declined"), False),
    "set": (_set, False),
    "faces": (_faces, False),
    "disputed": (_flag("is_disputed"), False),
    "closed": (_read_closed, False),
    "seats": (_seats, False),
    "up": (_read_layout, False),
    "racks": (_each_seat("racks"), True),
    "bank": (_cents("bank"), True),
    "tips": (_cents("tip_box"), True),
    "drop": (_cents("drop"), True),
    "coupons": (_each_seat("coupons"), True),
    "coupons_taken": (_cents("coupons_taken"), True),
    "meters": (_read_meters, True),
}
