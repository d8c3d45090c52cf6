"""Keys as a crew types them at a console, and what it means by them, whatever the network does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Typed = tuple[float, str, str, bool]
"""A key: when it is pressed in milliseconds, its name, its code on the keyboard, and whether Shift is held."""
Spots = dict[str, tuple[str, int, int]]
"""By its code: the kind of an area, its number, and the least amount in cents."""

SEATS = (1, 2, 3)
_LINES = {"p": "pass", "d": "dont_pass", "dp": "dont_pass", "c": "come", "dc": "dont_come", "f": "field"}
_ONE_ROLL = {"7": "any_seven", "ac": "any_craps", "y": "eleven", "2": "craps_2", "3": "craps_3", "t": "craps_12"}
_SEVERAL = {"ce": "c_and_e", "hn": "horn", "w": "whirl", "s": "six_seven_eight"}
_ODDS = {"po": "pass_odds", "dpo": "dont_pass_odds", "co": "come_odds", "dco": "dont_come_odds"}
_NAMED = _LINES | _ONE_ROLL | _SEVERAL | _ODDS
_NUMBERED = {"": "place_win", "h": "hardway", "b": "buy", "l": "lay", "n": "place_lose", "g": "big"}
_SHIFTED = dict(zip("1234567890", "!@#$%^&*()", strict=True))
_SOON_MS, _HALF_MS, _AMOUNT_MAX = 1000, 3000, 8


def spots_of(card: dict[str, Any]) -> Spots:
    """Return the areas that a console's card offers, by the codes that the documentation names."""
    wagers = {one["kind"]: one for one in card["wagers"]}
    least = {
        kind: {int(number): spot["least"] for number, spot in one["spots"].items()} for kind, one in wagers.items()
    }
    found = {code: (kind, 0, least[kind].get(0, 0)) for code, kind in _NAMED.items() if kind in wagers}
    for prefix, kind in _NUMBERED.items():
        for number in (one["number"] for one in wagers.get(kind, {"numbers": []})["numbers"]):
            if number <= 10:
                amount = least[kind].get(number, least[kind].get(0, 0))
                found.setdefault(f"{prefix}{number % 10}", (kind, number, amount))
    return found


def pressed(key: str, at: float) -> Typed:
    """Return a key by its short name: `^4` is 4 with Shift, `^Enter` is Enter with Shift."""
    shift, bare = key.startswith("^"), key.removeprefix("^")
    code = f"Digit{bare}" if bare.isdecimal() else bare
    return at, _SHIFTED[bare] if shift and bare.isdecimal() else bare, code, shift


@dataclass
class Meant:
    """What the keys mean: the commands in order, and the keys that cannot be placed. It knows no server."""

    spots: Spots
    commands: list[tuple[Any, ...]] = field(default_factory=list)
    placed_by: list[int] = field(default_factory=list)  # for each command: how many keys had been pressed
    stops: int = 0
    questions: int = 0
    not_taken: list[str] = field(default_factory=list)
    mode: str = "base"
    is_locked: bool = False
    asked: tuple[int, int] | None = None
    seat: int = 0
    is_picked: bool = False
    code: str = ""
    amount: str = ""
    die: tuple[int, float] | None = None
    is_out: bool = False
    is_throwing: bool = False
    rolled_at: float = -1e9
    count: int = 0

    @property
    def spot(self) -> tuple[str, int, int] | None:
        return self.spots.get(self.code) if self.code else None

    def press(self, key: Typed) -> None:
        at, name, code, shift = key
        self.count += 1
        if self.die and at - self.die[1] >= _HALF_MS:
            self._stop()
        if name == "look":
            name = "Escape" if self.is_locked or self.asked else ""
        if name == "Enter" and shift and not self.is_locked:
            self._answer(at)
        elif self.asked or self.is_locked:
            self._stopped(name, shift=shift)
        elif name:
            self._taken(at, name, code, shift=shift)

    def _taken(self, at: float, name: str, code: str, *, shift: bool) -> None:
        if self.mode == "wagers":
            self._wager_key(name, code, shift=shift)
        else:
            self._dice_key(at, name)

    def _answer(self, at: float) -> None:
        if self.asked:
            faces, self.asked = self.asked, None
            self._roll(faces, at)

    def _stopped(self, name: str, *, shift: bool) -> None:
        if name == "Escape":
            self.asked, self.is_locked = None, False
        else:
            self.not_taken.append("Shift+Enter" if name == "Enter" and shift else name)

    def _stop(self) -> None:
        """A key means nothing here: nothing half typed is kept, and nothing is taken until the crew has seen it."""
        self.stops += 1
        self.is_locked = True
        self.die = None
        self._drop()
        if self.is_throwing and not self.is_out:
            self._begin_wagers()

    def _drop(self) -> None:
        self.code = self.amount = ""
        self.is_picked = False

    def _begin_wagers(self) -> None:
        self.mode, self.is_throwing, self.die = "wagers", False, None

    def _do(self, *command: Any) -> None:  # noqa: ANN401 - a command's words
        self.commands.append(command)
        self.placed_by.append(self.count)

    def _out(self) -> None:
        if not self.is_out:
            self.is_out = True
            self._do("dice-out")

    def _roll(self, faces: tuple[int, int], at: float) -> None:
        self.rolled_at, self.is_out = at, False
        self._do("key-dice", *faces)
        if self.is_throwing:
            self._begin_wagers()

    def _dice_key(self, at: float, name: str) -> None:
        if name in {" ", "d"}:
            self._out()
        elif name == "m":
            self._begin_wagers()
        elif name in {"Escape", "Backspace"}:
            self.die = None
        elif not name.isdecimal() or name not in "123456" or not self.is_out:
            self._stop()
        elif self.die is None:
            self.die = (int(name), at)
        else:
            faces, self.die = (self.die[0], int(name)), None
            if at - self.rolled_at < _SOON_MS:
                self.asked = faces
                self.questions += 1
            else:
                self._roll(faces, at)

    def _wager_key(self, name: str, code: str, *, shift: bool) -> None:
        digit = code.removeprefix("Digit") if code.startswith("Digit") else ""
        if name == "Escape":
            self._back()
        elif name == " ":
            self._drop()
            self.mode, self.is_throwing = "dice", True
            self._out()
        elif self.spot:
            self._amount_key(name, "" if shift else digit)
        elif self.code:
            self._code_key(self.code, name, "" if shift else digit)
        elif name == "Backspace":
            self._step_back()
        elif digit and not self.is_picked:
            seat = (int(digit) or 10) + 10 * shift
            if seat in SEATS:
                self._drop()
                self.seat, self.is_picked = seat, True
            else:
                self._stop()
        else:
            self._code_key("", name, f"h{digit}" if shift and digit else digit)

    def _code_key(self, before: str, name: str, digit: str) -> None:
        if name == "Backspace":
            self._step_back()
            return
        code = before + (digit or (name if name.isalpha() and len(name) == 1 else "?"))
        if self.seat and any(one.startswith(code) for one in self.spots):
            self.code = code
        else:
            self._stop()

    def _amount_key(self, name: str, digit: str) -> None:
        assert self.spot
        if name == "Backspace" and self.amount:
            self.amount = self.amount[:-1]
        elif name == "Backspace":
            self._step_back()
        elif digit and len(self.amount) < _AMOUNT_MAX:
            self.amount += digit
        elif name == "." and "." not in self.amount:
            self.amount += "." if self.amount else "0."
        elif name == "Enter":
            kind, number, least = self.spot
            self._do("make-wager", self.seat, kind, number, round(float(self.amount) * 100) if self.amount else least)
            self._drop()
        elif not digit and not self.amount and any(one.startswith(self.code + name) for one in self.spots):
            self.code += name
        else:
            self._stop()

    def _back(self) -> None:
        if not self._step_back():
            self.mode = "base"
            self._drop()

    def _step_back(self) -> bool:
        """Drop the amount, or else the area, or else the seat."""
        if self.amount:
            self.amount = ""
        elif self.code:
            self.code = ""
        elif self.seat:
            self.seat, self.is_picked = 0, False
        else:
            return False
        return True


_AREAS = ("4", "5", "8", "9", "0", "f", "^4", "^8", "7", "p", "c", "d", "b5")


def clean_keys(random: Random, spots: Spots, *, acts: int) -> list[Typed]:
    """Type rolls and wagers without a slip, at any speed; a roll that is asked about is confirmed."""
    meant, keys, at = Meant(spots), list[Typed](), 0.0
    pace = random.choice((0, 20, 60, 150, 400))

    def type_on(*names: str) -> None:
        nonlocal at
        for name in names:
            at += random.uniform(0, 2 * pace)
            keys.append(pressed(name, at))
            meant.press(keys[-1])

    type_on("m")
    for _ in range(acts):
        if random.random() < 0.4:
            type_on(" ", str(random.randint(1, 6)), str(random.randint(1, 6)))
            if meant.asked:
                type_on("^Enter")
        else:
            amount = random.choice(("", "5", "12", "25", "2.50"))
            type_on(str(random.choice(SEATS)), *_split(random.choice(_AREAS)), *amount, "Enter")
    return keys


def _split(area: str) -> tuple[str, ...]:
    return (area,) if area.startswith("^") else tuple(area)


_SLIPS = (
    *"12345678900pdcfhbytsxqm",
    *(" ", " ", "Enter", "Enter", "Backspace", "Escape", ".", "^4", "^1", "^Enter", "look", "look"),
)


def random_keys(random: Random, spots: Spots, *, length: int, looks: bool = True) -> list[Typed]:
    """Type any keys at all, with whole acts among them; with `looks` the crew now and then reads what is shown."""
    meant, keys, at = Meant(spots), list[Typed](), 0.0
    pace = random.choice((0, 30, 100, 300, 1200))
    if random.random() < 0.8:
        keys.append(pressed("m", at))
        meant.press(keys[-1])
    while len(keys) < length:
        if random.random() < 0.5:
            roll = (" ", str(random.randint(1, 6)), str(random.randint(1, 6)))
            wager = (str(random.choice(SEATS)), random.choice("4589f"), random.choice("56"), "Enter")
            names: tuple[str, ...] = random.choice((roll, wager))
        else:
            names = (random.choice(_SLIPS),)
        for name in names:
            if (name in {"Escape", "look"} and not looks) or (name == "Escape" and not _is_plain_escape(meant)):
                continue
            at += random.uniform(0, 2 * pace)
            keys.append(pressed(name, at))
            meant.press(keys[-1])
    return keys


def _is_plain_escape(meant: Meant) -> bool:
    """Whether Escape would not take back what is not sent yet, which depends on the network."""
    return meant.is_locked or bool(meant.asked) or meant.mode == "wagers" or meant.die is not None
