"""What `passline verify` prints of a log that it read, of its dice and of its vault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.cli.verify_folder import SHOWN_MAX

if TYPE_CHECKING:
    from passline.people.verify import VaultReport
    from passline.store.verify import Report
    from passline.tables.dice.proofs import DiceProofs
    from passline.tables.views.dealt_by import DealtBy


def vault_lines(vault: VaultReport) -> Iterator[str]:
    """Yield how many rows the vault has, and what should be known of it."""
    if vault.rows is not None:
        unchecked = f", {vault.unchecked:,} not checked: give the log's key as --key-file" if vault.unchecked else ""
        yield f"vault: {vault.rows:,} {'row' if vault.rows == 1 else 'rows'}{unchecked}"
    if vault.unbound:
        yield f"warning: {vault.unbound:,} passwords and PINs are not bound to the log yet: serve it once to bind them"
    if vault.uncoded:
        links = f"{vault.uncoded:,} {'link or session' if vault.uncoded == 1 else 'links and sessions'}"
        yield f"warning: {links} of an older version cannot be checked: serve the log once, which ends them"
    yield from (f"notice: {notice}" for notice in vault.notices[-SHOWN_MAX:])


def log_lines(report: Report) -> Iterator[str]:
    """Yield lines on the log itself, and on what it was compared with."""
    yield f"log {report.log_id or 'without a name'}: {report.entries:,} entries, {report.seals:,} seals checked"
    taken = "taken from the log: use --key to detect a log that was forged as a whole"
    given = "given" if report.is_key_newest else "the newest; THE GIVEN ONE WAS REPLACED"
    yield f"key {report.public_key or 'unknown'} ({given if report.is_key_given else taken})"
    if report.head:
        yield f"head {report.head.sequence}:{report.head.hash}:{report.head.seal}"
    if not report.is_head_given:
        yield "no head given: use --head or --anchor to detect a log that was cut at its end"


def dealt_lines(dealt_by: DealtBy) -> list[str]:
    """Return which programs dealt what, and where they differ from this one."""
    notes, warnings = dealt_by.notes(), dealt_by.warnings()
    told = (*(f"note: {text}" for text in notes), *(f"warning: {text}" for text in warnings))
    return [*dealt_by.lines(), *told][:SHOWN_MAX]


def dice_lines(proofs: DiceProofs) -> Iterator[str]:
    """Yield how many electronic rolls are proved, and which throws are not rolls."""
    if proofs.proved:
        without = f", {proofs.without_nonce:,} of them without a nonce of the shooter's" * bool(proofs.without_nonce)
        late = f" ({proofs.late_nonces:,} because it came too late)" * bool(proofs.late_nonces)
        yield f"dice: {proofs.proved:,} electronic rolls proved{without}{late}"
    if proofs.unprovable:
        yield f"dice: {proofs.unprovable:,} electronic rolls from before rolls could be proved"
    throws = (*proofs.given_up, *proofs.unlanded)
    yield from (f"dice: entry {throw.sequence} {throw.what}" for throw in throws[:SHOWN_MAX])
