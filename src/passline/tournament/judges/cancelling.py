"""A tournament that is cancelled: nothing more is played, and everybody gets back what they paid.

Neither text speaks of cancelling. Colorado has the house keep no part of the buy-ins (CO-2315.05-noretain), and where
nobody wins there is nobody else to pay them to; so they go back, and fees with them. Reading: a tournament can be
cancelled until the places of an event are awarded; from then on its pool is its winners' (CO-2315.05-payall).
"""

from __future__ import annotations

from passline.money import dollar_amount as dollars
from passline.refusal import Refusal
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict, unfit_text
from passline.tournament.state import GIVEN_BACK, KnownEntry, TournamentState


def cancel_tournament(scene: TournamentScene, command: c.CancelTournament) -> TournamentVerdict:
    """Cancel a tournament of which no event is awarded; what the house put into pools goes back to it at once."""
    state, pages = scene.state, scene.pages
    refusals = unfit_text(command.reason, "why it is cancelled")
    if state.concluded:
        names = ", ".join(state.concluded)
        refusals.append(
            scene.refusal(f"{names}: awarded, and its prizes stand; conclude the rest", pages.pool.pays_all)
        )
    if refusals:
        return refusals
    clause = scene.rules.clause(pages.pool.keeps_nothing)
    events: list[e.TournamentEvent] = [e.TournamentCancelled(command.reason.strip(), clause)]
    return [*events, *(e.MoneyTakenBack(pool, cents) for pool, cents in _money_of_house(state).items() if cents)]


def _money_of_house(state: TournamentState) -> dict[str, int]:
    """Return what the house has put into each pool: what is there besides what its entries paid."""
    left = {name: cents for name, cents in state.balances.items() if name.startswith("pool/")}
    for entry in state.entries.values():
        if entry.status not in GIVEN_BACK:
            left[state.pool_of(entry.event_name)] -= entry.buy_in.cents + sum(entry.chips_paid.values())
    return left


def refund_of(entry: KnownEntry) -> e.EntryRefunded:
    """Return what goes back to the player of an entry."""
    chips = tuple(e.Paid(how, cents) for how, cents in entry.chips_paid.items() if cents)
    return e.EntryRefunded(entry.number, entry.fee, entry.buy_in, chips)


def cash_back(entry: KnownEntry) -> int:
    """Return the cash that goes back to the player of an entry."""
    refund = refund_of(entry)
    return sum(paid.cents for paid in (refund.fee, refund.buy_in, *refund.chips) if paid.how == "cash")


def refund_entry(scene: TournamentScene, command: c.RefundEntry) -> TournamentVerdict:
    """Refund what an entry paid, once."""
    if not scene.state.cancelled:
        return [Refusal(FORM, "the tournament is not cancelled: an entry that has not played is withdrawn instead")]
    due = {entry.number: entry for entry in scene.state.refunds_due()}
    if command.entry not in due:
        return [Refusal(FORM, f"entry {command.entry} has nothing to get back: it is not there, or has it")]
    return [refund_of(due[command.entry])]


def unfit_close(scene: TournamentScene) -> list[Refusal]:
    """Return why the books of a cancelled tournament cannot be closed: money that is not given back."""
    due, keeps = scene.state.refunds_due(), scene.pages.pool.keeps_nothing
    if due:
        who = ", ".join(f"{entry.number} ({entry.name})" for entry in due)
        return [scene.refusal(f"not given back yet: what entries {who} paid", keeps)]
    left = sum(abs(cents) for cents in scene.state.balances.values())
    return [scene.refusal(f"{dollars(left)} are not given back", keeps)] if left else []
