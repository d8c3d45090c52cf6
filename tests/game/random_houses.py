"""Random houses: every election of a regulation, drawn within its bounds; and houses that make all of them in turn."""

from __future__ import annotations

from random import Random
from typing import Any

from passline.rules.elections import House
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import AUTOMATED, Rules
from passline.rules.schema import ELECTIONS, Composite, OddsWager, Rulebook, Run, SideWager, wagers_of

# The seven games that are dealt, by regulation.
GAMES = (
    ("colorado", "craps"),
    ("colorado", "craps_free_craps"),
    ("section2", "craps"),
    ("section2", "mini_craps"),
    ("arizona", "craps"),
    ("maryland", "craps"),
    ("maryland", "mini_craps"),
)

_ATTEMPTS = 12
_CHIPS = (1, 25, 50, 100, 100, 100, 500)
_ODDS = (1, 2, 3, 4, 5, 10)
_BETTER = ("31 to 1", "3 to 1", "2 to 1", "10 to 1")
_AMOUNTS = {
    "wager_cents_max": (10_000, 50_000, 200_000),
    "limit_notice_minutes": (0, 30),
    "dice_set": (5, 5, 6, 8),
    "front_line_tip_cents_max": (0, 500, 100_000),
}


def random_rules(random: Random, regulation: str, game: str) -> Rules:
    """Return rules with random elections and random automated steps; a few lift the limits, as tournaments do."""
    rulebook = rulebook_of(regulation)
    house = random_house(random, rulebook, game)
    lot = random.randrange(4)
    if lot == 0:
        automate = AUTOMATED
    elif lot == 1:
        automate = frozenset()
    else:
        automate = frozenset(step for step in sorted(AUTOMATED) if random.randrange(2))
    return Rules(rulebook, house, automate=automate, limits_apply=random.randrange(12) > 0)


def random_house(random: Random, rulebook: Rulebook, game: str) -> House:
    """Return a house without breaches: elections that breach are dropped until none is left."""
    data = _elections(random, rulebook) | _money(random) | _side_wagers(random, rulebook) | {"game": game}
    data["odds"] = _odds(random, rulebook)
    data["payouts"] = _payouts(random, rulebook, game)
    data["seats"] = random.choice((1, 2, 4, 5, 6, 8, 9, 20))
    data["seat_left_of_stickperson"] = random.randint(1, int(data["seats"]))
    return _lawful(rulebook, data)


def elected_houses(rulebook: Rulebook, game: str) -> tuple[House, ...]:
    """Return houses of a game that offer every wager they may, and among them make every choice of every election."""
    turns = max(
        *(len(_choices(one.choices)) for one in rulebook.elections.values()),
        *(len(entry.readings) for entry in rulebook.wagers.values() if isinstance(entry, Run)),
    )
    return tuple(_lawful(rulebook, _elected(rulebook, game, turn)) for turn in range(turns))


def _elected(rulebook: Rulebook, game: str, turn: int) -> dict[str, Any]:
    """Return a house that makes the choice whose turn it is of each election, and keeps to half of what it may list."""
    data: dict[str, Any] = {"game": game, "side_wagers": {}, "odds": _odds(Random(turn), rulebook)}
    for key, election in rulebook.elections.items():
        choices = _choices(election.choices)
        if key not in ELECTIONS and choices:
            data["side_wagers"][key] = choices[turn % len(choices)]
        elif choices:
            data[key] = choices[turn % len(choices)]
        elif election.subset_of:
            some = election.subset_of[turn % 2 :: 2]
            data[key] = tuple(int(one) if one.isdigit() else one for one in some)
        if election.same_as:
            data[key] = data[election.same_as]
    data |= {key: True for key in ("tip_wagers", "front_line_tips") if True in rulebook.elections[key].choices}
    runs = {kind: tuple(entry.readings) for kind, entry in rulebook.wagers.items() if isinstance(entry, Run)}
    data["readings"] = {kind: names[turn % len(names)] for kind, names in runs.items()}
    return data


def _choices(choices: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the choices of an election, without the one not to offer what it is about."""
    return tuple(one for one in choices if one != "none") or choices


def _lawful(rulebook: Rulebook, data: dict[str, Any]) -> House:
    for _attempt in range(_ATTEMPTS):
        house, breaches = house_of(rulebook, data)
        if house is not None and not breaches:
            return house
        for breach in breaches:
            key, _, inner = breach.key.partition(".")
            if inner and inner in data.get(key, {}):
                data[key] = {name: value for name, value in data[key].items() if name != inner}
            elif key not in data:  # the default conflicts with an election, most often with the payouts
                data["payouts"] = {}
            data.pop(key if not inner else "", None)
    message = f"no lawful house after {_ATTEMPTS} attempts: {'; '.join(map(str, breaches))}"
    raise AssertionError(message)


def _elections(random: Random, rulebook: Rulebook) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, election in rulebook.elections.items():
        if key not in ELECTIONS:  # a side wager's pay table, drawn apart
            continue
        if election.choices:
            data[key] = random.choice(election.choices)
        elif election.subset_of:
            some = [one for one in election.subset_of if random.randrange(3) == 0]
            data[key] = tuple(int(one) if one.isdigit() else one for one in some)
        elif key.endswith("basis_points"):
            data[key] = random.choice((0, 100, 499, 500))
        elif key in _AMOUNTS and election.max != 0:
            data[key] = random.choice(_AMOUNTS[key])
        if election.same_as:
            data[key] = data[election.same_as]
    return data


def _side_wagers(random: Random, rulebook: Rulebook) -> dict[str, Any]:
    """Return a pay table for most side wagers, and a reading for those with several."""
    tables = {key: one.choices for key, one in rulebook.elections.items() if key not in ELECTIONS}
    runs = {kind: entry for kind, entry in rulebook.wagers.items() if isinstance(entry, Run)}
    return {
        "side_wagers": {key: random.choice(some[1:] if random.randrange(5) else some) for key, some in tables.items()},
        "readings": {kind: random.choice(tuple(entry.readings)) for kind, entry in runs.items()},
    }


def _money(random: Random) -> dict[str, Any]:
    chip = random.choice(_CHIPS)
    least = chip * random.choice((1, 1, 5))
    centre = {"min": chip, "max": chip * random.choice((30, 1000))}
    return {
        "smallest_chip_cents": chip,
        "wager_cents_min": least,
        "wager_cents_max": chip * random.choice((100, 5000)),
        "odds_cents_max": 0,
        "limits": {"centre": centre, "field": {"min": chip, "max": chip * 50}} if random.randrange(2) else {},
    }


def _odds(random: Random, rulebook: Rulebook) -> dict[str, int]:
    limits = [entry.limit for entry in rulebook.wagers.values() if isinstance(entry, OddsWager)]
    found = {}
    for point in rulebook.general.points.totals:
        least = max(*(int(limit.least(point)) for limit in limits), 1)
        most = min((int(limit.most(point)) for limit in limits if limit.multiple_max), default=max(_ODDS))
        found[str(point)] = min(max(random.choice(_ODDS), least), most)
    return found


def _payouts(random: Random, rulebook: Rulebook, game: str) -> dict[str, str]:
    """Return some other payouts: the listed alternatives, and better ones that may be breaches."""
    chosen: dict[str, str] = {}
    for kind, entry in wagers_of(rulebook, rulebook.games[game]).items():
        if isinstance(entry, (Composite, SideWager)):
            continue
        for line in entry.pays:
            if line.or_pays and random.randrange(2):
                chosen[kind] = line.or_pays
        if random.randrange(8) == 0:
            chosen[kind] = random.choice(_BETTER)
    return chosen
