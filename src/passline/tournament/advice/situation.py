"""The file that describes the end of a tournament's round: who has what, how many rolls are left, who plays how."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from passline.dice import NumberError, number_code, number_text
from passline.errors import CrapsError
from passline.game.position import Wager
from passline.game.spots import Spot, least_cents
from passline.money import POINT_CENTS
from passline.rules.pages.structure import faults_of
from passline.rules.pages.texts import read_toml
from passline.rules.rules import Rules
from passline.tournament.rules import NoTournaments, tournament_of

PLAYER_SEAT = 2
"""The seat of a player at the tables of an automaton."""
ROLLS_MAX = 3
"""How many rolls before the end advice is given for."""
_RIVALS_MAX = 4
_POINTS_MAX = 1_000_000_000
_Points = Annotated[int, Meta(ge=0, le=_POINTS_MAX)]
_Text = Annotated[str, Meta(max_length=600)]


class SeatedPlayer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player at the table: the points in the rack, the wagers that are up besides, and how they play on."""

    name: Annotated[str, Meta(min_length=1, max_length=80)] = "you"
    points: _Points
    up: tuple[_Text, ...] = ()  # such as "pass 100" or "place_win 8 60"
    strategy: _Text = ""


class TournamentEnding(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The last rolls of a round at one table. The strategies of rivals begin without memory, and read no standings."""

    rules: Annotated[str, Meta(min_length=1, max_length=80)]
    house: dict[str, Any] = {}
    rolls: int  # that are left, the next one among them
    puck: int = 0  # the point; 0: OFF
    me: SeatedPlayer
    rivals: tuple[SeatedPlayer, ...]
    undecided: Literal["returned", "lost"] = "returned"  # wagers that are up after the last roll
    ties: Literal["roll_off", "shared"] = "roll_off"  # a roll-off is fair; who shares a place has it
    places: tuple[int, ...] = (1,)  # 2: how likely you are in the first two
    chip: Annotated[int, Meta(ge=1, le=_POINTS_MAX)] = 1  # the points of the smallest chip
    wager_points_max: _Points = 0  # 0: no limit
    wagers: tuple[_Text, ...] = ()  # those to look at, such as "field" or "place_win 6"; none: all
    two_wagers: bool | None = None  # whether two at once are looked at; not said: on the last roll only


def read_situation(path: Path) -> TournamentEnding:
    """Read a file; raise CrapsError with every fault of it."""
    return situation_of(read_toml(path), str(path))


def example_ending() -> str:
    """Return a file to start from.

    >>> example_ending().splitlines()[1]
    'rules = "colorado"'
    """
    return Path(__file__).with_name("example.toml").read_text(encoding="utf-8")


def situation_of(data: dict[str, Any], label: str = "the situation") -> TournamentEnding:
    """Return a situation from the data of its file.

    >>> situation_of({"rules": "colorado", "rolls": 4, "me": {"points": 5}})
    Traceback (most recent call last):
    passline.errors.CrapsError: the situation: rivals: is missing
    """
    if faults := faults_of(data, TournamentEnding):
        raise CrapsError(f"{label}: {'; '.join(map(str, faults))}")
    found = msgspec.convert(data, TournamentEnding)
    if wrong := _wrong(found):
        raise CrapsError(f"{label}: {wrong}")
    return found


def _wrong(found: TournamentEnding) -> str:
    """Return what cannot be in a file, or nothing."""
    if not 1 <= found.rolls <= ROLLS_MAX:
        return f"rolls: {found.rolls}: advice is for the last {ROLLS_MAX} rolls; write how many are left"
    if not 1 <= len(found.rivals) <= _RIVALS_MAX:
        return f"rivals: {len(found.rivals)}: name 1 to {_RIVALS_MAX}, those who can still pass you or be passed"
    if not found.places or not all(1 <= place <= len(found.rivals) for place in found.places):
        return f"places: {list(found.places)}: with as many rivals ask about places from 1 to {len(found.rivals)}"
    if without := [rival.name for rival in found.rivals if not rival.strategy]:
        return f"rivals: {' and '.join(without)} without a strategy: say how a rival plays"
    if found.rolls == ROLLS_MAX and not found.me.strategy:
        return f"me: with {ROLLS_MAX} rolls left you play a strategy in between: say which"
    return ""


def rules_of_situation(situation: TournamentEnding) -> Rules:
    """Return the rules that its table deals by: without limits where the regulation's tournaments have none."""
    try:
        limits_apply = tournament_of(situation.rules).pages.chips.no_limit is None
    except NoTournaments:
        limits_apply = True
    return Rules.of(situation.rules, house=situation.house or None, limits_apply=limits_apply)


def spot_in(rules: Rules, text: str, label: str, *, is_up: bool = False) -> Spot:
    """Return the spot that words name: a wager, and its number where it has several, or has moved to one.

    >>> spot_in(Rules.of("colorado"), "place_win 6", "wagers")
    Spot(kind='place_win', number=6, owner='player')
    """
    kind, _, number = text.strip().partition(" ")
    rule = rules.wagers.get(kind)
    if rule is None or not rule.is_offered:
        raise CrapsError(
            f"{label}: {text!r}: the table offers no wager {kind!r}; it offers {', '.join(_kinds_offered(rules))}"
        )
    try:
        code = number_code(number.strip())
    except NumberError as error:
        raise CrapsError(f"{label}: {text!r}: {error}") from None
    is_moving = rule.family == "line" and kind not in rules.procedures.shooter.line_wagers
    numbers = rules.points if is_up and is_moving else rule.numbers
    if code not in numbers:
        known = ", ".join(number_text(number) or "none" for number in sorted(numbers))
        raise CrapsError(f"{label}: {text!r}: its numbers are {known}")
    return Spot(kind, code)


def _kinds_offered(rules: Rules) -> Iterable[str]:
    return sorted(kind for kind, rule in rules.wagers.items() if rule.is_offered)


def wagers_up(rules: Rules, player: SeatedPlayer, puck: int) -> tuple[Wager, ...]:
    """Return the wagers that a player has up, each as a kind, a number where it has several, and points."""
    found = []
    for text in player.up:
        words, _, points = text.strip().rpartition(" ")
        if not points.isascii() or not points.isdigit() or not 0 < int(points) <= _POINTS_MAX:
            raise CrapsError(f'{player.name}: up: {text!r}: write a wager and its points, such as "place_win 8 60"')
        spot, cents = spot_in(rules, words, f"{player.name}: up", is_up=True), int(points) * POINT_CENTS
        rule = rules.wagers[spot.kind]
        is_on_line = spot.kind in rules.procedures.shooter.line_wagers
        if puck == 0 and is_on_line:
            raise CrapsError(f"{player.name}: up: {text!r}: the puck is OFF, and wagers on the line come with the acts")
        if rules.limits_apply and cents < least_cents(rules, spot) and not rule.behind:
            raise CrapsError(
                f"{player.name}: up: {text!r}: {spot.kind} is made for {least_cents(rules, spot)} cents or more"
            )
        held = rules.vigorish_on(rule, spot.number, cents) if _is_paid_before(rule, spot.number) else 0
        found.append(Wager(PLAYER_SEAT, "player", spot.kind, spot.number, cents, vigorish=held))
    if len({(wager.kind, wager.number) for wager in found}) < len(found):
        raise CrapsError(f"{player.name}: up: a wager comes twice")
    return tuple(sorted(found))


def _is_paid_before(rule: Any, number: int) -> bool:  # noqa: ANN401 - a compiled rule of a wager
    return rule.vigorish is not None and rule.vigorish.is_due_when_made(number)
