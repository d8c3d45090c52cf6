"""Strategies by name: those of the catalogue and files, such as `molly:odds=3 + fire + mine.toml:unit=500`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from importlib.resources import files
from operator import add
from pathlib import Path

from passline.expression_words import nearest
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy, StrategyError
from passline.strategy.policy_file import SUFFIX, bind_policy, read_policy
from passline.strategy.strategy_file import StrategyFile, bind, read_strategy, value_of

_PARTS_MAX = 20
_NAME_MAX = 60


@cache
def known_strategies() -> dict[str, StrategyFile]:
    """Return the strategies of the catalogue by name, sorted.

    >>> known_strategies()["molly"].defaults
    {'unit': 1000, 'odds': 2, 'points': 3}
    """
    folder = files("passline") / "strategy" / "catalogue"
    found = [read_strategy(path, path.name) for path in folder.iterdir() if path.name.endswith(".toml")]
    return {file.name: file for file in sorted(found, key=lambda file: file.name)}


def strategy_file(name: str) -> StrategyFile:
    """Return the file of a strategy of the catalogue by its name, or any file by its path, which ends in .toml.

    >>> strategy_file("moly")
    Traceback (most recent call last):
    passline.strategy.interface.StrategyError: there is no strategy 'moly'; did you mean molly or dolly?
    """
    if name.endswith(".toml"):
        return read_strategy(Path(name))
    if name.endswith(SUFFIX):
        raise StrategyError(
            f"{name} is a policy, made by `passline best`: it is played, but has no parameters and wishes"
        )
    return catalogue_file(name)


def regulations_of(file: StrategyFile) -> dict[str, str]:
    """Return for each regulation why the strategy cannot be played under its default house; "" where it can.

    A side wager that the regulation knows counts as offered, although a house must elect a pay table for it.

    >>> [regulation for regulation, fault in regulations_of(strategy_file("fire")).items() if not fault]
    ['colorado', 'maryland']
    """
    reasons = dict.fromkeys(sound_regulations(), "")
    for name in reasons:
        try:
            bind(file, _default_rules(name, rulebook_of(name).digest))
        except StrategyError as error:
            reasons[name] = str(error)
    return reasons


@cache
def _default_rules(name: str, digest: str) -> Rules:
    del digest  # of two libraries, the same name may mean two
    return Rules.of(name)


def catalogue_file(name: str) -> StrategyFile:
    """Return the file of a strategy of the catalogue, and of no other: for names that strangers send.

    >>> catalogue_file("mine.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.strategy.interface.StrategyError: there is no strategy 'mine.toml'; ...
    """
    known = known_strategies()
    found = name if name in known else name.lower().replace("-", "_")
    if found not in known:
        raise StrategyError(f"there is no strategy {found[:_NAME_MAX]!r}; {nearest(found[:_NAME_MAX], known)}")
    return known[found]


def strategy_of(text: str, rules: Rules, find: Callable[[str], StrategyFile] = strategy_file) -> Strategy:
    """Return the strategy that `text` names under `rules`: names or files, with parameters, joined by +, in any case.

    `find` finds the file of a name: `catalogue_file` opens none.

    >>> strategy = strategy_of("molly:unit=500,odds=1 + six_eight:unit=$18", Rules.of("maryland"))
    >>> strategy.name, sorted(strategy.kinds)
    ('molly:unit=500,odds=1 + six_eight:unit=1800', ['come', 'come_odds', 'pass', 'pass_odds', 'place_win'])
    >>> strategy_of("Molly+FIELD", Rules.of("maryland")).name
    'molly + field'
    """
    is_any_file = find is strategy_file
    parts = [part for piece in text.split(" + ") for part in (_split_names(piece) if is_any_file else piece.split("+"))]
    if len(parts) > _PARTS_MAX:
        raise StrategyError(f"a strategy has at most {_PARTS_MAX} parts joined by +; this one has {len(parts)}")
    policies = [part.strip() for part in parts if is_any_file and part.strip().endswith(SUFFIX)]
    if policies and len(parts) > 1:
        raise StrategyError(f"{policies[0]} counts its money, so it is played alone: leave out what is joined to it")
    if policies:
        return bind_policy(read_policy(Path(policies[0])), rules)
    return reduce(add, (_part(part.strip(), rules, find) for part in parts))


def _split_names(text: str) -> list[str]:
    """Split at every +, unless it belongs to the name of a file that is there."""
    path = text.strip().rpartition(":")[0] if "=" in text else text.strip()
    return [text] if "+" not in text or (path.endswith((".toml", SUFFIX)) and Path(path).is_file()) else text.split("+")


def _part(text: str, rules: Rules, find: Callable[[str], StrategyFile]) -> Strategy:
    name, colon, rest = text.rpartition(":") if "=" in text.rpartition(":")[2] else (text, "", "")
    chosen = {}
    for item in rest.split(",") if colon else ():
        key, equals, value = item.partition("=")
        if not equals:
            raise StrategyError(f"{text}: {item!r} is not a parameter and its value, such as odds=2")
        chosen[key.strip().lower()] = value_of(value.strip(), f"{text}: {key.strip()}")
    return bind(find(name), rules, chosen)
