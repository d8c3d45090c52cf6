"""Throws of electronic dice: an entry closes wagers, the next one lands the dice, and both prove each other.

Whatever could refuse a throw is judged when wagers are closed. After that nothing refuses the roll.
"""

from __future__ import annotations

import re
from hashlib import sha256

from passline.authority.roles import SHOOTER
from passline.game import commands as c
from passline.game.decide import act
from passline.game.events import Event, RollVoided
from passline.game.evolve import fold
from passline.game.position import Table
from passline.provable_dice import NONCE_BYTES, provable_roll
from passline.refusal import Refusal, Refused
from passline.rules.rules import Rules
from passline.rules.schema import clause_text, refusal
from passline.store.keys import bytes_of_hex
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.events import TableEvent
from passline.tables.live import LiveTable
from passline.tables.money.bank import owing_dice
from passline.tables.terms import unapproved_software, unapproved_throw

_DIGEST = re.compile(r"[0-9a-f]{64}")
_REASON_MAX = 300
_Played = tuple[tuple[TableEvent, ...], Table]


def number_after(live: LiveTable | None) -> int:
    """Return the number of a table's next key; no number is used twice, even if the table is opened again."""
    return live.commitment.number + 1 if live and live.commitment else 1


def refused_while_closed(rules: Rules) -> Refused:
    """Refuse anything between the closing of wagers and the roll."""
    late = rules.game.late
    return Refused((refusal(late.cite, "wagers are closed: the dice are thrown and land in a moment; then try again"),))


def close_wagers(live: LiveTable, rules: Rules, command: k.Roll, approvals: Approvals) -> _Played | Refused:
    """Close wagers for a throw by the shooter, or refuse it for every reason there is."""
    if command.nonce_digest and not _DIGEST.fullmatch(command.nonce_digest):
        return _form("nonce_digest", command.nonce_digest)
    thrown = act(rules, live.game, c.ThrowDice(by=SHOOTER, seat=command.seat))
    unfit = [*unapproved_dice(live, rules, approvals), *owing_dice(live, rules)]
    if isinstance(thrown, Refused) or unfit:
        return Refused((*(thrown.refusals if isinstance(thrown, Refused) else ()), *unfit))
    if live.commitment is None:
        return _refuse(
            "the server has not committed to a key for these dice yet; try again in a few seconds, then call the owner"
        )
    return (t.WagersClosed(live.commitment.number, command.nonce_digest), *thrown[0]), thrown[1]


def unapproved_dice(live: LiveTable, rules: Rules, approvals: Approvals) -> list[Refusal]:
    """Refuse electronic dice if a report or an approval that this table needs is not on file any more."""
    if live.terms:
        return unapproved_throw(rules.rulebook, rules.house, approvals)
    return unapproved_software(rules.rulebook, approvals)


def take_nonce(live: LiveTable, command: k.TakeNonce) -> list[t.NonceTaken] | list[Refusal]:
    """Record the nonce of the open throw, or that the throw goes without."""
    closing = live.closing
    if closing is None or closing.version != command.closing or closing.nonce is not None:
        return list(_refuse(f"no throw waits for a nonce since version {command.closing}").refusals)
    nonce = bytes_of_hex(command.nonce)
    if command.nonce and (len(nonce) != NONCE_BYTES or sha256(nonce).hexdigest() != closing.nonce_digest):
        return list(_refuse("the nonce is not the one that the shooter committed to").refusals)
    return [t.NonceTaken(closing.number, command.nonce)]


def complete_roll(live: LiveTable, rules: Rules, command: k.CompleteRoll) -> _Played | Refused:
    """Land the dice that follow from the committed key, the closing entry and the shooter's nonce."""
    closing, commitment = live.closing, live.commitment
    if closing is None or commitment is None or command.closing != closing.version:
        return _refuse(f"no throw is open that wagers were closed for at version {command.closing}")
    key, hash_, nonce = (bytes_of_hex(text) for text in (command.key, command.hash, command.nonce))
    if sha256(key).hexdigest() != commitment.digest:
        return _refuse(f"the key is not the one committed as number {commitment.number}")
    if len(hash_) != len(sha256().digest()) or not _DIGEST.fullmatch(command.next_digest):
        return _form("hash", command.hash)
    if command.nonce != closing.nonce:
        return _refuse("the nonce is not the one on record for this throw")
    roll = provable_roll(key, closing=hash_, nonce=nonce)
    landed = act(rules, live.game, c.LandDice(first=roll.first, second=roll.second))
    if isinstance(landed, Refused):
        return landed
    revealed = t.DiceRevealed(closing.number, closing.version, command.hash, command.key, command.nonce)
    return (revealed, *landed[0], t.DiceCommitted(number_after(live), command.next_digest)), landed[1]


def commit_dice(live: LiveTable, command: k.CommitDice) -> list[t.DiceCommitted] | list[Refusal]:
    """Commit to the first key of a table that has none."""
    if live.commitment is not None:
        return [Refusal("house", f"key number {live.commitment.number} is committed already")]
    if not _DIGEST.fullmatch(command.digest):
        return list(_form("digest", command.digest).refusals)
    return [t.DiceCommitted(number_after(live), command.digest)]


def renew_dice(live: LiveTable, rules: Rules, command: k.RenewDice) -> _Played | Refused:
    """Abandon a key that is lost; a throw whose wagers are closed becomes void, and every wager stays."""
    if live.commitment is None:
        return _refuse("this table has no key to renew")
    if not 0 < len(command.reason.strip()) <= _REASON_MAX:
        return Refused((Refusal("form", f"say why in 1 to {_REASON_MAX} characters"),))
    if not _DIGEST.fullmatch(command.digest):
        return _form("digest", command.digest)
    voided: tuple[Event, ...] = ()
    if live.closing is not None:
        rethrow = rules.procedures.throw.rethrow
        voided = (RollVoided("lost_key", "", is_late=False, clause=clause_text(rethrow.cite) if rethrow else "house"),)
    renewed = t.DiceRenewed(live.commitment.number, command.reason.strip())
    return (renewed, *voided, t.DiceCommitted(number_after(live), command.digest)), fold(live.game, voided)


def _refuse(why: str) -> Refused:
    return Refused((Refusal("house", why),))


def _form(field: str, text: str) -> Refused:
    return Refused((Refusal("form", f"{field}: {text[:80]!r} is not a SHA-256 in 64 small hex digits"),))
