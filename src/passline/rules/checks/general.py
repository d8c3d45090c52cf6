"""Checks the general rules and procedures: no list is empty, and no reason is both for and against a roll."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from passline.authority.roles import PLAYER
from passline.dice import OUTCOMES
from passline.rules.checks.alike import own_answer_problems
from passline.rules.checks.elections import is_switch
from passline.rules.checks.names import game_name_problems, window_name_problems
from passline.rules.pages.citations import citation_faults, cited_entries
from passline.rules.pages.structure import nearest_words
from passline.rules.schema import (
    MEDIA,
    RECORD_CLASSES,
    Composite,
    Game,
    General,
    Line,
    OddsWager,
    Procedures,
    Rulebook,
    SideWager,
    all_wagers,
    wagers_of,
)

_NAMED = (
    "shooter.order_to_pass.by", "shooter.order_reasons", "throw.settled_first.by", "throw.passed_by.by", "throw.void",
    "no_roll.by", "no_roll.reasons", "dispute.by",
)  # fmt: skip
_DICE = 2
_TOTALS = frozenset(roll.total for roll in OUTCOMES) - {7}
_LIES = ("flat", "cocked")  # how a die may lie, whatever the regulation says


def _general_term_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield the problems that can be seen from the general rules alone."""
    general = rulebook.general
    try:
        date.fromisoformat(general.latest_amendment or "2000-01-01")
    except ValueError:
        yield f"latest_amendment: {general.latest_amendment!r} is not a day, such as 2014-07-15"
    if not general.points.totals:
        yield "points.totals: is empty"
    if general.remove.until != "deciding_roll":
        yield f"remove.until: {general.remove.until} is for single wagers; all others come down until the deciding_roll"
    yield from _media_problems(rulebook)
    yield from _pays_rule_problems(rulebook)
    if general.tips and general.tips.elect and not is_switch(rulebook, general.tips.elect):
        yield f"tips.elect: {general.tips.elect} is not an election of yes or no"
    yield from _window_problems(rulebook)
    yield from _layout_problems(general)
    records = general.live.records
    yield from (
        f"live.records.{name}: is not a class of records{nearest_words(name, RECORD_CLASSES)}"
        for name in records
        if name not in RECORD_CLASSES
    )
    yield from _empty(general, ("call_on.button_by", "centre_placed_by.by", "dealer_includes.by", "live.advice.by"))
    yield from _empty(general, ("live.cash_changed_by.by", "live.dice_sets.reasons"))
    yield from _empty(general, [f"live.irregularities.{key}.by" for key in ("notify", "direct", "observe")])
    yield from _missing_problems(rulebook)
    yield from _empty(general, [f"live.{key}.authorities" for key in ("game_rules", "electronic", "prediction_aid")])


def _missing_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield each general rule that is missing though another entry of the rulebook needs it."""
    general, live, elections = rulebook.general, rulebook.general.live, rulebook.elections
    tips = elections.get("tip_wagers")
    has_odds = any(isinstance(entry, OddsWager) for entry in all_wagers(rulebook).values())
    needed = {
        "composite_parts": (
            any(isinstance(entry, Composite) for entry in all_wagers(rulebook).values()),
            general.composite_parts,
            "say by which clause each part of a composite wager is made of chips",
        ),
        "odds_follow": (has_odds, general.odds_follow, "say by which clause odds stay with the wager they are behind"),
        "odds_excess": (
            has_odds,
            general.odds_excess,
            "say by which clause odds above the multiple are allowed or not",
        ),
        "tips": (
            tips and True in tips.choices,
            general.tips,
            "a house may take wagers for the crew (elections.toml: tip_wagers)",
        ),
        "live.uniform": (
            "payouts_uniform" in general.listed_payouts.needs,
            live.uniform,
            "say by which clause higher payouts are the same at every table",
        ),
        "live.game_rules": (
            any(election.approval for election in elections.values()),
            live.game_rules,
            "say who approves what elections.toml has under `approval`",
        ),
        "live.fills": (live.inventories, live.fills, "give it with live.inventories, or neither"),
        "live.inventories": (live.fills, live.inventories, "give it with live.fills, or neither"),
    }
    yield from (
        f"{key}: is missing; {told}" for key, (is_needed, rule, told) in needed.items() if is_needed and not rule
    )


def _layout_problems(general: General) -> Iterator[str]:
    layout, chips = general.live.layout, general.live.chips
    if layout is not None and not (layout.name or layout.areas or layout.odds or layout.legends):
        yield "live.layout: is empty; leave it out, or say what a layout bears"
    if len({colour.cents for colour in chips.colours}) < len(chips.colours):
        yield "live.chips.colours: a chip of one value has one colour; write it once"
    for colour in chips.colours:
        if colour.cents not in chips.cents:
            yield f"live.chips.colours: {colour.cents} is not a value of live.chips.cents"


def _window_problems(rulebook: Rulebook) -> Iterator[str]:
    wagers = [rulebook.wagers, *(game.wagers for game in rulebook.games.values())]
    makes = [entry.make for some in wagers for entry in some.values()]
    named = {moment for make in makes for moment in (make.when, make.or_when)}
    is_carried = any(window.closes == "carried_point" for window in rulebook.general.windows.values())
    for name, window in rulebook.general.windows.items():
        if bool(window.totals) != (window.closes == "totals"):
            yield f"windows.{name}.totals: must be given if totals close it, and only then"
        if window.closes == "totals" and not window.puck_off and not is_carried:
            told = "a wager that rode to a new shooter is told by it from one made for that shooter"
            yield f'windows: one that closes with "carried_point" is missing; {told}'
        if name not in named and window.closes != "carried_point":  # which tells for whom rolls were counted
            yield f"windows.{name}: no wager is made in it"


def _media_problems(rulebook: Rulebook) -> Iterator[str]:
    general = rulebook.general
    yield from (
        f"media.{name}: is not a medium{nearest_words(name, MEDIA)}" for name in general.media if name not in MEDIA
    )
    tokens = rulebook.elections.get("tokens")
    if tokens and True in tokens.choices and "tokens" not in general.media:
        yield "media.tokens: is missing, though a house may take tokens (elections.toml: tokens)"
    for name, medium in general.media.items():
        if medium.elect and medium.elect in rulebook.elections and not is_switch(rulebook, medium.elect):
            yield f"media.{name}.elect: {medium.elect} is not an election of yes or no"
        if name == "cash" and medium.wagers != "none" and not medium.confirm:
            yield "media.cash.confirm: is missing; say who confirms a wager made in cash"
        if medium.wagers == ():
            yield f'media.{name}.wagers: is empty; write "none" where it is not taken'
        if medium.wagers == "none" and (medium.confirm or medium.elect):
            yield f"media.{name}: is not taken, so nobody confirms it and no house elects it"


def _pays_rule_problems(rulebook: Rulebook) -> Iterator[str]:
    general = rulebook.general
    fixed, listed = general.fixed_payouts, general.listed_payouts
    if (fixed.listed, fixed.needs) != (listed.listed, listed.needs) and not fixed.wagers:
        yield "fixed_payouts.wagers: is missing; name the wagers whose payouts are not as the others'"
    for key, rule in (("listed_payouts", general.listed_payouts), ("fixed_payouts", general.fixed_payouts)):
        if (rule.listed == "only") == bool(rule.needs):
            told = "must be left out" if rule.needs else "is missing"
            yield f"{key}.needs: {told}; it names the elections by which a house pays otherwise, if it may at all"
        for need in rule.needs:
            if need in rulebook.elections and not is_switch(rulebook, need):
                yield f"{key}.needs: {need} is not an election of yes or no"
            elif need in rulebook.elections and len(rulebook.elections[need].choices) == 1:
                yield f"{key}.needs: every house elects the same for {need}, so it asks for nothing; leave it out"
        for kind in rule.wagers:
            if isinstance(all_wagers(rulebook).get(kind), Composite | SideWager):
                yield f"{key}.wagers: {kind} has no payouts that a house could change"


def _empty(node: object, paths: tuple[str, ...] | list[str]) -> Iterator[str]:
    """Yield a problem for each of some lists that is there and empty."""
    for path in paths:
        value = node
        for step in path.split("."):
            value = value.get(step) if isinstance(value, dict) else getattr(value, step, None)
        if value in ((), {}):
            yield f"{path}: is empty"


def _game_term_problems(rulebook: Rulebook, game: Game) -> Iterator[str]:
    """Yield the problems that can be seen from a game's own page alone."""
    yield from _empty(
        game, ["late.confirm.by", "duties", *(f"duties.{name}.by" for name in game.duties), "points.totals"]
    )
    yield from (f"wagers.{kind}: is in `without` as well" for kind in game.wagers if kind in game.without)
    yield from own_answer_problems(game)
    seats = game.seats
    if seats.seats_max and seats.wagering_max > seats.seats_max:
        yield f"seats.wagering_max: {seats.wagering_max} is above seats_max, {seats.seats_max}"
    if seats.remain and not seats.seated:
        yield "seats.remain: is for a game whose players are seated"
    if game.procedures is not None:
        yield from empty_procedures(game)
        wagers = wagers_of(rulebook, game)
        named = (*game.procedures.shooter.line_wagers, *game.procedures.clearing.wagers)
        absent = [kind for kind in named if kind not in wagers and kind in rulebook.wagers]
        yield from (f"procedures: {kind} is not a wager of this game" for kind in absent)
        moving = {kind for kind, entry in wagers.items() if isinstance(entry, Line) and entry.moves}
        if moving != set(game.procedures.clearing.wagers):
            yield f"procedures.clearing.wagers: must be the line wagers that move: {', '.join(sorted(moving))}"


def empty_procedures(node: object) -> Iterator[str]:
    """Yield a problem for each list of the procedures of a game or of a house's data that is empty."""
    yield from _empty(node, [f"procedures.{path}" for path in _NAMED])


def _procedure_term_problems(procedures: Procedures) -> Iterator[str]:
    """Yield the problems that can be seen from the procedures of a regulation or a house alone."""
    no_roll = procedures.no_roll
    both = sorted(set(no_roll.reasons) & set(no_roll.no_reason))
    yield from (f"no_roll.reasons.{reason}: is in no_reason as well" for reason in both)
    for reason, ground in no_roll.reasons.items():
        callers = (*no_roll.by, *no_roll.designated)
        if callers and (strange := [role for role in ground.by if role not in callers]):
            yield f"no_roll.reasons.{reason}.by: {', '.join(strange)} may not call no roll"
    yield from (f"throw.void.{lie}: a {lie} die is read, never void" for lie in procedures.throw.void if lie in _LIES)
    if PLAYER in no_roll.by:
        yield "no_roll.by: a player cannot call no roll"


def general_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield the problems of the general rules."""
    general, wagers, elections = rulebook.general, all_wagers(rulebook), rulebook.elections
    if not general.games:
        yield "games: is empty"
    yield from game_name_problems(general.games)
    yield from window_name_problems(rulebook)
    yield from _general_term_problems(rulebook)
    if not set(general.points.totals) <= _TOTALS or len(set(general.points.totals)) < len(general.points.totals):
        yield f"points: {general.points.totals} must be different totals of two dice other than 7"
    if not (chips := general.live.chips.cents) or chips[0] < 1 or list(chips) != sorted(set(chips)):
        yield f"live.chips.cents: {chips} must be different values of chips in ascending order"
    for key, rule in (("listed_payouts", general.listed_payouts), ("fixed_payouts", general.fixed_payouts)):
        yield from (f"{key}.wagers: {kind} is not a wager" for kind in rule.wagers if kind not in wagers)
        yield from (f"{key}.needs: {need} is not an election" for need in rule.needs if need not in elections)
    yield from (f"media.{name}: is missing" for name in ("chips", "call") if name not in general.media)
    for name, medium in general.media.items():
        if medium.elect and medium.elect not in elections:
            yield f"media.{name}.elect: {medium.elect} is not an election"
        if isinstance(medium.wagers, tuple):
            yield from (f"media.{name}.wagers: {kind} is not a wager" for kind in medium.wagers if kind not in wagers)


def game_problems(rulebook: Rulebook, game: Game) -> Iterator[str]:
    """Yield the problems of a game's own page."""
    if not game.late.permitted and game.late.confirm:
        yield "late.confirm: must be left out where late wagers are not permitted"
    if game.late.permitted and not game.late.confirm:
        yield "late.confirm: is missing; a late wager is permitted once somebody confirms it"
    yield from (f"without: {kind} is not a wager" for kind in game.without if kind not in rulebook.wagers)
    yield from _game_term_problems(rulebook, game)
    if game.procedures is None and "procedures" not in rulebook.default_house:
        yield "procedures: is missing, and the default house supplies none"
    if game.procedures is not None:
        yield from _sense_problems(rulebook, game.procedures)
        dice_set, least = rulebook.elections.get("dice_set"), game.procedures.dice.set_min
        if dice_set and dice_set.min and _DICE <= least != dice_set.min:
            yield f"procedures.dice.set_min: {least} is not {dice_set.min}, the least that a house elects (dice_set)"


def procedure_problems(rulebook: Rulebook, procedures: Procedures) -> Iterator[str]:
    """Yield the problems of the procedures of a house that their shape does not exclude."""
    yield from map(str, citation_faults(cited_entries(procedures), rulebook.name))
    yield from _sense_problems(rulebook, procedures)


def _sense_problems(rulebook: Rulebook, procedures: Procedures) -> Iterator[str]:
    yield from _procedure_term_problems(procedures)
    for key, kinds in (
        ("shooter.line_wagers", procedures.shooter.line_wagers),
        ("clearing.wagers", procedures.clearing.wagers),
    ):
        if not kinds:
            yield f"{key}: is empty"
        others = [kind for kind in kinds if not isinstance(all_wagers(rulebook).get(kind), Line)]
        yield from (f"{key}: {kind} is not a line wager" for kind in others)
    if not procedures.dice.chosen == _DICE <= procedures.dice.set_min:
        yield f"dice: {procedures.dice.chosen} of {procedures.dice.set_min} are chosen; a throw takes two"
    if not procedures.throw.called_by.by or not procedures.dice.offered_by:
        yield "throw.called_by, dice.offered_by: must name a role"
