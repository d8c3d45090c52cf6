"""Policy files: what to have up in each situation by the money there is, as best play is written down.

    passline policy 1
    name best_goal
    about Reach 20.00 from 10.00 before ruin.
    bankroll 10.00
    goal 20.00
    least 10.00
    short puck OFF: pass 10.00
    situation puck OFF
    10.00: pass 10.00

Under a situation each line has an amount of equity, and after the colon what is up once the player has acted with at
least so much; `-` is nothing. `after 3` begins the lines that hold from the fourth roll on. The strategy counts its
money in its memory, from the bankroll on, so that its automaton is like any other; at the goal, or after `rolls`, it
takes down the wagers that `frees` names and makes nothing new, and with less than `least` it wishes for what it can no
longer pay.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.bounded_text import read_named_file, text_of_file
from passline.errors import CrapsError
from passline.game.events import Event, WagerLost, WagerReturned, WagerWon
from passline.game.notation import format_wager, parse_wager
from passline.game.position import Wager
from passline.money import MoneyError, cents_from, dollars
from passline.rules.rules import Rules
from passline.strategy.interface import BaseStrategy, Lower, Seen, StrategyError, TakeDown, Want, Wish
from passline.strategy.vocabulary import can_lower

SUFFIX = ".policy"
"""What the name of a policy file ends with."""
_FIRST = "passline policy 1"
_SIZE_MAX = 16_000_000
_NAME_MAX = 40
_DONE, _BROKE = -1, -2  # memories instead of money: the session is over, or nothing can be paid for any more
_Layout = tuple[tuple[str, int, int], ...]
_Key = tuple[int, tuple[str, ...], tuple[tuple[str, int, int, str, int, tuple[int, ...]], ...]]
_HEAD = frozenset({"name", "about", "bankroll", "goal", "least", "rolls", "frees"})
_SETTLED = (WagerWon, WagerLost, WagerReturned)


class PolicyRows(Struct, frozen=True):
    """What to have up in one situation, from an amount of money on."""

    after: int  # rolls
    money: tuple[int, ...]
    layouts: tuple[_Layout, ...]


class PolicyFile(Struct, frozen=True):
    """A policy as a file states it."""

    name: str
    about: str
    bankroll_cents: int
    goal_cents: int
    least_cents: int
    rolls: int
    frees: frozenset[str]  # kinds of wager that are taken down once the session is over
    short: dict[int, _Layout]
    situations: dict[_Key, tuple[PolicyRows, ...]]
    text: str


class PolicyStrategy(BaseStrategy, frozen=True, eq=False):
    """A policy file as a strategy; its memory is its money, and the rolls so far if the policy counts them."""

    file: PolicyFile
    rules: Rules
    name: str
    kinds: frozenset[str]
    version: str
    shoots: bool
    start: tuple[int, int]
    bankroll_cents: int

    def remember(self, memory: Any, happened: tuple[Event, ...]) -> Hashable:  # noqa: ANN401  # opaque
        """Return the memory after a roll."""
        return self.memory_after(memory, self.effects(happened))

    def effects(self, happened: tuple[Event, ...], seen: Seen | None = None) -> int:
        """Return what a roll adds to the money, vigorish counted until its wager is decided."""
        del seen
        return sum(_gain(event) for event in happened if isinstance(event, _SETTLED))

    def memory_after(self, memory: Any, effects: Any) -> Hashable:  # noqa: ANN401  # opaque
        """Return the money after a roll and the rolls so far; both stand still once the end is reached."""
        money, rolls = memory
        if money < 0:
            return (money, rolls)
        money += effects
        if self.file.goal_cents and money >= self.file.goal_cents:
            return (_DONE, 0)
        if money < self.file.least_cents:
            return (_BROKE, 0)
        if not self.file.rolls:
            return (money, 0)
        return (money, rolls + 1) if rolls + 1 < self.file.rolls else (_DONE, 0)

    def wishes(self, seen: Seen, memory: Any) -> tuple[Wish, ...]:  # noqa: ANN401  # opaque
        """Return what turns the wagers that are up into those that the file has."""
        money, rolls = memory
        if money == _DONE:
            free = (wager for wager in seen.mine if wager.kind in self.file.frees)
            return tuple(TakeDown(wager.kind, wager.number) for wager in free if can_lower(self.rules, seen, wager))
        if money == _BROKE:
            return () if seen.mine else _changes((), self.file.short.get(seen.puck, ()))
        tables = self.file.situations.get(_key(seen.puck, seen.closed, seen.mine))
        if tables is None:
            if money < self.file.least_cents:
                return ()
            up = "; ".join(format_wager(wager, with_seat=False) for wager in seen.mine) or "nothing"
            raise StrategyError(
                f"{self.name} has no line for puck {seen.puck or 'OFF'} with {up} up: it was made for a bankroll of "
                f"{dollars(self.bankroll_cents)} and these rules alone; make another with `passline best`"
            )
        equity = money - sum(wager.vigorish for wager in seen.mine)
        rows = tables[max(bisect_right([table.after for table in tables], rolls) - 1, 0)]
        return _changes(seen.mine, rows.layouts[max(bisect_right(rows.money, equity) - 1, 0)])


def _gain(event: WagerWon | WagerLost | WagerReturned) -> int:
    """Return what a settlement adds to equity with the vigorish held by the wagers up."""
    after = getattr(event, "after", None)
    spent = event.wager.vigorish - (after.vigorish if after else 0)
    if isinstance(event, WagerWon):
        return event.winnings - event.vigorish - spent
    return -event.cents - spent if isinstance(event, WagerLost) else 0


def _changes(mine: tuple[Wager, ...], wanted: _Layout) -> tuple[Wish, ...]:
    """Return the wishes that turn the wagers up into those wanted: first what comes down, then what is made."""
    amounts = {(kind, number): cents for kind, number, cents in wanted}
    up = {(wager.kind, wager.number): wager.cents for wager in mine}
    downs: list[Wish] = [TakeDown(*which) for which in up if which not in amounts]
    downs += [Lower(*which, amounts[which]) for which in up if 0 < amounts.get(which, 0) < up[which]]
    return (*downs, *(Want(*which, cents) for which, cents in amounts.items() if cents > up.get(which, 0)))


def _key(puck: int, closed: tuple[str, ...], mine: tuple[Wager, ...]) -> _Key:
    return (
        puck,
        closed,
        tuple(
            sorted(
                (wager.kind, wager.number, wager.cents, wager.working, wager.vigorish, wager.progress) for wager in mine
            )
        ),
    )


def bind_policy(file: PolicyFile, rules: Rules) -> PolicyStrategy:
    """Return a policy as a strategy under rules; raise StrategyError for a wager that they do not have."""
    layouts = [layout for tables in file.situations.values() for rows in tables for layout in rows.layouts]
    kinds = frozenset(kind for layout in (*layouts, *file.short.values()) for kind, _number, _cents in layout)
    for kind in sorted(kinds):
        if kind not in rules.wagers:
            raise StrategyError(f"{file.name}: {rules.rulebook.name} has no wager {kind!r}")
    return PolicyStrategy(
        file=file,
        rules=rules,
        name=file.name,
        kinds=kinds,
        version=hashlib.sha256(file.text.encode()).hexdigest(),
        shoots=bool(kinds & set(rules.procedures.shooter.line_wagers)),
        start=(file.bankroll_cents, 0),
        bankroll_cents=file.bankroll_cents,
    )


def read_policy(path: Path, label: str = "") -> PolicyFile:
    """Read a policy file; an error names the file and the line."""
    label = label or str(path)
    try:
        return parse_policy(text_of_file(read_named_file(path, _SIZE_MAX), label), label)
    except StrategyError:
        raise
    except CrapsError as error:
        raise StrategyError(str(error)) from None


def parse_policy(text: str, label: str = "policy") -> PolicyFile:
    """Parse the text of a policy file.

    >>> file = parse_policy('''passline policy 1
    ... name twice
    ... about Reach 20.00 from 10.00.
    ... bankroll 10.00
    ... goal 20.00
    ... least 10.00
    ... short puck OFF: pass 10.00
    ... situation puck OFF
    ... 10.00: pass 10.00
    ... situation puck ON 4 | up pass 10.00
    ... 0.00: pass 10.00
    ... ''')
    >>> file.name, len(file.situations), file.bankroll_cents
    ('twice', 2, 1000)
    """
    lines = [line.strip() for line in text.splitlines()]
    if not lines or lines[0] != _FIRST:
        raise StrategyError(f"{label}: is not a policy; its first line is not {_FIRST!r}")
    head: dict[str, str] = {}
    short: dict[int, _Layout] = {}
    found: dict[_Key, list[PolicyRows]] = {}
    reader = _Reader(found)
    for number, line in enumerate(lines[1:], 2):
        try:
            if not line:
                continue
            word, _, rest = line.partition(" ")
            if word in _HEAD and not found:
                head[word] = rest.strip()
            elif word == "short":
                where, _, layout = rest.partition(":")
                short[_situation(where)[0]] = _layout(layout)
            else:
                reader.read(word, rest, line)
        except (CrapsError, ValueError, IndexError) as error:
            raise StrategyError(f"{label}, line {number}: {line[:60]!r} cannot be read: {error}") from None
    reader.close()
    if missing := {"name", "bankroll", "least"} - head.keys():
        raise StrategyError(f"{label}: has no line {min(missing)!r}")
    if not found or not head["name"].isidentifier() or len(head["name"]) > _NAME_MAX:
        raise StrategyError(f"{label}: a policy has a name of letters, digits and _, and at least one situation")
    try:
        cents = {key: cents_from(head.get(key, "0")) for key in ("bankroll", "goal", "least")}
        rolls = int(head.get("rolls", "0"))
    except (MoneyError, ValueError) as error:
        raise StrategyError(f"{label}: {error}") from None
    return PolicyFile(
        name=head["name"],
        about=head.get("about", ""),
        bankroll_cents=cents["bankroll"],
        goal_cents=cents["goal"],
        least_cents=cents["least"],
        rolls=rolls,
        frees=frozenset(head.get("frees", "").split()),
        short=short,
        situations={key: tuple(rows) for key, rows in found.items()},
        text=text,
    )


class _Reader:
    """Reads the situations of a policy line by line."""

    def __init__(self, found: dict[_Key, list[PolicyRows]]) -> None:
        self._found = found
        self._here: list[PolicyRows] | None = None
        self._after = 0
        self._rows: list[tuple[int, _Layout]] = []
        self._layouts: dict[str, _Layout] = {}

    def read(self, word: str, rest: str, line: str) -> None:
        """Read the line of a situation, of rolls, or of an amount and what is up with it."""
        if word == "situation":
            self.close()
            self._here, self._after = self._found.setdefault(_key(*_situation(rest)), []), 0
        elif word == "after":
            self.close()
            self._after = int(rest)
        elif self._here is None:
            raise ValueError("a line of money belongs under a situation")
        else:
            money, _, layout = line.partition(":")
            known = self._layouts.get(layout)
            if known is None:
                known = self._layouts[layout] = _layout(layout)
            self._rows.append((cents_from(money), known))

    def close(self) -> None:
        """Keep the lines read since the last situation."""
        if self._rows and self._here is not None:
            if [money for money, _ in self._rows] != sorted({money for money, _ in self._rows}):
                raise StrategyError("the amounts of a situation are not in ascending order")
            self._here.append(
                PolicyRows(self._after, tuple(m for m, _ in self._rows), tuple(layout for _, layout in self._rows))
            )
        self._rows = []


def _situation(text: str) -> tuple[int, tuple[str, ...], tuple[Wager, ...]]:
    puck, closed = 0, tuple[str, ...]()
    mine = tuple[Wager, ...]()
    for part in text.strip().split(" | "):
        word, _, rest = part.partition(" ")
        if word == "puck":
            puck = 0 if rest == "OFF" else int(rest.removeprefix("ON "))
        elif word == "closed":
            closed = tuple(rest.split())
        elif word == "up":
            mine = tuple(parse_wager(wager, seat=1) for wager in rest.split("; "))
        else:
            raise ValueError("a situation has puck, closed and up")
    return puck, closed, mine


def _layout(text: str) -> _Layout:
    if text.strip() == "-":
        return ()
    wagers = (parse_wager(wager.strip(), seat=1) for wager in text.split(";"))
    return tuple((wager.kind, wager.number, wager.cents) for wager in wagers)


def layout_text(mine: tuple[Wager, ...]) -> str:
    """Return what is up as a policy file has it.

    >>> layout_text((Wager(2, "player", "pass", 0, 10_00),)), layout_text(())
    ('pass 10.00', '-')
    """
    bare = (Wager(1, "player", wager.kind, wager.number, wager.cents) for wager in mine)
    return "; ".join(format_wager(wager, with_seat=False) for wager in bare) or "-"


def policy_lines(head: Mapping[str, str], short: Mapping[str, str], situations: Iterator[str]) -> str:
    """Return the text of a policy file, from its head, what the short of money wish for, and its other lines."""
    lines = [_FIRST, *(f"{key} {value}" for key, value in head.items())]
    lines += [f"short {where}: {layout}" for where, layout in short.items()]
    return "\n".join([*lines, *situations]) + "\n"
