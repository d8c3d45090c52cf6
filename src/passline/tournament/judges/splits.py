"""Splits: proposed by a player, signed by all who are left, confirmed with each by the director, who suggests none."""

from __future__ import annotations

from passline.authority.roles import DIRECTORS, PLAYER
from passline.money import dollar_amount as dollars
from passline.refusal import Refusal
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.conclusion import award_split, unfit_end, unfit_split
from passline.tournament.judges.prize_money import cash_of, places_of
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict
from passline.tournament.state import KnownEntry

_TEXT_MAX = 400


def propose_split(scene: TournamentScene, command: c.ProposeSplit) -> TournamentVerdict:
    """Let one of the players left propose how the cash is shared; not while a thing is still to be won."""
    state, rules = scene.state, scene.pages.split
    event = state.event(command.event)
    if event is None or event.name in state.concluded or not any(held.started for held in state.rounds_of(event.name)):
        return [Refusal(FORM, f"this tournament plays no event {command.event!r} now")]
    left = state.players_left(event.name)
    refusals = unfit_end(scene, event)
    if event.name in state.to_the_end:
        why = f"the director saw a player pressed: {event.name} is played to its end"
        refusals.append(scene.refusal(why, rules.no_pressure))
    if not state.plan.splits:
        refusals.append(scene.refusal("the rules of this tournament allow no split", rules.unanimous))
    if scene.by.role in DIRECTORS:
        refusals.append(scene.refusal("the house does not suggest a split: a player asks for it", rules.not_encouraged))
    elif wrong := _not_own(scene, command.entry, left):
        refusals.append(wrong)
    if {*command.shares} != {str(player.number) for player in left}:
        refusals.append(scene.refusal("a split names every player left, and nobody else", rules.unanimous))
    prizes = [place.prize for place in places_of(state, event)[: len(left)]]
    if things := [prize.item or f"a voucher for {prize.voucher}" for prize in prizes if prize.is_whole]:
        why = f"only cash is shared: {', '.join(things)} must be won by play"
        refusals.append(scene.refusal(why, rules.cash_only))
    cash = cash_of(scene.pages, scene.state, event, len(left))
    if any(cents < 0 for cents in command.shares.values()) or sum(command.shares.values()) != cash:
        shared = dollars(sum(command.shares.values()))
        refusals.append(
            scene.refusal(f"the players left share {dollars(cash)}, not {shared}", scene.pages.pool.pays_all)
        )
    return refusals or [e.SplitProposed(event.name, dict(command.shares), command.entry)]


def _not_own(scene: TournamentScene, number: int, left: list[KnownEntry]) -> Refusal | None:
    """Refuse a signature from another account than the one that entered."""
    entry = next((player for player in left if player.number == number), None)
    if entry is None:
        return Refusal(FORM, f"entry {number} is not among the players left")
    if entry.account != scene.by.account and (entry.account or scene.by.role == PLAYER):
        return scene.refusal(f"{entry.name} signs this, nobody else", scene.pages.split.unanimous)
    return None  # without an account the crew records the player's signature on paper


def agree_split(scene: TournamentScene, command: c.AgreeSplit) -> TournamentVerdict:
    """Record a player's own signature; a paper signature by somebody other than the director."""
    split = scene.state.split
    if split is None:
        return [Refusal(FORM, "no split was proposed")]
    if scene.by.role in DIRECTORS:
        return [scene.refusal("the director does not sign for a player", scene.pages.split.not_encouraged)]
    if wrong := _not_own(scene, command.entry, scene.state.players_left(split.event_name)):
        return [wrong]
    if command.entry in split.agreed:
        return [Refusal(FORM, f"entry {command.entry} has signed")]
    return [e.SplitAgreed(command.entry)]


def confirm_split(scene: TournamentScene, command: c.ConfirmSplit) -> TournamentVerdict:
    """Have the director confirm with a player that it is voluntary; with the last one the prizes are awarded."""
    state, rules, split = scene.state, scene.pages.split, scene.state.split
    if split is None:
        return [Refusal(FORM, "no split was proposed")]
    refusals = []
    if not command.is_understood:
        why = "ask whether the player knows that a split must be voluntary and unanimous; if not, stop it"
        refusals.append(scene.refusal(why, rules.understood))
    if command.entry not in split.agreed:
        refusals.append(scene.refusal(f"entry {command.entry} has not signed", rules.unanimous))
    if command.entry in split.confirmed:
        refusals.append(Refusal(FORM, f"it was confirmed with entry {command.entry}"))
    if refusals:
        return refusals
    confirmed = e.SplitConfirmed(command.entry)
    if {*split.confirmed, command.entry} != {int(entry) for entry in split.shares}:
        return [confirmed]
    event = state.event(split.event_name)
    assert event is not None
    left = state.players_left(event.name)
    is_changed = {*split.shares} != {str(player.number) for player in left}
    if is_changed or sum(split.shares.values()) != cash_of(scene.pages, scene.state, event, len(left)):
        why = "who is left, or the money, has changed since this split was proposed: the players propose it anew"
        return [scene.refusal(why, rules.unanimous)]
    if unfit := unfit_split(scene, event, split.shares):
        return unfit
    made = e.SplitMade(event.name, split.shares, scene.rules.clause(rules.awarded))
    return [confirmed, made, *award_split(scene, event, split.shares)]


def stop_split(scene: TournamentScene, command: c.StopSplit) -> TournamentVerdict:
    """Call a split off: by a player who does not want it, or by the director on any sign of pressure, then for good."""
    split, no_pressure = scene.state.split, scene.pages.split.no_pressure
    if split is None:
        return [Refusal(FORM, "no split was proposed")]
    if not 0 < len(command.reason.strip()) <= _TEXT_MAX:
        return [Refusal(FORM, "say why the split is off")]
    mine = [
        player.number for player in scene.state.players_left(split.event_name) if player.account == scene.by.account
    ]
    if scene.by.role == PLAYER and not mine:
        return [Refusal("duties", f"{scene.by.name} is not among the players left")]
    if no_pressure and scene.by.role in DIRECTORS:
        return [e.SplitStopped(command.reason.strip(), split.event_name, scene.rules.clause(no_pressure))]
    return [e.SplitStopped(command.reason.strip())]
