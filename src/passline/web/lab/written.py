"""What visitors write, made into rules and strategies: no name of theirs opens a file, and every text is bounded."""

from __future__ import annotations

from passline.automaton.terms import Terms, check_goal
from passline.bounded_text import parse_toml
from passline.errors import CrapsError
from passline.rules.elections import HouseBreaches
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy, StrategyError
from passline.strategy.lookup import catalogue_file, strategy_of
from passline.strategy.strategy_file import StrategyFile, bind, strategy_in
from passline.web.lab.questions import LabHouse, LabSession, LabStrategy

LABEL = "your file"
"""What errors call a file that is written on the page."""
_RULES_KEPT = 16
_rules: dict[LabHouse, Rules] = {}


def rules_asked(house: LabHouse) -> Rules:
    """Return the rules of a house; raise CrapsError if there is no such regulation or game, or elections break it.

    >>> rules_asked(LabHouse("maryland", elections="wager_cents_min = 1_500")).house.wager_cents_min
    1500
    >>> rules_asked(LabHouse("../maryland"))
    Traceback (most recent call last):
    passline.errors.CrapsError: there is no regulation '../maryland'; there are colorado, section2, arizona and maryland
    """
    if (found := _rules.get(house)) is not None:
        return found
    names = sound_regulations()
    if house.regulation not in names:
        known = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else ", ".join(names)
        raise CrapsError(f"there is no regulation {house.regulation[:40]!r}; there are {known}")
    rulebook = rulebook_of(house.regulation)
    game = house.game or "craps"
    if game not in rulebook.games:
        raise CrapsError(f"{house.regulation} deals no {game[:40]!r}; it deals {' and '.join(rulebook.games)}")
    elected = parse_toml(house.elections)
    if wrong := {"rules", "game"} & elected.keys():
        raise CrapsError(f"elections: {wrong.pop()!r} is chosen above, not in the text")
    made, breaches = house_of(rulebook, elected | {"rules": house.regulation, "game": game})
    if made is None or breaches:
        raise HouseBreaches("elections", breaches)
    if len(_rules) >= _RULES_KEPT:
        _rules.clear()
    _rules[house] = rules = Rules(rulebook, made)
    return rules


def terms_asked(session: LabSession) -> Terms:
    """Return the terms of a session; raise SessionError if they make none.

    >>> str(terms_asked(LabSession(bankroll_cents=500_00, hands=3, goal_cents=750_00, line_losses=4)))
    'from 500.00, at most 3 hands, goal 750.00, at most 4 line losses in a row'
    """
    terms = Terms(
        bankroll_cents=session.bankroll_cents,
        rolls=session.rolls,
        decisions=session.decisions,
        hands=session.hands,
        goal_cents=session.goal_cents,
        shooter_loss_cents=session.shooter_loss_cents,
        stop_loss_cents=session.stop_loss_cents,
        trailing_stop_cents=session.trailing_stop_cents,
        line_wins=session.line_wins,
        line_losses=session.line_losses,
    )
    check_goal(terms)
    return terms


def strategy_asked(strategy: LabStrategy, rules: Rules) -> Strategy:
    """Return a strategy bound to rules: one of the catalogue by its name, or one that is written out.

    >>> strategy_asked(LabStrategy("molly:odds=1 + fire.toml"), Rules.of("maryland"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.strategy.interface.StrategyError: there is no strategy 'fire.toml'; ...
    """
    if strategy.file and strategy.played:
        raise StrategyError("a strategy is named or written, not both")
    if strategy.file:
        return bind(strategy_in(strategy.file.encode("utf-8", "replace"), LABEL), rules)
    if not strategy.played.strip():
        raise StrategyError("no strategy is named: choose one of the catalogue, such as molly, or write one")
    return strategy_of(strategy.played, rules, catalogue_file)


def file_asked(strategy: LabStrategy) -> StrategyFile:
    """Return the file of a strategy that is one file, without parameters."""
    if strategy.file:
        return strategy_in(strategy.file.encode("utf-8", "replace"), LABEL)
    return catalogue_file(strategy.played.partition(":")[0].strip())
