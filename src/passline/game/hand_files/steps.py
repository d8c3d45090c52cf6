"""The steps of a hand file: lines that each stand for one command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from passline.authority.roles import BOXPERSON, DEALER, PLAYER, Role
from passline.dice import number_code
from passline.errors import CrapsError
from passline.game import commands as c

_AMOUNT = re.compile(r"(-?)([0-9]{1,15})\.([0-9]{2})")
_NUMBER = re.compile(r"[0-9]{1,3}|[0-9]-[0-9]")
_FACES = re.compile(r"([0-9])-([0-9])")
_NAME = re.compile(r"[A-Z][A-Za-z']*")
_ROLES: tuple[Role, ...] = get_args(Role)


class HandError(CrapsError):
    """A hand file that cannot be read, with the file, the line and what is wrong.

    >>> str(HandError("XX-12-d.hand:4: nobody is called 'Bob'"))
    "XX-12-d.hand:4: nobody is called 'Bob'"
    """


class Words:
    """The words of one line, taken one after another.

    >>> words = Words("Ann place_win 6 12.00 on", {"Ann": 1})
    >>> words.seat(), words.kind(), words.number(), words.amount(), words.maybe("off"), words.word("a call")
    (1, 'place_win', 6, 1200, False, 'on')
    """

    def __init__(self, text: str, seats: Mapping[str, int]) -> None:
        self._words = text.split()[::-1]
        self._seats = seats

    def __bool__(self) -> bool:
        return bool(self._words)

    def word(self, what: str) -> str:
        """Take the next word; raise HandError if there is none."""
        if not self._words:
            raise HandError(f"{what} is missing")
        return self._words.pop()

    def maybe(self, word: str) -> bool:
        """Take the next word if it is `word`, and return whether it was."""
        is_next = bool(self._words) and self._words[-1] == word
        if is_next:
            self._words.pop()
        return is_next

    def is_name(self) -> bool:
        """Return whether a player's name comes next; names begin with a capital."""
        return bool(self._words) and bool(_NAME.fullmatch(self._words[-1]))

    def new_name(self) -> str:
        """Take the name of a player who is not at the table yet."""
        name = self.word("a name")
        if not _NAME.fullmatch(name):
            raise HandError(f"{name!r} is not a name; it begins with a capital and has only letters")
        if name in self._seats:
            raise HandError(f"{name} is at the table already")
        return name

    def seat(self) -> int:
        """Take a player's name and return the seat."""
        name = self.word("a player's name")
        if name not in self._seats:
            raise HandError(f"nobody is called {name!r}; players are: {', '.join(self._seats) or 'none'}")
        return self._seats[name]

    def owner(self) -> str:
        """Take `crew` if it comes next, and return the owner of the wager."""
        return "crew" if self.maybe("crew") else "player"

    def kind(self) -> str:
        """Take the kind of a wager."""
        return self.word("a wager")

    def number(self) -> int:
        """Take a wager's number if one comes next, and return its code or 0."""
        if self._words and _NUMBER.fullmatch(self._words[-1]):
            return number_code(self._words.pop())
        return 0

    def wager(self) -> dict[str, Any]:
        """Take a player's name, the owner, the kind and the number of a wager, as the fields of a command."""
        return {"seat": self.seat(), "owner": self.owner(), "wager": self.kind(), "number": self.number()}

    def whole(self, what: str) -> int:
        """Take a whole number."""
        text = self.word(what)
        if not re.fullmatch(r"[0-9]{1,4}", text):
            raise HandError(f"{text!r} is not {what}")
        return int(text)

    def amount(self) -> int:
        """Take an amount with two decimals and return cents."""
        text = self.word("an amount")
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise HandError(f"{text!r} is not an amount such as 12.00")
        cents = int(match[2]) * 100 + int(match[3])
        return -cents if match[1] else cents

    def faces(self) -> dict[str, int]:
        """Take the faces of two dice, as the fields of a command."""
        text = self.word("a pair of faces")
        match = _FACES.fullmatch(text)
        if match is None:
            raise HandError(f"{text!r} is not a pair of faces such as 3-4")
        return {"first": int(match[1]), "second": int(match[2])}

    def rest(self) -> str:
        """Take all words that are left."""
        text = " ".join(self._words[::-1])
        self._words.clear()
        return text

    def by(self) -> Role | None:
        """Take the role at the end of the line (`by boxperson`), if there is one."""
        if self._words[1:2] != ["by"]:
            return None
        role = self._words[0]
        del self._words[:2]
        return _role(role)

    def end(self) -> None:
        """Raise HandError if words are left."""
        if self._words:
            raise HandError(f"{self.rest()!r} is not understood here")


def _role(text: str) -> Role:
    if text not in _ROLES:
        raise HandError(f"{text!r} is not a role; the roles are: {', '.join(_ROLES)}")
    return next(role for role in _ROLES if role == text)


def read_step(name: str, words: Words) -> c.Command:
    """Return the command that a line stands for.

    >>> read_step("reduce", Words("Ann place_win 6 6.00", {"Ann": 1}))
    ReduceWager(by='player', seat=1, wager='place_win', number=6, owner='player', cents=600)
    >>> read_step("wager", Words("Ann crew pass 1.00", {"Ann": 1})).owner
    'crew'
    >>> read_step("no roll", Words("short_throw by stickperson", {}))
    CallNoRoll(by='stickperson', reason='short_throw')
    """
    read, default = STEPS[name]
    by = words.by() or default
    if by is None:
        raise HandError(f"{name} needs a role at its end, such as by dealer")
    command = read(words, by)
    words.end()
    return command


def _buy_in(words: Words, by: Role) -> c.Command:
    seat, cents = words.seat(), words.amount()
    coupon = words.amount() if words.maybe("coupon") else 0
    medium = words.word("what it is paid in") if words.maybe("in") else "cash"
    return c.BuyIn(by=by, seat=seat, cents=cents, coupon=coupon, medium=medium)


def _wager(words: Words, by: Role) -> c.Command:
    wager, cents = words.wager(), words.amount()
    coupon = words.amount() if words.maybe("coupon") else 0
    media: tuple[str, ...] = ("chips",)
    if words.maybe("in"):
        media = tuple(words.word("what it is made in").split("+"))
    elif words.maybe("unfunded"):
        media = ()
    return c.MakeWager(by=by, **wager, cents=cents, coupon=coupon, media=media)


def _choose(words: Words, by: Role) -> c.Command:
    seat, chosen = words.seat(), []
    while words:
        chosen.append(words.whole("a die's place in the set"))
    return c.ChooseDice(by=by, seat=seat, chosen=tuple(chosen))


def _land(words: Words, by: Role) -> c.Command:
    faces = words.faces()
    lies = (words.word("a lie"), words.word("the second die's lie")) if words else ("flat", "flat")
    return c.LandDice(by=by, **faces, first_lie=lies[0], second_lie=lies[1])


_Read = Callable[[Words, Role], c.Command]

# Every step: how its line is read, and its role if the line names none (None: it must name one).
STEPS: dict[str, tuple[_Read, Role | None]] = {
    "leave": (lambda words, by: c.LeaveSeat(by=by, seat=words.seat()), PLAYER),
    "stand": (lambda words, by: c.StandUp(by=by, seat=words.seat()), PLAYER),
    "sit": (lambda words, by: c.SitDown(by=by, seat=words.seat()), PLAYER),
    "buy in": (_buy_in, PLAYER),
    "fill": (lambda words, by: c.Fill(by=by, cents=words.amount()), BOXPERSON),
    "credit": (lambda words, by: c.Credit(by=by, cents=words.amount()), BOXPERSON),
    "wager": (_wager, PLAYER),
    "reduce": (lambda words, by: c.ReduceWager(by=by, **words.wager(), cents=words.amount()), PLAYER),
    "remove": (lambda words, by: c.RemoveWager(by=by, **words.wager()), PLAYER),
    "call": (lambda words, by: c.CallWager(by=by, **words.wager(), call=words.word("on or off")), PLAYER),
    "button": (lambda words, by: c.PlaceButton(by=by, **words.wager()), DEALER),
    "confirm": (lambda words, _by: c.ConfirmWager(by=_role(words.word("a role")), **words.wager()), DEALER),
    "offer": (lambda words, by: c.OfferDice(by=by, dice=words.whole("a number of dice")), None),
    "accept": (lambda words, by: c.AcceptDice(by=by, seat=words.seat()), PLAYER),
    "decline": (lambda words, by: c.DeclineDice(by=by, seat=words.seat()), PLAYER),
    "choose": (_choose, PLAYER),
    "surrender": (lambda words, by: c.SurrenderDice(by=by, seat=words.seat()), PLAYER),
    "order": (lambda words, by: c.OrderDicePassed(by=by, reason=words.word("a reason")), None),
    "decline line": (lambda words, by: c.DeclineLineWager(by=by, seat=words.seat()), PLAYER),
    "throw": (lambda words, by: c.ThrowDice(by=by, seat=words.seat()), PLAYER),
    "land": (_land, DEALER),
    "no roll": (lambda words, by: c.CallNoRoll(by=by, reason=words.word("a reason")), None),
    "dispute": (lambda words, by: c.DisputeFaces(by=by, seat=words.seat()), PLAYER),
    "decide": (lambda words, by: c.DecideDispute(by=by, **({} if words.maybe("void") else words.faces())), None),
    "call total": (lambda words, by: c.CallRoll(by=by, total=words.whole("a total")), None),
    "settle": (lambda _words, by: c.Settle(by=by), DEALER),
    "pass": (lambda _words, by: c.PassDice(by=by), None),
    "roll": (lambda words, by: c.RollDice(by=by, **words.faces()), PLAYER),
}
