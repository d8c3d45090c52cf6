"""The parts of a strategy file that have nothing to do with each other, each as a strategy file of its own.

Place wagers on six numbers, each pressed by its own hits, are six files played side by side: no part reads a wager of
another, and no clause ties their wagers. A memory that reads no wager at all, such as a count of losing sevens, goes
with every part that reads it. Together the parts wish what the file wishes, wager for wager.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import NumberError, number_code, number_text
from passline.rules.rules import Rules
from passline.rules.schema import SideWager, part_spot
from passline.strategy.strategy_file import FileStrategy, bind, counter_places, places_read
from passline.strategy.vocabulary import READS_ALL
from passline.strategy.wish_entry import LOWERS, RAISES

Spot = tuple[str, int]
"""A kind of wager and its number; 0 where wagers of the kind on different numbers are not apart."""
_BY_NUMBER = frozenset({"number", "hardway", "one_roll"})


class _Piece(Struct, frozen=True):
    """A wish on one of its numbers, a wish on all of them, or a memory that no wish reads."""

    wish: int | None  # its place in the file
    number: int | None  # None: on all of its numbers
    makes: frozenset[Spot]  # the spots of its wagers
    spots: frozenset[Spot]  # those, and of the wagers that it reads
    places: frozenset[int]  # of the counters that it reads, directly or through others


def parts_of_file(strategy: FileStrategy) -> list[FileStrategy]:
    """Return the parts of a strategy in the order of the file; the strategy itself if it has but one.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> [part.name for part in parts_of_file(strategy_of("six_eight", rules))]
    ['six_eight[place_win 6]', 'six_eight[place_win 8]']
    """
    if strategy.reads_money:
        return [strategy]
    pieces = _pieces(strategy)
    groups = _groups(pieces)
    if len(groups) == 1 or not _outlays_add_up(strategy, pieces, groups):
        return [strategy]
    return [_part(strategy, [pieces[at] for at in group]) for group in groups]


def tied_kinds(rules: Rules, kinds: frozenset[str]) -> frozenset[str]:
    """Return these kinds and those that a clause ties to them: what odds go behind, parts, the line of a side wager.

    >>> sorted(tied_kinds(Rules.of("maryland"), frozenset({"come_odds"})))
    ['come', 'come_odds']
    """
    tied = set(kinds)
    for kind in kinds & rules.wagers.keys():
        rule = rules.wagers[kind]
        tied |= {rule.behind} if rule.behind else set()
        tied |= {part_spot(part)[0] for part, _units in rule.breakdown}
        if isinstance(rule.entry, SideWager) and rule.entry.line_wager:
            tied |= set(rules.procedures.shooter.line_wagers)
    return frozenset(tied)


def _pieces(strategy: FileStrategy) -> list[_Piece]:
    """Return what a file wishes in its smallest pieces, in the order of the file; then the memories nobody reads."""
    file, rules, _chosen = strategy.made_of
    own = {*file.parameters, *file.memory, *file.let}
    at_places = counter_places(file)
    places = [_places_behind(strategy, {place}) for place in range(len(strategy.counters))]
    heard = [
        _spots_read(rules, counter.next.named, counter.next.reads - own, counter.number)
        for counter in strategy.counters
    ]
    pieces = []
    for at, wish in enumerate(strategy.bound_wishes):
        kind = wish.rule.kind
        apart = wish.fixed if _is_by_number(rules, kind) else ()
        for number in apart or (None,):
            numbers = (number,) if number is not None else tuple(wish.rule.numbers)
            read = {place for n in numbers for place in places_read(wish.reads, at_places, n)}
            read = read.union(*(places[place] for place in read))
            makes = _spots(rules, kind, number)
            spots = makes.union(*(_spots(rules, follows, None) for follows in wish.follows))
            spots |= _spots_read(rules, wish.calls, wish.reads - own, number)
            spots = spots.union(*(heard[place] for place in read))
            pieces.append(_Piece(at, number, makes, spots, frozenset(read)))
    unread = set(range(len(places))).difference(*(piece.places for piece in pieces))
    for place in sorted(unread):
        spots = frozenset[Spot]().union(*(heard[read] for read in places[place]))
        pieces.append(_Piece(None, None, frozenset(), spots, places[place]))
    return pieces


def _places_behind(strategy: FileStrategy, places: set[int]) -> frozenset[int]:
    """Return the places of these counters and of all that they read."""
    found: set[int] = set()
    while places:
        found |= places
        places = {read for place in places for read in strategy.counters[place].reads} - found
    return frozenset(found)


def _is_by_number(rules: Rules, kind: str) -> bool:
    """Return whether wagers of a kind on different numbers have nothing to do with each other."""
    rule = rules.wagers[kind]
    is_base = any(other.behind == kind for other in rules.wagers.values())
    return rule.family in _BY_NUMBER and 0 not in rule.numbers and not is_base and not isinstance(rule.entry, SideWager)


def _spots(rules: Rules, kind: str, number: int | None) -> frozenset[Spot]:
    """Return the spots of a kind of wager, on one number or on all, and of those that are tied to it."""
    found: set[Spot] = set()
    for tied in tied_kinds(rules, frozenset({kind})) & rules.wagers.keys():
        if not _is_by_number(rules, tied):
            found.add((tied, 0))
        elif tied == kind and number is not None:
            found.add((tied, number))
        else:
            found |= {(tied, at) for at in rules.wagers[tied].numbers}
    return frozenset(found)


def _spots_read(
    rules: Rules, named: Iterable[tuple[str, str]], words: frozenset[str], number: int | None
) -> frozenset[Spot]:
    """Return the spots that an expression reads, which stands for `number`; all of them for a word about the layout."""
    found = [_spots(rules, kind, _number_named(text, number)) for kind, text in named]
    found += [_spots(rules, kind, None) for kind in rules.wagers if words & READS_ALL]
    return frozenset[Spot]().union(*found)


def _number_named(text: str, number: int | None) -> int | None:
    """Return the number that a call names in this text; None for all of them, or one that cannot be known."""
    if text == "number":
        return number or None
    try:
        return number_code(text.strip("'")) or None
    except NumberError:
        return None


def _groups(pieces: Sequence[_Piece]) -> list[list[int]]:
    """Group pieces that share a wager, in the order of their first pieces; what shares none goes with the first."""
    wagered = frozenset[Spot]().union(*(piece.makes for piece in pieces))
    groups: list[tuple[frozenset[Spot], list[int]]] = []
    for at, piece in enumerate(pieces):
        spots = piece.spots & wagered or next(iter(groups))[0]
        joined = [group for group in groups if group[0] & spots]
        groups = [group for group in groups if group not in joined]
        members = [at, *(other for _spots_of_group, own in joined for other in own)]
        groups.append((spots.union(*(group[0] for group in joined)), sorted(members)))
    return sorted(members for _spots_of_group, members in groups)


def _outlays_add_up(strategy: FileStrategy, pieces: Sequence[_Piece], groups: Sequence[Sequence[int]]) -> bool:
    """Return whether the most that is up while acting is the sum of the most that each part has up.

    It is if everything is raised before anything is lowered, but that a single part may do as it likes while nothing
    of another part changes any more: then all parts have the most up at one moment.
    """
    does = ["" if piece.wish is None else strategy.bound_wishes[piece.wish].does for piece in pieces]
    raised = [max((at for at in group if does[at] in RAISES), default=-1) for group in groups]
    lowered = [min((at for at in group if does[at] in LOWERS), default=len(does)) for group in groups]
    first = min(lowered)
    late = [at for at, last in enumerate(raised) if last >= first]
    others = (low for at, low in enumerate(lowered) if at not in late)
    return not late or (len(late) == 1 and all(raised[late[0]] < low for low in others))


def _part(strategy: FileStrategy, pieces: Sequence[_Piece]) -> FileStrategy:
    """Return the strategy of some pieces: a file with their wishes and with the memories that these read."""
    file, rules, chosen = strategy.made_of
    kept = frozenset[int]().union(*(piece.places for piece in pieces))
    wishes, names = [], []
    for at, entry in enumerate(file.wish):
        numbers = [piece.number for piece in pieces if piece.wish == at]
        if numbers:
            on = tuple(number for number in numbers if number is not None)
            wishes.append(replace(entry, on=on) if on else entry)
            kind = strategy.bound_wishes[at].rule.kind
            names += [f"{kind} {number_text(number)}" if number else kind for number in on or (0,)]
    memory = {}
    for key, at_number in counter_places(file).items():
        each = tuple(number for number, place in at_number.items() if place in kept)
        if each:
            memory[key] = file.memory[key] if each == (0,) else replace(file.memory[key], each=each)
    named = ", ".join(dict.fromkeys(names))
    text = f"{file.text}\0{[(piece.wish, piece.number) for piece in pieces]}"
    part = replace(file, name=f"{file.name}[{named}]", wish=tuple(wishes), memory=memory, text=text)
    return bind(part, rules, chosen)
