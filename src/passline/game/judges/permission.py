"""Whether a wager may be made: by whom, with which media (chips, cash, coupons), confirmed by whom, and when."""

from __future__ import annotations

from passline.dice import number_text
from passline.game import commands as c
from passline.game.judges.proposed_wager import ProposedWager, is_on_the_line
from passline.game.judges.shooting import has_line_wager
from passline.game.position import Position
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import OddsWager, SideWager, cites_of, clause_text, join_clauses, refusal

_DOLLAR = 100
_NAMES = {"match_play": "match-play coupons", "call": "call bets"}  # others are named by their keys


def player_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager of a player who may not wager, or for the crew where that is not allowed."""
    command, general, rule = proposed.command, proposed.rules.rulebook.general, proposed.rules.game.seats
    refusals = []
    state = proposed.position.seats[command.seat - 1]
    if state == "employee" and general.employees:
        refusals.append(refusal(general.employees.cite, "a gaming employee may not wager"))
    if state == "standing" and rule.seated:
        refusals.append(refusal(rule.seated.cite, "only a seated player may wager"))
    return refusals + (_tip_refusals(proposed) if command.owner != "player" else [])


def _tip_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager for the crew that the regulation or the house does not allow."""
    rules, command, general = proposed.rules, proposed.command, proposed.rules.rulebook.general
    if command.owner != "crew":
        why = f"a wager belongs to the player or the crew, not to {command.owner!r}"
        return [refusal(general.closed_list.cite, why)]
    if general.tips is None:
        return [refusal(general.closed_list.cite, "no wager may be made for the crew")]
    own = proposed.rule.entry.tips if isinstance(proposed.rule.entry, SideWager) else None
    if own is None:
        is_allowed = not general.tips.elect or rules.choice_of(general.tips.elect)
        return [] if is_allowed else [refusal(general.tips.cite, "this house takes no wagers for the crew")]
    most, elections = rules.choice_of(own.cents_max), rules.rulebook.elections
    name = proposed.rule.display_name()
    refusals = []
    if not rules.choice_of(own.elect):
        refusals.append(refusal(elections[own.elect].cite, f"this house takes no tips on {name}"))
    mine = [wager for wager in proposed.position.layout if wager.seat == command.seat and wager.owner == "player"]
    if not any(wager.kind == proposed.rule.kind and not wager.pending for wager in mine):
        refusals.append(refusal(own.cite, f"a tip on {name} needs the player's own wager on it"))
    if rules.choice_of(own.whole_dollars) and command.cents % _DOLLAR:
        refusals.append(refusal(elections[own.whole_dollars].cite, f"a tip on {name} must be in whole dollars"))
    if most and command.cents > most:
        refusals.append(refusal(elections[own.cents_max].cite, f"a tip on {name} is at most {dollars(most)}"))
    return refusals


def player_count_refusals(rules: Rules, position: Position, command: c.MakeWager) -> list[Refusal]:
    """Refuse a player when as many as allowed already have wagers on the roll."""
    rule = rules.game.seats
    wagering = {wager.seat for wager in position.layout} | {command.seat}
    if not rule.wagering_max or len(wagering) <= rule.wagering_max:
        return []
    return [refusal(rule.cite, f"{rule.wagering_max} players already have wagers on this roll")]


def media_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse media that may not be wagered, or not on this wager."""
    command, media = proposed.command, proposed.rules.rulebook.general.media
    refusals = []
    used = (*command.media, "match_play") if command.coupon else command.media
    for name in used or ("call",):
        medium = media.get(name)
        if medium is None or (medium.elect and not proposed.rules.choice_of(medium.elect)):
            refusals.append(refusal((medium or media["chips"]).cite, _not_accepted(name)))
        elif medium.wagers == "none":
            refusals.append(refusal(medium.cite, _not_accepted(name)))
        elif medium.wagers != "any" and proposed.rule.kind not in medium.wagers:
            why = f"{_not_accepted(name)} on {proposed.rule.display_name(proposed.number)}"
            refusals.append(refusal(medium.cite, why))
    if "cash" in used and media["cash"].wagers != "none" and set(command.media) != {"cash"}:
        why = "a wager is made in chips or in cash, not both; change the cash for chips first"
        refusals.append(refusal(media["cash"].cite, why))
    if command.coupon > command.cents > 0 and "match_play" in media:
        refusals.append(refusal(media["match_play"].cite, "a match-play coupon needs chips of at least its face"))
    return refusals


def _not_accepted(medium: str) -> str:
    return f"{_NAMES.get(medium) or medium.replace('_', ' ')} may not be wagered"


def confirmations(proposed: ProposedWager) -> tuple[str, ...]:
    """Return the confirmations a wager needs; `dealer|boxperson` means that either role may confirm."""
    rules, command = proposed.rules, proposed.command
    if "confirm" in rules.automate:
        return ()
    general, late = rules.rulebook.general, rules.game.late
    needed: list[str] = []
    if proposed.position.dice == "air" and late.confirm:
        roles = rules.roles(late.confirm.by)
        needed += ["|".join(roles)] if late.confirm.needed == "any" else list(late.confirm.by)
    for name in command.media:
        medium = general.media.get(name)
        if medium and medium.confirm:
            needed.append("|".join(rules.roles(medium.confirm)))
    placed = general.centre_placed_by
    if proposed.rule.centre and placed and command.by not in placed.by:
        needed.append("|".join(rules.roles(placed.by)))
    return tuple(roles for roles in dict.fromkeys(needed) if command.by not in roles.split("|"))


_NAMED = 6  # as many as there are points; a longer list helps nobody
_PUCKS = {"come_out": "before a come-out roll", "point": "while the puck is ON"}
_HAND_IS_NEW = "new_hand"  # the window that closes with a shooter's first come-out roll


def timing_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager that may not be made yet, or no longer."""
    refusals = _number_refusals(proposed) + _dice_refusals(proposed)
    if proposed.position.is_clearing:
        return refusals + _clearing_refusals(proposed)
    if proposed.rule.behind:
        return refusals + _base_refusals(proposed)
    if isinstance(proposed.rule.entry, SideWager):
        return refusals + _side_wager_refusals(proposed, proposed.rule.entry)
    return refusals + _window_refusals(proposed)


def _side_wager_refusals(proposed: ProposedWager, entry: SideWager) -> list[Refusal]:
    """Refuse a side wager outside its window, a forbidden addition, or one without a line wager or a free area."""
    rules, position, name = proposed.rules, proposed.position, proposed.rule.display_name
    refusals = _side_window_refusals(proposed, entry)
    grows_by = entry.increase or entry.make
    if proposed.standing and entry.increase and entry.increase.until == "never":
        refusals.append(refusal(grows_by.cite, f"the {name()} wager may not be increased"))
    elif proposed.others and not proposed.standing and not (entry.beside or _are_carried_over(proposed)):
        refusals.append(refusal(grows_by.cite, f"the {name()} wager is already up for this shooter's hand"))
    if entry.line_wager and not has_line_wager(rules, position, proposed.command.seat):
        refusals.append(refusal(entry.line_wager.cite, f"the {name()} wager needs the player's own line wager"))
    if entry.areas:
        seats = {wager.seat for wager in position.layout if wager.kind == proposed.rule.kind} | {proposed.command.seat}
        if len(seats) > entry.areas.max:
            refusals.append(refusal(entry.areas.cite, f"the layout has {entry.areas.max} areas for the {name()} wager"))
    return refusals


def _side_window_refusals(proposed: ProposedWager, entry: SideWager) -> list[Refusal]:
    """Refuse a side wager while the puck is where it may not be made, or once a window has closed."""
    rules, position, name = proposed.rules, proposed.position, proposed.rule.display_name
    refusals = []
    if entry.make.when in _PUCKS and (entry.make.when == "point") != bool(position.puck):
        refusals.append(refusal(entry.make.cite, f"the {name()} wager can be made only {_PUCKS[entry.make.when]}"))
    windows = [entry.make.when]
    if entry.make.or_when and rules.choice_of(entry.make.elect):
        windows.append(entry.make.or_when)
    for window in windows:
        rule = rules.rulebook.general.windows.get(window)
        if rule and window in position.closed:
            refusals.append(
                refusal(entry.make.cite, f"the {name()} wager can no longer be made in this shooter's hand")
            )
        elif rule and rule.puck_off and position.puck:
            why = f"the {name()} wager can be made once the puck is OFF, before this shooter's first come-out roll"
            refusals.append(refusal(entry.make.cite, why))
    return refusals


def _are_carried_over(proposed: ProposedWager) -> bool:
    """Return whether all of the player's side wagers that have counted a roll were made for an earlier shooter.

    Before the hand's first roll they all were. Then, until its first come-out roll, one made for this shooter has
    counted nothing but rolls at a point carried over: beside what shows no more than that, another would increase it.
    """
    closed, rules = proposed.position.closed, proposed.rules
    if _HAND_IS_NEW in closed:
        return False
    return rules.beside_window not in closed or all(any(other.progress) for other in proposed.others)


def _number_refusals(proposed: ProposedWager) -> list[Refusal]:
    if proposed.has_number:
        return []
    rule, cite = proposed.rule, proposed.rule.entry.make.cite
    numbers = [number_text(number) for number in sorted(rule.numbers) if number]
    wanted = ", ".join(numbers) if len(numbers) <= _NAMED else f"{', '.join(numbers[:3])} and so on"
    if not numbers:
        why = f"{rule.display_name()} takes no number"
    elif proposed.number:
        why = f"{rule.display_name()} cannot be on {number_text(proposed.number)}; it can be on {wanted}"
    elif rule.behind and is_on_the_line(proposed.rules, rule.behind):
        why = f"{rule.display_name()} can be made only while a point is set"
    else:
        why = f"name a number for {rule.display_name()}: {wanted}"
    if len(cites_of(cite)) > _NAMED:  # too many to print: cite the list of wagers instead
        cite = proposed.rules.rulebook.general.closed_list.cite
    return [refusal(cite, why)]


def _dice_refusals(proposed: ProposedWager) -> list[Refusal]:
    late = proposed.rules.game.late
    if proposed.position.dice in {"rest", "called"}:
        return [refusal(late.cite, "the dice have come to rest")]
    if proposed.position.dice == "air" and not late.permitted:
        return [refusal(late.cite, "wagers are made before the dice are thrown")]
    return []


def _clearing_refusals(proposed: ProposedWager) -> list[Refusal]:
    only = proposed.rules.procedures.clearing.only.cite
    if proposed.rule.kind not in proposed.rules.procedures.shooter.line_wagers:
        return [refusal(only, "come wagers are being cleared; only a line wager may be made")]
    if proposed.position.dice == "air":
        return [refusal(only, "make the line wager after this throw, which clears come wagers")]
    return []


def _base_refusals(proposed: ProposedWager) -> list[Refusal]:
    rules, behind = proposed.rules, proposed.rule.behind
    is_elsewhere = is_on_the_line(rules, behind) and proposed.number != proposed.position.puck
    if proposed.base is not None and proposed.number and not is_elsewhere:
        return []
    point = number_text(proposed.number) or "set"
    why = f"odds need a {rules.wagers[behind].display_name()} wager whose point is {point}"
    entry = proposed.rule.entry
    assert isinstance(entry, OddsWager)
    return [Refusal(join_clauses(clause_text(entry.make.cite), clause_text(entry.lose.cite)), why)]


def _window_refusals(proposed: ProposedWager) -> list[Refusal]:
    rule, entry, puck = proposed.rule, proposed.rule.entry, proposed.position.puck
    name = rule.display_name
    can_grow = entry.increase is not None and entry.increase.until == "deciding_roll"
    grows_by = (entry.increase or entry.make).cite
    if proposed.number and rule.family == "line":
        return [] if can_grow else [refusal(grows_by, f"{name(proposed.number)} may not be increased")]
    if entry.make.when == "come_out" and puck:
        if proposed.standing is None:
            return [refusal(entry.make.cite, f"{name()} can be made only before a come-out roll")]
        return [] if can_grow else [refusal(grows_by, f"{name()} may not be increased once its point is set")]
    if entry.make.when == "point" and not puck:
        return [refusal(entry.make.cite, f"{name()} can be made only while the puck is ON")]
    return []
