"""Playing hand files: a header, a set-up, steps and checks, compared with what the engine does.

Each line is one statement; `#` begins a comment.

    rules maryland                                   header: also game, house KEY = VALUE, automate, bank, clauses
    player Ann 500.00                                set-up: also puck, shooter, up
    shooter Ann
    wager Ann pass 10.00                             steps: one for every command, `by ROLE` at the end where it matters
    roll 6-5
    expect Ann pass wins 10.00 [MD-3.A.1.a.i]        checks: also refused, says, rack, coupon, puck, shooter, dice,
    rack Ann 510.00                                  layout, position, tips; counts Ann fire 2, marker fire 2

A tip has `crew` before the wager's kind: wager Ann crew pass 1.00. Every settlement of a step must be expected, and
only settlements (a count is none); a refusal must be expected by `refused`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.bounded_text import read_named_file, text_of_file
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.hand_files.checks import (
    TABLE_CHECKS,
    AfterStep,
    read_results,
    read_wagers,
    refuse_unfit,
    result_differences,
    split_clauses,
    wager_results,
)
from passline.game.hand_files.steps import STEPS, HandError, Words, read_step
from passline.game.hand_files.story import HandStep
from passline.game.notation import parse_table
from passline.game.position import Table, open_table
from passline.game.wording import format_event
from passline.refusal import Refused
from passline.rules.pages.library import default_regulation
from passline.rules.rules import AUTOMATED, Rules

_BYTES_MAX = 1_000_000
_BANK = 100_000_00
_PAIRS = frozenset(name for name in STEPS if " " in name)


class Difference(Struct, frozen=True):
    """One result that differs from what the hand expects."""

    line: int
    step: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.step}\n    expected  {self.expected}\n    got       {self.got}"


class HandReport(Struct, frozen=True):
    """The result of a hand: the clauses it tests, the number of steps played, every difference, and the steps."""

    label: str
    clauses: tuple[str, ...]
    steps: int
    differences: tuple[Difference, ...]
    played: tuple[HandStep, ...] = ()  # each step as it was played, for the telling

    @property
    def is_passed(self) -> bool:
        """Whether everything happened as the hand expects."""
        return not self.differences


def run_hand(path: Path) -> HandReport:
    """Read and play a hand file."""
    return play_hand(_text(path), label=str(path))


def hand_clauses(path: Path) -> tuple[str, ...]:
    """Return the clauses a hand file names in its header, without playing it."""
    lines = (line for _number, line in _lines(_text(path)))
    return tuple(clause for line in lines if line.startswith("clauses ") for clause in line.split()[1:])


def play_hand(text: str, *, label: str) -> HandReport:
    """Play a hand from its text.

    >>> hand = "rules maryland|player Ann 100.00|shooter Ann|wager Ann pass 10.00|roll 6-5|expect Ann pass loses 10.00"
    >>> print(play_hand(hand.replace("|", chr(10)), label="a hand").differences[0])
    line 5: roll 6-5
        expected  Ann pass loses 10.00
        got       Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]
    """
    playing = _Playing()
    for number, line in _lines(text):
        try:
            playing.line(number, line)
        except CrapsError as error:
            raise HandError(f"{label}:{number}: {error}") from None
    if not playing.steps:
        raise HandError(f"{label}: a hand has at least one step, such as roll 3-4")
    playing.close()
    return HandReport(label, tuple(playing.clauses), playing.steps, tuple(playing.differences), tuple(playing.played))


def _text(path: Path) -> str:
    try:
        return text_of_file(read_named_file(path, _BYTES_MAX), str(path))
    except CrapsError as error:
        raise HandError(str(error)) from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        words = " ".join(line.partition("#")[0].split())
        if words:
            yield number, words


class _Playing:
    """A hand being played: its header and set-up, then the table and the last step."""

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self.header: dict[str, Any] = {"house": {}}
        self.bank = _BANK
        self.rules: Rules | None = None
        self.table: Table | None = None
        self.seats: dict[str, int] = {}
        self.steps = 0
        self.differences: list[Difference] = []
        self.at: tuple[int, str]  # the last step: line number and text
        self.happened: tuple[e.Event, ...] = ()
        self.log: list[e.Event] = []  # all events so far, for the markers
        self.refused: Refused | None = None
        self.expected: list[tuple[int, str]] = []
        self.played: list[HandStep] = []

    def line(self, number: int, line: str) -> None:
        """Read one line and carry it out."""
        first, _, rest = line.partition(" ")
        second = rest.partition(" ")[0]
        if f"{first} {second}" in _PAIRS:
            self._step(number, line, f"{first} {second}", rest.partition(" ")[2])
        elif first in STEPS:
            self._step(number, line, first, rest)
        elif first == "join":
            self._join(number, line, rest)
        elif first in _HEADER:
            if self.rules is not None:
                raise HandError(f"{first} belongs above the players")
            _HEADER[first](self, rest)
        elif first in _SET_UP and not self.steps:
            self._open()
            _SET_UP[first](self, rest)
        elif first in _CHECKS or first in TABLE_CHECKS:
            if not self.steps:
                raise HandError(f"{first} checks a step, and there is none above it")
            if first in TABLE_CHECKS:
                self.check(number, *TABLE_CHECKS[first](AfterStep(*self.play, self.log, self.seats), rest))
            else:
                _CHECKS[first](self, number, rest)
        else:
            raise HandError(f"no line of a hand begins with {first!r}")

    def close(self) -> None:
        """Compare the settlements or the refusal of the last step with what its lines expect."""
        if not self.steps:
            return
        if self.refused is not None:
            self._differ("no refusal", f"refused: {self.refused}")
        names = self.names
        expected = [result for _number, text in self.expected for result in read_results(text, self.seats)]
        for wanted, got in result_differences(expected, wager_results(self.happened)):
            self._differ(wanted.text(names) if wanted else "nothing", got.text(names) if got else "nothing")
        self.happened, self.refused, self.expected = (), None, []

    @property
    def names(self) -> dict[int, str]:
        """The players' names by seat."""
        return {seat: name for name, seat in self.seats.items()}

    @property
    def play(self) -> tuple[Rules, Table]:
        """The rules and the table, opened if they are not yet."""
        self._open()
        assert self.rules is not None
        assert self.table is not None
        return self.rules, self.table

    def _differ(self, expected: str, got: str) -> None:
        number, step = self.at
        self.differences.append(Difference(number, step, expected, got))

    def _open(self) -> None:
        if self.rules is None:
            if "name" not in self.header:
                raise HandError(f"a hand begins with its rules, such as rules {default_regulation()}")
            self.rules = Rules.of(self.header.pop("name"), **self.header)
            self.table = open_table(self.rules, bank=self.bank)

    def _step(self, number: int, line: str, name: str, rest: str) -> None:
        self._do(number, line, read_step(name, Words(rest, self.seats)))

    def _do(self, number: int, line: str, command: c.Command) -> None:
        self._open()
        self.close()
        rules, table = self.play
        self.at = (number, line)
        self.steps += 1
        outcome = act(rules, table, command)
        if isinstance(outcome, Refused):
            self.refused = outcome
        else:
            self.happened, self.table = outcome
            self.log += self.happened
        refused = str(outcome) if isinstance(outcome, Refused) else ""
        self.played.append(HandStep(line, rules, table, self.table or table, self.happened, refused, self.names))

    def _join(self, number: int, line: str, rest: str) -> None:
        """Seat a player during the hand."""
        words = Words(rest, self.seats)
        name = words.new_name()
        seat = words.whole("a seat") if words.maybe("seat") else self.next_seat()
        command = c.TakeSeat(seat=seat, is_employee=words.maybe("employee"))
        words.end()
        self._do(number, line, command)
        if self.refused is None:
            self.seats[name] = seat

    def next_seat(self) -> int:
        """Return the first free seat, or 0 if there is none."""
        _rules, table = self.play
        return next((seat for seat, state in enumerate(table.position.seats, start=1) if not state), 0)

    def set_up(self, command: c.Command) -> None:
        """Carry out a command before the hand begins; it must not be refused."""
        rules, table = self.play
        outcome = act(rules, table, command)
        if isinstance(outcome, Refused):
            raise HandError(str(outcome))
        self.table = outcome[1]

    def place(self, **changes: Any) -> None:  # noqa: ANN401 - the fields of a position, of several types
        """Change fields of the position."""
        _rules, table = self.play
        self.table = Table(replace(table.position, **changes), table.money)

    def check(self, number: int, expected: str, got: str) -> None:
        """Record a difference at the line of a check, if there is one."""
        if expected != got:
            self.differences.append(Difference(number, f"after {self.at[1]}", expected, got))

    def meet_refusal(self, number: int, rest: str) -> None:
        """Check the refusal of the last step: exactly these clauses, and a text that contains these words."""
        close = rest.find("]")
        clauses = set(rest[1:close].replace(",", " ").split())
        if not rest.startswith("[") or not clauses:
            raise HandError("refused names every clause, such as refused [MD-3.A] not a wager")
        words, refused = rest[close + 1 :].strip(), self.refused
        self.refused = None
        if refused is None:
            self.check(number, f"refused {rest}", "no refusal")
            return
        broken = {clause for refusal in refused.refusals for clause in refusal.clause.split(", ")}
        if broken != clauses or words not in str(refused):
            self.check(number, f"refused {rest}", f"refused: {refused}")


def _house(playing: _Playing, rest: str) -> None:
    try:
        elected = tomllib.loads(rest)
    except (ValueError, RecursionError) as error:
        raise HandError(f"an election is KEY = VALUE as in a house file: {error}") from None
    if twice := elected.keys() & playing.header["house"]:
        raise HandError(f"{', '.join(sorted(twice))} is elected twice")
    playing.header["house"] |= elected


def _set_header(playing: _Playing, **named: Any) -> None:  # noqa: ANN401 - the arguments of Rules.of, of several types
    if twice := named.keys() & playing.header:
        raise HandError(f"{twice.pop()} is given twice")
    playing.header |= named


def _automate(playing: _Playing, rest: str) -> None:
    steps = frozenset(rest.split()) - {"none"}
    if strange := steps - AUTOMATED:
        raise HandError(f"{', '.join(sorted(strange))} cannot be automated; these can: {', '.join(sorted(AUTOMATED))}")
    _set_header(playing, automate=steps)


def _bank(playing: _Playing, rest: str) -> None:
    playing.bank = Words(rest, {}).amount()


def _limits(playing: _Playing, rest: str) -> None:
    if rest != "lifted":
        raise HandError("limits can only be lifted")
    _set_header(playing, limits_apply=False)


def _player(playing: _Playing, rest: str) -> None:
    words = Words(rest, playing.seats)
    name, cents = words.new_name(), words.amount()
    coupon = words.amount() if words.maybe("coupon") else 0
    seat = words.whole("a seat") if words.maybe("seat") else playing.next_seat()
    is_employee, is_standing = words.maybe("employee"), words.maybe("standing")
    words.end()
    playing.set_up(c.TakeSeat(seat=seat, is_employee=is_employee))
    playing.seats[name] = seat
    if cents or coupon:
        playing.set_up(c.BuyIn(seat=seat, cents=cents, coupon=coupon))
    if is_standing:
        playing.set_up(c.StandUp(seat=seat))


def _puck(playing: _Playing, rest: str) -> None:
    puck = parse_table(f"puck {rest.replace('|', '/')}").position.puck
    if puck and puck not in playing.play[0].points:
        raise HandError(f"{puck} is not a point of this game")
    playing.place(puck=puck)
    playing.log.append(e.PuckMoved(puck, ""))


def _shooter(playing: _Playing, rest: str) -> None:
    seat = Words(rest, playing.seats).seat()
    playing.place(shooter=seat, dice="held", offered_to=0, offer_from=0, dice_set=0)


def _put_up(playing: _Playing, rest: str) -> None:
    rules, table = playing.play
    name, _, listed = rest.partition(" ")
    wagers = read_wagers(listed, seat=Words(name, playing.seats).seat(), puck=table.position.puck)
    for wager in wagers:
        refuse_unfit(rules, wager)
    places = [(wager.seat, wager.owner, wager.kind, wager.number) for wager in (*table.position.layout, *wagers)]
    if len(set(places)) < len(places):
        raise HandError("the same wager is put up twice")
    cents = sum(wager.cents for wager in wagers)
    layout = tuple(sorted((*table.position.layout, *wagers)))
    playing.table = Table(replace(table.position, layout=layout), replace(table.money, bank=table.money.bank - cents))


def _expect(playing: _Playing, number: int, rest: str) -> None:
    if rest != "nothing":
        read_results(rest, playing.seats)
        playing.expected.append((number, rest))


def _says(playing: _Playing, number: int, rest: str) -> None:
    words, clauses = split_clauses(rest)
    rules, _table = playing.play
    texts = [split_clauses(format_event(event, rules, playing.names, as_keys=True)) for event in playing.happened]
    if not any(words in text and set(clauses) <= set(by) for text, by in texts):
        playing.check(number, f"says {rest}", "; ".join(f"{text} [{', '.join(by)}]" for text, by in texts) or "nothing")


# Lines by their first word: the header, the set-up before the first step, the checks after a step.
_HEADER: dict[str, Callable[[_Playing, str], None]] = {
    "clauses": lambda playing, rest: playing.clauses.extend(rest.split()),
    "rules": lambda playing, rest: _set_header(playing, name=rest),
    "game": lambda playing, rest: _set_header(playing, game=rest),
    "house": _house,
    "automate": _automate,
    "bank": _bank,
    "limits": _limits,
}
_SET_UP: dict[str, Callable[[_Playing, str], None]] = {
    "player": _player,
    "puck": _puck,
    "shooter": _shooter,
    "up": _put_up,
}
_CHECKS: dict[str, Callable[[_Playing, int, str], None]] = {
    "expect": _expect,
    "refused": _Playing.meet_refusal,
    "says": _says,
}
