"""Answers a line of text from the player with a new state and messages, for both screens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from passline.cli.play.messages import (
    HELP,
    SEAT,
    Message,
    ban_on_aids,
    equity,
    explain_wager,
    happened_lines,
    own_wagers,
    short_name,
    standing_lines,
)
from passline.cli.play.parser import ODDS, VERBS, NotUnderstood, Wish, read
from passline.cli.play.play_state import (
    PlayState,
    Reply,
    Thrown,
    after_winning,
    in_house_currency,
    keep_events,
    markers,
)
from passline.dice import Roll, number_text, roll_of, stick_call
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.decide import act
from passline.game.judges.proposed_wager import is_on_the_line
from passline.game.position import Wager, find
from passline.game.spots import Spot, default_cents, lawful, odds_spots, wish_for
from passline.money import cents_from, dollar_amount, dollars, short_dollars
from passline.refusal import Refused
from passline.rules.schema import refusal

_ROLLS_KEPT = 1_000
_SHOWN = 20
_FACES = re.compile(r"([1-6])[-\s]?([1-6])")


def respond(state: PlayState, text: str, dice: Iterator[Roll] | None = None) -> Reply:
    """Answer a line of text. A roll takes the next of `dice`, which may be None if the player types them."""
    reply = _respond(state, text, dice)
    return replace(reply, lines=in_house_currency(state.rules, reply.lines))


def _respond(state: PlayState, text: str, dice: Iterator[Roll] | None) -> Reply:
    if state.is_typed and (faces := _typed_faces(state, text)):
        return _throw(replace(state, is_asked=False), faces)
    try:
        wishes = read(state.rules, text)
    except CrapsError as error:
        return _refuse(state, str(error))
    reply = Reply(replace(state, is_asked=False), ())
    for wish in wishes:
        try:
            follows = _ACTS[wish.verb](reply.state, wish, dice)
        except NotUnderstood as error:
            follows = _refuse(reply.state, str(error))
        is_page = follows.is_page or reply.is_page
        reply = replace(follows, lines=reply.lines + follows.lines, is_page=is_page)
        if reply.is_refused or reply.state.is_over:
            break
    return reply


def charge_of(state: PlayState, text: str, *, by: str = "Enter") -> str:
    """Return what a line would take beside its wagers, before it is entered; empty if there is no vigorish.

    >>> from passline.cli.play.play_state import begin_play
    >>> from passline.rules.rules import Rules
    >>> charge_of(begin_play(Rules.of("maryland"), bankroll=1000_00), "buy 4 25")
    'Enter takes $26: $25 and vigorish $1'
    """
    try:
        is_made = {wish.verb for wish in read(state.rules, text)} <= {"make", "press"}
    except CrapsError:
        return ""
    after = respond(state, text) if is_made else None
    if after is None or after.is_refused:
        return ""
    was, now = state.table.money, after.state.table.money
    charged, taken = now.bank - was.bank, was.racks[SEAT - 1] - now.racks[SEAT - 1]
    if charged <= 0:
        return ""
    return f"{by} takes {state.amount(taken)}: {state.amount(taken - charged)} and vigorish {state.amount(charged)}"


def _typed_faces(state: PlayState, text: str) -> Roll | None:
    """Parse two digits as dice; a space between them is allowed after a prompt, or whenever a roll is possible."""
    words = text.strip().lower()
    first, _, rest = words.partition(" ")
    is_roll = VERBS.get(first) == "roll"
    faces = _FACES.fullmatch(rest.strip() if is_roll else words)
    if faces is None or (" " in words and not (is_roll or state.is_asked or _roll_refused(state) is None)):
        return None
    return roll_of(int(faces[1]), int(faces[2]))


def summary(state: PlayState) -> tuple[Message, ...]:
    """Return the result of the game: rolls, won, lost, bought in, leaving with."""
    total = equity(state.table)
    up = total - state.table.money.racks[SEAT - 1]
    change = total - state.bought
    verdict = f"{'up' if change > 0 else 'down'} {state.amount(abs(change))}" if change else "even"
    open_wagers = f" ({state.amount(up)} of it still on the layout)" if up else ""
    bought = f"Bought in for {state.amount(state.bought)}"
    rolls = f"{state.roll_count} roll{'' if state.roll_count == 1 else 's'}"
    charged = state.won - state.lost - change - state.tipped  # taken when wagers were made, not lost by a roll
    vigorish = f", vigorish {state.amount(charged)}" if charged else ""
    vigorish += f", tips {state.amount(state.tipped)}" if state.tipped else ""
    return (
        Message(f"{rolls}; won {state.amount(state.won)}, lost {state.amount(state.lost)}{vigorish}.", "head"),
        Message(f"{bought}, leaving with {state.amount(total)}{open_wagers}: {verdict}.", "head"),
    )


def _refuse(state: PlayState, *texts: str) -> Reply:
    return Reply(state, tuple(Message(text, "refusal") for text in texts), is_refused=True)


def _do(state: PlayState, command: c.Command) -> Reply:
    """Carry out a command; a refusal changes nothing."""
    outcome = act(state.rules, state.table, command)
    if isinstance(outcome, Refused):
        return _refuse(state, *(f"Refused: {refusal}" for refusal in outcome.refusals))
    happened, table = outcome
    lines = happened_lines(state.rules, happened)
    after = replace(state, table=table, before=state, happened=happened, log=keep_events(state.log, happened))
    if isinstance(command, c.MakeWager) and command.owner == "crew":
        after = replace(after, tipped=state.tipped + command.cents)
    if table.position.dice == "offered" and table.position.offered_to == SEAT:
        taken = act(state.rules, table, c.AcceptDice(seat=SEAT))
        assert not isinstance(taken, Refused), str(taken)
        after = replace(after, table=taken[1], log=keep_events(after.log, taken[0]))
        lines.append(Message("You accept the dice again: a new hand.", "note"))
    return Reply(after, tuple(lines))


def _make(state: PlayState, wish: Wish, _dice: object = None) -> Reply:
    spot = _spot(state, wish)
    is_open = wish.amount in {"", "min", "max", "all"}
    cents = _usual_cents(state, spot, wish.amount) if is_open else cents_from(wish.amount)
    command = wish_for(spot, cents, SEAT)
    reply = _do(state, command)
    if reply.is_refused:
        return _with_tip(reply, spot, cents)
    return replace(reply, state=replace(reply.state, made=(*state.made, command)))


def _usual_cents(state: PlayState, spot: Spot, amount: str) -> int:
    if spot.number not in state.rules.wagers[spot.kind].numbers:  # such as odds before a point
        return state.rules.wagers[spot.kind].min
    return default_cents(state.rules, state.table, spot, SEAT, amount)


def _with_tip(reply: Reply, spot: Spot, cents: int) -> Reply:
    """Add to a refusal an amount that would be accepted, if there is one."""
    rules, table = reply.state.rules, reply.state.table
    if spot.number not in rules.wagers[spot.kind].numbers or not lawful(rules, table, spot, SEAT):
        return reply
    usual = default_cents(rules, table, spot, SEAT)
    if usual == cents:
        return reply
    tip = Message(f"Try: {short_name(spot)} {short_dollars(usual)}", "note")
    return replace(reply, lines=(*reply.lines, tip))


def _spot(state: PlayState, wish: Wish) -> Spot:
    """Return the wager that is meant; plain odds go behind the player's only wager or the line."""
    rules, table = state.rules, state.table
    odds = [spot for spot in odds_spots(rules, table, SEAT, wish.owner) if wish.kind in {ODDS, spot.kind}]
    if wish.kind != ODDS and not rules.wagers[wish.kind].behind:
        return Spot(wish.kind, wish.number, wish.owner)
    if wish.number:
        odds = [spot for spot in odds if spot.number == wish.number]
    if len(odds) > 1 and odds[0].number != table.position.puck:
        which = " or ".join(f"odds on {spot.number}" for spot in odds)
        raise NotUnderstood(f"odds behind which wager? type {which}")
    if odds:
        return odds[0]
    kind = next(kind for kind in rules.wagers if rules.wagers[kind].behind) if wish.kind == ODDS else wish.kind
    return Spot(kind, wish.number, wish.owner)


def _find_wager(state: PlayState, wish: Wish) -> Wager:
    """Return the player's wager that is meant, by its number or as the only one of its kind."""
    rules, position = state.rules, state.table.position
    kinds = {kind for kind, rule in rules.wagers.items() if rule.behind} if wish.kind == ODDS else {wish.kind}
    up = [
        wager for wager in position.layout if wager.seat == SEAT and wager.kind in kinds and wager.owner == wish.owner
    ]
    if wish.number:
        up = [wager for wager in up if wager.number == wish.number]
    exact = [wager for wager in up if wager.number == wish.number]
    if len(exact or up) != 1:
        name = wish.kind.replace("_", " ") + (f" {number_text(wish.number)}" if wish.number else "")
        numbers = ", ".join(number_text(wager.number) for wager in up)
        raise NotUnderstood(f"{name} on which number? You have {numbers}" if up else f"you have no {name} up")
    return (exact or up)[0]


def _take_down(state: PlayState, wish: Wish, _dice: object) -> Reply:
    if wish.amount == "all":
        return _do_each(state, lambda wager: c.RemoveWager(seat=SEAT, wager=wager.kind, number=wager.number))
    wager = _find_wager(state, wish)
    return _do(state, c.RemoveWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner))


def _less(state: PlayState, wish: Wish, _dice: object) -> Reply:
    if not wish.amount or wish.amount in {"min", "max", "all"}:
        return _refuse(state, "less by how much? type: less place 6 6")
    wager = _find_wager(state, wish)
    cents = cents_from(wish.amount)
    command = c.ReduceWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner, cents=cents)
    return _do(state, command)


def _press(state: PlayState, wish: Wish, _dice: object) -> Reply:
    if not wish.kind:
        return _refuse(state, "press which wager? name it: press 6, press hard 8")
    wager = _find_wager(state, wish)
    amount = wish.amount or dollars(wager.cents)
    number = 0 if state.rules.wagers[wager.kind].lines else wager.number  # a side wager's number is its place
    return _make(state, Wish("make", wager.kind, number, amount, wager.owner))


def _call(state: PlayState, wish: Wish, _dice: object) -> Reply:
    call = wish.verb
    if not wish.kind and not state.table.position.layout:
        return _refuse(state, f"nothing to call {call}: no wager is up")
    if not wish.kind:
        return _do_each(state, lambda wager: c.CallWager(seat=SEAT, wager=wager.kind, number=wager.number, call=call))
    wager = _find_wager(state, wish)
    command = c.CallWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner, call=call)
    return _do(state, command)


def _do_each(state: PlayState, command_of: Callable[[Wager], c.Command]) -> Reply:
    """Carry out a command for each of the player's wagers; one undo takes all of it back."""
    lines: list[Message] = []
    now, refused = state, 0
    for wager in own_wagers(state.table):
        if find(now.table.position, SEAT, wager.kind, wager.number) is None:
            continue  # odds come down with their original wager
        reply = _do(now, command_of(wager))
        now, refused = reply.state, refused + reply.is_refused
        lines += reply.lines
    if now is state:
        return Reply(state, tuple(lines) or (Message("No wager is up.", "refusal"),), is_refused=True)
    return Reply(replace(now, before=state), tuple(lines))


def _roll(state: PlayState, wish: Wish, dice: Iterator[Roll] | None) -> Reply:
    thrown = None if state.is_typed else dice
    if wish.amount and thrown is not None:
        return _refuse(state, f"these dice are not typed: type roll, not roll {wish.amount}")
    if wish.amount:
        return _refuse(state, f"{wish.amount!r} is not a roll: type two digits from 1 to 6, such as 34")
    if refused := _roll_refused(state):  # checked first, so that no dice are wasted
        return refused
    if thrown is not None:
        return _throw(state, next(thrown))
    prompt = Message("What did you roll? Type two digits from 1 to 6, such as 34.", "note")
    return Reply(replace(state, is_asked=True), (prompt,))


def _roll_refused(state: PlayState) -> Reply | None:
    outcome = act(state.rules, state.table, c.RollDice(first=1, second=1))
    return _do(state, c.RollDice(first=1, second=1)) if isinstance(outcome, Refused) else None


def _throw(state: PlayState, roll: Roll) -> Reply:
    position = state.table.position
    reply = _do(state, c.RollDice(first=roll.first, second=roll.second))
    if reply.is_refused:
        return reply
    net = equity(reply.state.table) - equity(state.table)
    is_come_out = position.phase == "come_out"
    called = stick_call(roll, point=position.puck, is_come_out=is_come_out, points=state.rules.points)
    thrown = Thrown(roll, position.puck, called, net)
    lines = [Message(f"Roll {state.roll_count + 1}: {roll}. {called}.", "call"), *reply.lines]
    if net:
        won = f"You {'win' if net > 0 else 'lose'} {dollar_amount(abs(net))}"
        lines.append(Message(f"{won} on this roll; rack {reply.state.rack_text}.", "head"))
    held, more = after_winning(reply.state, position.layout, _do)
    lines += more
    after = replace(
        held,
        before=None,
        made=(),
        last=state.made or state.last,
        rolls=(*state.rolls, thrown)[-_ROLLS_KEPT:],
        roll_count=state.roll_count + 1,
        won=state.won + max(net, 0),
        lost=state.lost + max(-net, 0),
    )
    return Reply(after, tuple(lines))


def _stay(state: PlayState, wish: Wish, _dice: object) -> Reply:
    stays = wish.amount != "off"
    if wish.amount not in {"", "on", "off"}:
        return _refuse(state, "type stay, or stay off")
    said = (
        "Standing order: place, buy and lay wagers and hardways that win stay up."
        if stays
        else "No standing order: wagers that win come down."
    )
    return Reply(replace(state, stays=stays), (Message(said, "note"),))


def _undo(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    if state.before is None:
        return _refuse(state, "nothing to undo: what was done before the last roll stands")
    if refused := _undo_refused(state, state.before):
        return _refuse(state, "that cannot be undone:", *(f"Refused: {refusal}" for refusal in refused.refusals))
    return Reply(state.before, (Message(f"Undone; rack {state.before.rack_text}.", "note"),))


def _undo_refused(state: PlayState, before: PlayState) -> Refused | None:
    """Return the refusal if undo would put up a wager that the rules do not allow to be made now."""
    rules, table = state.rules, state.table
    up = [wager for wager in before.table.position.layout if wager.seat == SEAT]
    for wager in sorted(up, key=lambda wager: bool(rules.wagers[wager.kind].behind)):  # odds after their own wager
        now = find(table.position, SEAT, wager.kind, wager.number)
        less = wager.cents - (now.cents if now else 0)
        if less <= 0:
            continue
        again = c.MakeWager(seat=SEAT, wager=wager.kind, number=wager.number, cents=less)
        outcome = act(rules, table, again)
        if isinstance(outcome, Refused):
            bars = rules.wagers[wager.kind].entry.increase
            why = f"{rules.wagers[wager.kind].display_name()} that came down may not be put back once its point is set"
            return Refused((refusal(bars.cite, why),)) if bars and bars.until == "point" else outcome
        table = outcome[1]
    return None


def _repeat(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    if not state.last:
        return _refuse(state, "nothing to repeat: no wager was made before the last roll")
    now = state
    lines: list[Message] = []
    for command in state.last:
        rule = state.rules.wagers[command.wager]
        is_line_odds = rule.behind and is_on_the_line(state.rules, rule.behind)
        again = replace(command, number=state.table.position.puck) if is_line_odds else command
        reply = _do(now, again)
        lines += reply.lines
        if not reply.is_refused:
            now = replace(reply.state, made=(*now.made, again))
    if now is state:
        return Reply(state, tuple(lines), is_refused=True)
    return Reply(replace(now, before=state), tuple(lines))


def _decline(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    return _do(state, c.DeclineLineWager(seat=SEAT))


def _cash(state: PlayState, wish: Wish, _dice: object) -> Reply:
    try:
        cents = cents_from(wish.amount)
    except CrapsError:
        return _refuse(state, f"cash how much? type cash 100, not {wish.amount!r}")
    reply = _do(state, c.BuyIn(seat=SEAT, cents=cents))
    return reply if reply.is_refused else replace(reply, state=replace(reply.state, bought=state.bought + cents))


def _help(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    lines = [Message("What you can type, among other spellings:", "head"), *(Message(f"{a:<25}{b}") for a, b in HELP)]
    return Reply(state, tuple(lines), is_page=True)


def _rules(state: PlayState, wish: Wish, _dice: object) -> Reply:
    if wish.kind == ODDS:
        kinds = [kind for kind, rule in state.rules.wagers.items() if rule.behind]
        return _refuse(state, f"which odds? type rules {', rules '.join(kinds)}")
    if not wish.kind:
        return _refuse(state, f"the rules of which wager? {', '.join(state.rules.wagers)}")
    return Reply(state, tuple(explain_wager(state.rules, wish.kind)), is_page=True)


def _wagers(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    return Reply(state, tuple(standing_lines(state.rules, state.table)), is_page=True)


def _history(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    if not state.rolls:
        return Reply(state, (Message("No roll yet.", "note"),))
    first = state.roll_count - len(state.rolls[-_SHOWN:]) + 1
    lines = [Message(_history_line(*numbered)) for numbered in enumerate(state.rolls[-_SHOWN:], start=first)]
    if ban := ban_on_aids(state.rules):
        lines.append(Message(f"Shown because you asked; it may not be used to predict a roll [{ban}]", "note"))
    return Reply(state, (Message(" roll  dice     point     you", "head"), *lines), is_page=True)


def _history_line(number: int, thrown: Thrown) -> str:
    point = str(thrown.point) if thrown.point else "come-out"
    net = f"{'+' if thrown.net > 0 else ''}{dollar_amount(thrown.net)}" if thrown.net else ""
    return f"{number:>5}  {thrown.roll}  {thrown.roll.total:>2}  {point:<9} {net}".rstrip()


def _table(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    from passline.cli.play.layout import HEIGHT, picture_of

    height = HEIGHT + len([rule for rule in state.rules.wagers.values() if rule.lines])
    picture = picture_of(state.rules, state.table, height=height, markers=markers(state))
    return Reply(state, tuple(Message(text) for text in picture.texts()), is_page=True)


def _quit(state: PlayState, _wish: Wish, _dice: object) -> Reply:
    return Reply(replace(state, is_over=True), ())


_ACTS: dict[str, Callable[[PlayState, Wish, Any], Reply]] = {
    "make": _make,
    "down": _take_down,
    "less": _less,
    "press": _press,
    "on": _call,
    "off": _call,
    "roll": _roll,
    "undo": _undo,
    "repeat": _repeat,
    "decline": _decline,
    "cash": _cash,
    "stay": _stay,
    "help": _help,
    "rules": _rules,
    "wagers": _wagers,
    "history": _history,
    "table": _table,
    "quit": _quit,
}
