"""One player at one table: a line of text in, a new session and what to say out. Both screens show what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from passline.cli.play.hints import SEAT, money, short_name
from passline.cli.play.messages import (
    HELP,
    Line,
    ban_on_aids,
    equity,
    explained,
    happened_lines,
    own_wagers,
    standing_lines,
)
from passline.cli.play.parser import ODDS, VERBS, NotUnderstood, Wish, read
from passline.cli.play.session import Reply, Session, Thrown, logged, markers, open_session
from passline.dice import Roll, number_text, roll_of, stick_call
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.decide import act
from passline.game.judges.offer import is_on_the_line
from passline.game.position import Wager, find
from passline.game.refusal import Refused, refusal
from passline.game.spots import Spot, default_cents, lawful, odds_spots, wish_for
from passline.money import cents_from, dollars

__all__ = ["Reply", "Session", "Thrown", "markers", "open_session", "respond", "summary"]

_ROLLS_KEPT = 1_000
_SHOWN = 20
_FACES = re.compile(r"([1-6])[-\s]?([1-6])")


def respond(session: Session, text: str, dice: Iterator[Roll] | None = None) -> Reply:
    """Answer a line of text; `dice` are thrown by a roll, and are not needed where they are typed."""
    if session.is_typed and (faces := _typed_faces(session, text)):
        return _throw(replace(session, is_asked=False), faces)
    try:
        wishes = read(session.rules, text)
    except CrapsError as error:
        return _refuse(session, str(error))
    reply = Reply(replace(session, is_asked=False), ())
    for wish in wishes:
        try:
            follows = _ACTS[wish.verb](reply.session, wish, dice)
        except NotUnderstood as error:
            follows = _refuse(reply.session, str(error))
        is_page = follows.is_page or reply.is_page
        reply = replace(follows, lines=reply.lines + follows.lines, is_page=is_page)
        if reply.is_refused or reply.session.is_over:
            break
    return reply


def _typed_faces(session: Session, text: str) -> Roll | None:
    """Read two digits as dice: with a space too, once they were asked for or whenever a roll is what comes next."""
    words = text.strip().lower()
    first, _, rest = words.partition(" ")
    is_roll = VERBS.get(first) == "roll"
    faces = _FACES.fullmatch(rest.strip() if is_roll else words)
    if faces is None or (" " in words and not (is_roll or session.is_asked or _unfit_to_roll(session) is None)):
        return None
    return roll_of(int(faces[1]), int(faces[2]))


def summary(session: Session) -> tuple[Line, ...]:
    """Say how it went."""
    has = equity(session.table)
    up = has - session.table.money.racks[SEAT - 1]
    change = has - session.bought
    verdict = f"up {money(change)}" if change > 0 else f"down {money(-change)}" if change else "even"
    open_wagers = f" ({money(up)} of it still on the layout)" if up else ""
    rolls = f"{session.roll_count} roll{'' if session.roll_count == 1 else 's'}"
    charged = session.won - session.lost - change - session.tipped  # taken when wagers were made: no roll lost it
    vigorish = f", vigorish {money(charged)}" if charged else ""
    vigorish += f", tips {money(session.tipped)}" if session.tipped else ""
    return (
        Line(f"{rolls}; won {money(session.won)}, lost {money(session.lost)}{vigorish}.", "head"),
        Line(f"Bought in for {money(session.bought)}, leaving with {money(has)}{open_wagers}: {verdict}.", "head"),
    )


def _refuse(session: Session, *texts: str) -> Reply:
    return Reply(session, tuple(Line(text, "refusal") for text in texts), is_refused=True)


def _do(session: Session, command: c.Command) -> Reply:
    """Put a command to the table; what it refuses changes nothing."""
    outcome = act(session.rules, session.table, command)
    if isinstance(outcome, Refused):
        return _refuse(session, *(f"Refused: {one}" for one in outcome.refusals))
    happened, table = outcome
    lines = happened_lines(session.rules, happened)
    after = replace(session, table=table, before=session, log=logged(session.log, happened))
    if isinstance(command, c.MakeWager) and command.owner == "crew":
        after = replace(after, tipped=session.tipped + command.cents)
    if table.position.dice == "offered" and table.position.offered_to == SEAT:
        taken = act(session.rules, table, c.AcceptDice(seat=SEAT))
        assert not isinstance(taken, Refused), str(taken)
        after = replace(after, table=taken[1], log=logged(after.log, taken[0]))
        lines.append(Line("The dice are offered to you again, and you take them: a new hand.", "note"))
    return Reply(after, tuple(lines))


def _make(session: Session, wish: Wish, _dice: object = None) -> Reply:
    spot = _spot(session, wish)
    is_open = wish.amount in {"", "min", "max", "all"}
    cents = _usual_cents(session, spot, wish.amount) if is_open else cents_from(wish.amount)
    command = wish_for(spot, cents, SEAT)
    reply = _do(session, command)
    if reply.is_refused:
        return _with_tip(reply, spot, cents)
    return replace(reply, session=replace(reply.session, made=(*session.made, command)))


def _usual_cents(session: Session, spot: Spot, amount: str) -> int:
    if spot.number not in session.rules.wagers[spot.kind].numbers:  # odds before a point, a hop of no number
        return session.rules.wagers[spot.kind].min
    return default_cents(session.rules, session.table, spot, SEAT, amount)


def _with_tip(reply: Reply, spot: Spot, cents: int) -> Reply:
    """Beside a refusal, say which amount would do."""
    rules, table = reply.session.rules, reply.session.table
    if spot.number not in rules.wagers[spot.kind].numbers or not lawful(rules, table, spot, SEAT):
        return reply
    usual = default_cents(rules, table, spot, SEAT)
    if usual == cents:
        return reply
    tip = Line(f"Try: {short_name(spot)} {money(usual).lstrip('$')}", "note")
    return replace(reply, lines=(*reply.lines, tip))


def _spot(session: Session, wish: Wish) -> Spot:
    """Find the wager that is meant; for plain odds, the one they stand behind."""
    rules, table = session.rules, session.table
    odds = [spot for spot in odds_spots(rules, table, SEAT, wish.owner) if wish.kind in {ODDS, spot.kind}]
    if wish.kind != ODDS and not rules.wagers[wish.kind].behind:
        return Spot(wish.kind, wish.number, wish.owner)
    if wish.number:
        odds = [spot for spot in odds if spot.number == wish.number]
    if len(odds) > 1 and odds[0].number != table.position.puck:
        which = " or ".join(f"odds on {spot.number}" for spot in odds)
        message = f"odds behind which wager? say {which}"
        raise NotUnderstood(message)
    if odds:
        return odds[0]
    kind = next(kind for kind in rules.wagers if rules.wagers[kind].behind) if wish.kind == ODDS else wish.kind
    return Spot(kind, wish.number, wish.owner)


def _standing(session: Session, wish: Wish) -> Wager:
    """Find a wager of the player's that is up, by its number or because it is the only one of its kind."""
    rules, position = session.rules, session.table.position
    kinds = {kind for kind, rule in rules.wagers.items() if rule.behind} if wish.kind == ODDS else {wish.kind}
    up = [one for one in position.layout if one.seat == SEAT and one.kind in kinds and one.owner == wish.owner]
    if wish.number:
        up = [one for one in up if one.number == wish.number]
    exact = [one for one in up if one.number == wish.number]
    if len(exact or up) != 1:
        name = wish.kind.replace("_", " ") + (f" {number_text(wish.number)}" if wish.number else "")
        numbers = ", ".join(number_text(one.number) for one in up)
        message = f"{name} on which number? You have {numbers}" if up else f"you have no {name} up"
        raise NotUnderstood(message)
    return (exact or up)[0]


def _down(session: Session, wish: Wish, _dice: object) -> Reply:
    if wish.amount == "all":
        return _each(session, lambda one: c.RemoveWager(seat=SEAT, wager=one.kind, number=one.number))
    wager = _standing(session, wish)
    return _do(session, c.RemoveWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner))


def _less(session: Session, wish: Wish, _dice: object) -> Reply:
    if not wish.amount or wish.amount in {"min", "max", "all"}:
        return _refuse(session, "less by how much? say: less place 6 6")
    wager = _standing(session, wish)
    cents = cents_from(wish.amount)
    command = c.ReduceWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner, cents=cents)
    return _do(session, command)


def _press(session: Session, wish: Wish, _dice: object) -> Reply:
    if not wish.kind:
        return _refuse(session, "press which wager? name it: press 6, press hard 8")
    wager = _standing(session, wish)
    amount = wish.amount or dollars(wager.cents)
    number = 0 if session.rules.wagers[wager.kind].lines else wager.number  # a side wager's is only its place
    return _make(session, Wish("make", wager.kind, number, amount, wager.owner))


def _call(session: Session, wish: Wish, _dice: object) -> Reply:
    call = wish.verb
    if not wish.kind and not session.table.position.layout:
        return _refuse(session, f"call what {call}? no wager is up")
    if not wish.kind:
        return _each(session, lambda one: c.CallWager(seat=SEAT, wager=one.kind, number=one.number, call=call))
    wager = _standing(session, wish)
    command = c.CallWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner, call=call)
    return _do(session, command)


def _each(session: Session, command_of: Callable[[Wager], c.Command]) -> Reply:
    """Do the same to every wager of the player's that is up; undo takes it all back at once."""
    lines: list[Line] = []
    now, refused = session, 0
    for wager in own_wagers(session.table):
        if find(now.table.position, SEAT, wager.kind, wager.number) is None:
            continue  # odds come down with their original wager
        reply = _do(now, command_of(wager))
        now, refused = reply.session, refused + reply.is_refused
        lines += reply.lines
    if now is session:
        return Reply(session, tuple(lines) or (Line("No wager is up.", "refusal"),), is_refused=True)
    return Reply(replace(now, before=session), tuple(lines))


def _roll(session: Session, wish: Wish, dice: Iterator[Roll] | None) -> Reply:
    if dice is not None and not session.is_typed:
        if wish.amount:
            return _refuse(session, f"these dice are not typed: say roll, not roll {wish.amount}")
        if unfit := _unfit_to_roll(session):  # before the source is asked, so that no outcome is thrown away
            return unfit
        return _throw(session, next(dice))
    if wish.amount:
        return _refuse(session, f"{wish.amount!r} are no two dice: type two digits from 1 to 6, such as 34")
    if unfit := _unfit_to_roll(session):
        return unfit
    asked = Line("What came up? Two digits from 1 to 6, such as 34.", "note")
    return Reply(replace(session, is_asked=True), (asked,))


def _unfit_to_roll(session: Session) -> Reply | None:
    outcome = act(session.rules, session.table, c.RollDice(first=1, second=1))
    return _do(session, c.RollDice(first=1, second=1)) if isinstance(outcome, Refused) else None


def _throw(session: Session, roll: Roll) -> Reply:
    position = session.table.position
    reply = _do(session, c.RollDice(first=roll.first, second=roll.second))
    if reply.is_refused:
        return reply
    net = equity(reply.session.table) - equity(session.table)
    is_come_out = position.phase == "come_out"
    called = stick_call(roll, point=position.puck, is_come_out=is_come_out, points=session.rules.points)
    thrown = Thrown(roll, position.puck, called, net)
    lines = [Line(f"Roll {session.roll_count + 1}: {roll}. {called}.", "call"), *reply.lines]
    rack = money(reply.session.table.money.racks[SEAT - 1])
    if net:
        lines.append(Line(f"You {'win' if net > 0 else 'lose'} {money(abs(net))} on this roll; rack {rack}.", "head"))
    after = replace(
        reply.session,
        before=None,
        made=(),
        last=session.made or session.last,
        rolls=(*session.rolls, thrown)[-_ROLLS_KEPT:],
        roll_count=session.roll_count + 1,
        won=session.won + max(net, 0),
        lost=session.lost + max(-net, 0),
    )
    return Reply(after, tuple(lines))


def _undo(session: Session, _wish: Wish, _dice: object) -> Reply:
    if session.before is None:
        return _refuse(session, "nothing to undo: once the dice have gone out, what is done is done")
    if refused := _not_put_back(session, session.before):
        return _refuse(session, "that cannot be undone:", *(f"Refused: {one}" for one in refused.refusals))
    return Reply(session.before, (Line(f"Undone; rack {money(session.before.table.money.racks[SEAT - 1])}.", "note"),))


def _not_put_back(session: Session, before: Session) -> Refused | None:
    """Refuse to put back what came down where no player could: a wager undone is a wager made, by the same rules."""
    rules, table = session.rules, session.table
    up = [one for one in before.table.position.layout if one.seat == SEAT]
    for one in sorted(up, key=lambda wager: bool(rules.wagers[wager.kind].behind)):  # odds after what they stand behind
        now = find(table.position, SEAT, one.kind, one.number)
        less = one.cents - (now.cents if now else 0)
        if less <= 0:
            continue
        again = c.MakeWager(seat=SEAT, wager=one.kind, number=one.number, cents=less)
        outcome = act(rules, table, again)
        if isinstance(outcome, Refused):
            bars = rules.wagers[one.kind].entry.increase
            why = f"a {rules.wagers[one.kind].name} that came down may not be put back once its point is set"
            return Refused((refusal(bars.cite, why),)) if bars and bars.until == "point" else outcome
        table = outcome[1]
    return None


def _repeat(session: Session, _wish: Wish, _dice: object) -> Reply:
    if not session.last:
        return _refuse(session, "nothing to repeat: no wager was made before the last roll")
    now = session
    lines: list[Line] = []
    for command in session.last:
        rule = session.rules.wagers[command.wager]
        is_line_odds = rule.behind and is_on_the_line(session.rules, rule.behind)
        again = replace(command, number=session.table.position.puck) if is_line_odds else command
        reply = _do(now, again)
        lines += reply.lines
        if not reply.is_refused:
            now = replace(reply.session, made=(*now.made, again))
    if now is session:
        return Reply(session, tuple(lines), is_refused=True)
    return Reply(replace(now, before=session), tuple(lines))


def _decline(session: Session, _wish: Wish, _dice: object) -> Reply:
    return _do(session, c.DeclineLineWager(seat=SEAT))


def _cash(session: Session, wish: Wish, _dice: object) -> Reply:
    try:
        cents = cents_from(wish.amount)
    except CrapsError:
        return _refuse(session, f"cash how much? say: cash 100, not {wish.amount!r}")
    reply = _do(session, c.BuyIn(seat=SEAT, cents=cents))
    return reply if reply.is_refused else replace(reply, session=replace(reply.session, bought=session.bought + cents))


def _help(session: Session, _wish: Wish, _dice: object) -> Reply:
    lines = [Line("Type what you want; the table forgives.", "head"), *(Line(f"{a:<25}{b}") for a, b in HELP)]
    return Reply(session, tuple(lines), is_page=True)


def _rules(session: Session, wish: Wish, _dice: object) -> Reply:
    if wish.kind == ODDS:
        kinds = [kind for kind, rule in session.rules.wagers.items() if rule.behind]
        return _refuse(session, f"which odds? say: rules {', rules '.join(kinds)}")
    if not wish.kind:
        return _refuse(session, f"rules of what? {', '.join(session.rules.wagers)}")
    return Reply(session, tuple(explained(session.rules, wish.kind)), is_page=True)


def _wagers(session: Session, _wish: Wish, _dice: object) -> Reply:
    return Reply(session, tuple(standing_lines(session.rules, session.table)), is_page=True)


def _history(session: Session, _wish: Wish, _dice: object) -> Reply:
    if not session.rolls:
        return Reply(session, (Line("No roll yet.", "note"),))
    first = session.roll_count - len(session.rolls[-_SHOWN:]) + 1
    lines = [
        Line(f"{number:>5}  {thrown.roll}  {thrown.roll.total:>2}  {_before(thrown):<9} {_signed(thrown.net)}".rstrip())
        for number, thrown in enumerate(session.rolls[-_SHOWN:], start=first)
    ]
    if ban := ban_on_aids(session.rules):
        lines.append(Line(f"Shown because you asked; nobody may use it to project a roll [{ban}]", "note"))
    return Reply(session, (Line(" roll  dice     point     you", "head"), *lines), is_page=True)


def _before(thrown: Thrown) -> str:
    return str(thrown.point) if thrown.point else "come-out"


def _signed(cents: int) -> str:
    return f"{'+' if cents > 0 else ''}{money(cents)}" if cents else ""


def _table(session: Session, _wish: Wish, _dice: object) -> Reply:
    from passline.cli.play.layout import HEIGHT, picture_of

    height = HEIGHT + len([rule for rule in session.rules.wagers.values() if rule.lines])
    picture = picture_of(session.rules, session.table, height=height, markers=markers(session))
    return Reply(session, tuple(Line(text) for text in picture.texts()), is_page=True)


def _quit(session: Session, _wish: Wish, _dice: object) -> Reply:
    return Reply(replace(session, is_over=True), ())


_ACTS: dict[str, Callable[[Session, Wish, Any], Reply]] = {
    "make": _make,
    "down": _down,
    "less": _less,
    "press": _press,
    "on": _call,
    "off": _call,
    "roll": _roll,
    "undo": _undo,
    "repeat": _repeat,
    "decline": _decline,
    "cash": _cash,
    "help": _help,
    "rules": _rules,
    "wagers": _wagers,
    "history": _history,
    "table": _table,
    "quit": _quit,
}
