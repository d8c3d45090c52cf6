"""Rounds: who plays, where they sit by lot, with which chips, what came of it, and who goes on."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from string import hexdigits

from passline.provable_dice import digest_of_key
from passline.refusal import Refusal
from passline.rules.schema import Rule
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.play_days import day_of, last_play_day
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict
from passline.tournament.plan.schema import Event
from passline.tournament.results.lot import seated_by_lot, with_nonces
from passline.tournament.results.ranking import Standing
from passline.tournament.state import LIVE, HeldRound, KnownEntry, TournamentState

_KEY_HEX = 64
PLAYERS_MIN = 2
"""Fewer do not play a round."""


def standing_of(entry: KnownEntry) -> Standing:
    """Return how an entry stands."""
    return Standing(entry.number, entry.round, entry.points, entry.tie_break)


def prepare_round(scene: TournamentScene, command: c.PrepareRound) -> TournamentVerdict:
    """Fix who plays the next round of an event: everybody who signed in, or those who go on."""
    state = scene.state
    event = state.event(command.event)
    if event is None or event.name in state.concluded:
        return [Refusal(FORM, f"this tournament has no event {command.event!r} that goes on")]
    if state.round is not None and state.round.phase != "ended":
        return [Refusal(FORM, f"round {state.round.name} of {state.round.event_name} is not over")]
    held = state.rounds_of(event.name)
    if len(held) >= len(event.rounds):
        return [Refusal(FORM, f"{event.name} has had its last round: conclude it")]
    planned = event.rounds[len(held)]
    players = next_players(scene.state, event)
    refusals = []
    if len(players) < PLAYERS_MIN:
        refusals.append(Refusal(FORM, f"{len(players)} can play {planned.name}: a round needs two who have signed in"))
    tables = tuple(dict.fromkeys(command.tables))
    if not tables or len(tables) != len(command.tables) or not all(tables):
        refusals.append(Refusal(FORM, "name each table once"))
    elif len(players) > len(tables) * planned.seats:
        why = f"{len(players)} players do not fit {len(tables)} tables of {planned.seats}"
        refusals.append(Refusal(FORM, f"{why}: {-(-len(players) // planned.seats)} are needed"))
    elif len(players) < len(tables):
        refusals.append(Refusal(FORM, f"{len(players)} players leave a table of {len(tables)} empty"))
    number, entries = len(state.rounds) + 1, tuple(player.number for player in players)
    at = scene.at if any(str(entry) in state.promised for entry in entries) else ""
    return refusals or [e.RoundPrepared(number, event.name, planned.name, entries, tables, at)]


def next_players(state: TournamentState, event: Event) -> list[KnownEntry]:
    """Return who plays the next round of an event: everybody who signed in, or those who go on or are back."""
    entries, held = state.of_event(event.name), state.rounds_of(event.name)
    advanced = held[-1].advance if held else ()
    through = [entry for entry in entries if entry.status == "in" and (entry.number in advanced or entry.is_back)]
    entered = [
        entry for entry in entries if entry.status == "entered" and entry.has_signed_in
    ]  # later on, who entered again
    return [*through, *entered]


def promise_nonce(scene: TournamentScene, command: c.PromiseNonce) -> TournamentVerdict:
    """Bind a player who is present to a nonce for the next draw; another one may replace it until then."""
    entry = _own_entry(scene, command.entry)
    if isinstance(entry, Refusal):
        return [entry]
    held = scene.state.round
    if scene.pages.draw.nonces is None:
        return [Refusal("lot", "the pages of this tournament take no nonces for its draws")]
    if not entry.has_signed_in:
        return [Refusal("lot", f"{entry.name} has not signed in: who is present adds a nonce")]
    if held is not None and held.phase == "prepared" and entry.number in held.entries:
        return [Refusal("lot", "the round is prepared: a nonce for this draw comes too late")]
    if not is_key(command.digest):
        return [Refusal(FORM, "digest: the SHA-256 of a nonce has 32 bytes, in hex")]
    return [e.NoncePromised(entry.number, command.digest.lower())]


def reveal_nonce(scene: TournamentScene, command: c.RevealNonce) -> TournamentVerdict:
    """Take the nonce that a player promised, after the entry that prepared the round and before the draw."""
    entry, held = _own_entry(scene, command.entry), scene.state.round
    if isinstance(entry, Refusal):
        return [entry]
    if held is None or held.phase != "prepared" or entry.number not in held.waits_for:
        return [Refusal("lot", f"the draw waits for no nonce of entry {entry.number}")]
    is_right = is_key(command.nonce) and sha256(bytes.fromhex(command.nonce)).hexdigest()
    if is_right != held.promised[str(entry.number)]:
        return [Refusal("lot", "this is not the nonce that was promised: its SHA-256 is another")]
    return [e.NonceRevealed(entry.number, command.nonce.lower())]


def _own_entry(scene: TournamentScene, number: int) -> KnownEntry | Refusal:
    """Return the sender's own entry, still in, or why it is not."""
    entry = scene.live_entry(number)
    if isinstance(entry, KnownEntry) and entry.account != scene.by.account:
        return Refusal("duties", f"entry {number} is {entry.name}'s: nobody else adds a nonce for it")
    return entry


def is_key(text: str) -> bool:
    """Return whether a text is 32 bytes in hex."""
    return len(text) == _KEY_HEX and all(sign in hexdigits for sign in text)


def draw_waits(scene: TournamentScene, held: HeldRound) -> bool:
    """Return whether a draw still waits for a nonce that was promised."""
    rule = scene.pages.draw.nonces
    if rule is None or not held.waits_for:
        return False
    now, prepared = (datetime.fromisoformat(moment) for moment in (scene.at, held.prepared))
    return now < prepared + timedelta(seconds=rule.seconds)


def draw_seats(scene: TournamentScene, command: c.DrawSeats) -> TournamentVerdict:
    """Draw the seats by the key that was committed to before the round was prepared."""
    state, held = scene.state, scene.state.round
    if held is None or held.phase != "prepared" or held.version != command.prepared:
        return [Refusal(FORM, "no round waits for its seats to be drawn")]
    if len(command.key) != _KEY_HEX or len(command.hash) != _KEY_HEX:
        return [Refusal(FORM, "a key and a hash have 32 bytes each, in hex")]
    key, closing = bytes.fromhex(command.key), bytes.fromhex(command.hash)
    if digest_of_key(key) != state.lot_digest:
        return [Refusal("lot", f"this key is not the one that lot {state.lot} was committed with")]
    if draw_waits(scene, held):
        numbers = " and ".join(map(str, held.waits_for))
        return [Refusal("lot", f"the draw waits for the nonces of entries {numbers}")]
    mixed = with_nonces(closing, {int(entry): bytes.fromhex(nonce) for entry, nonce in held.nonces.items()})
    seats = seated_by_lot(held.entries, held.tables, key=key, closing=mixed)
    drawn = e.SeatsDrawn(held.number, state.lot, command.hash, command.key, seats, held.nonces)
    events: list[e.TournamentEvent] = [drawn, e.LotCommitted(state.lot + 1, command.next_digest)]
    return events


def move_seat(scene: TournamentScene, command: c.MoveSeat) -> TournamentVerdict:
    """Move a player to a free seat: only before the round begins."""
    held = scene.state.round
    if held is None or held.phase != "drawn":
        return [Refusal(FORM, "seats change only between the draw and the beginning of a round")]
    seats = scene.state.plan_of(held).seats
    refusals = []
    if command.entry not in {seat.entry for seat in held.seats}:
        refusals.append(Refusal(FORM, f"entry {command.entry} does not play this round"))
    if command.table not in held.tables or not 1 <= command.seat <= seats:
        refusals.append(Refusal(FORM, f"this round has no seat {command.seat} at {command.table}"))
    if any((seat.table, seat.seat) == (command.table, command.seat) for seat in held.seats):
        refusals.append(Refusal(FORM, f"somebody sits at {command.table} seat {command.seat}"))
    return refusals or [e.SeatMoved(held.number, command.entry, command.table, command.seat)]


def start_round(scene: TournamentScene, command: c.StartRound) -> TournamentVerdict:
    """Begin a round unless the office lacks something; everybody begins an event with the same chips."""
    state, held = scene.state, scene.state.round
    if held is None or held.phase != "drawn":
        return [Refusal(FORM, "no round has its seats drawn")]
    refusals = [Refusal(clause, why) for clause, why in command.gate]
    day, last = day_of(scene, command.day), last_play_day(scene)
    if isinstance(day, Refusal):
        refusals.append(day)
    elif last is not None and day > last:
        first = next(held for held in state.rounds if held.started)
        why = f"{day} is after {last}: {first.name} was played on {first.day or first.started[:10]}, and no round "
        refusals.append(scene.refusal(f"{why}begins later; conclude what was played", scene.pages.length))
    if refusals:
        return refusals
    event = state.event(held.event_name)
    assert event is not None
    players = [
        player for player in map(state.entry, held.entries) if player and player.status in LIVE
    ]  # who went since the draw
    stacks = {str(player.number): _stack(state, player, event) for player in players}
    return [e.RoundStarted(held.number, stacks, scene.at, command.day)]


def _stack(state: TournamentState, entry: KnownEntry, event: Event) -> int:
    """Return the chips that an entry begins a round with: those of the event, or its own, and what it bought."""
    if entry.is_back:
        return entry.waiting
    held = state.rounds_of(event.name)
    before = held[-2] if len(held) > 1 else None
    carries = before is not None and state.plan_of(before).carries_points and bool(entry.round)
    return (entry.points if carries else event.points) + entry.waiting


def set_colours(scene: TournamentScene, command: c.SetColours) -> TournamentVerdict:
    """Say what chips of each colour stand for: between rounds only."""
    refusals = []
    if not command.points or not all(key.strip() and value > 0 for key, value in command.points.items()):
        refusals.append(Refusal(FORM, "each colour needs a name and at least one point"))
    if scene.state.round is not None and scene.state.round.phase == "playing":
        why = f"round {scene.state.round.name} is being played: what a colour stands for changes between rounds only"
        refusals.append(scene.refusal(why, scene.pages.chips.change))
    return refusals or [e.ColoursSet(command.points)]


def report_points(scene: TournamentScene, command: c.ReportPoints) -> TournamentVerdict:
    """Record a table's points at the end of a round; with what the house won they must add up to those given out."""
    held = scene.state.round
    if held is None or held.phase != "playing" or held.number != command.number:
        return [Refusal(FORM, f"round {command.number} is not being played")]
    seated = {str(seat.entry) for seat in held.seats if seat.table == command.table}
    if not seated or command.table in held.house:
        return [Refusal(FORM, f"{command.table} has no round to report, or has reported it")]
    if {*command.points} != seated or any(points < 0 for points in command.points.values()):
        return [Refusal(FORM, f"{command.table}: these are not the points of those who sit there")]
    given = sum(held.stacks[entry] for entry in seated)
    if sum(command.points.values()) + command.house != given:
        why = f"{given} points were given out at {command.table}; players and house have "
        return [Refusal("ledger", f"{why}{sum(command.points.values()) + command.house}")]
    return [e.PointsReported(held.number, command.table, dict(command.points), command.house, command.rolls)]


def count_chips(scene: TournamentScene, command: c.CountChips) -> TournamentVerdict:
    """Record a count; where it differs from the points on record, that is a breach to be looked into."""
    held, entry = scene.state.round, scene.state.entry(command.entry)
    if held is None or entry is None or str(command.entry) not in held.points or command.counted < 0:
        return [Refusal(FORM, f"entry {command.entry} has no points of this round to count")]
    recorded = held.points[str(command.entry)]
    counted = e.ChipsCounted(held.number, entry.number, command.counted, recorded)
    if command.counted == recorded:
        return [counted]
    why = f"{command.counted} points in chips were counted for {entry.name}; the table's record has {recorded}"
    rules: tuple[Rule | None, ...] = (scene.pages.chips.rank, scene.pages.play.no_hidden_chips)
    if command.counted > recorded and entry.waiting:  # bought during the game, and to be played from the next on
        rules = (*rules, scene.pages.play.chips_on_table)
    events: list[e.TournamentEvent] = [counted, scene.breach(why, *rules, entry=entry.number)]
    return events
