"""The terms of live tables: what a regulation asks of a table kept by a program.

They are checked when it opens, adopts a rulebook or changes its house.

A table keeps the terms it was opened under, or those that came with a rulebook it adopted. So an entry from before
there were terms, or from under earlier ones, is judged as it was then.
"""

from __future__ import annotations

from collections.abc import Iterator

from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.elections import House, choice_of
from passline.rules.schema import Cite, Rulebook, all_wagers, cites_of, refusal
from passline.tables.approvals import Approvals
from passline.tables.commands import OpenTable
from passline.tables.live import LiveTable

TERMS = 3
"""The terms under which this program opens tables."""
WHOLE_TERMS = 2
"""From these on practice is bounded, an adoption compares payouts, and dice are thrown only from a set on record."""
GAME_RULES = "game_rules"
"""The approval that a progressive needs too, where a regulation has it: a variation of the game's rules."""
PRACTICE_CENTS_MAX = 2_000_00
"""The most play money that a player may have at once at a practice table, and has at that of a new house."""


def is_play_money(table: OpenTable | LiveTable) -> bool:
    """Return whether nothing of value is paid at a table."""
    return table.is_demo or table.practice_cents_max > 0


def unmet_terms(
    rulebook: Rulebook, house: House, table: OpenTable | LiveTable, approvals: Approvals, *, terms: int
) -> list[Refusal]:
    """Refuse a table, or the command that opens it, for every reason of its regulation beside its house."""
    return [
        *(_unfit_practice(table) if terms >= WHOLE_TERMS else ()),
        *unapproved_software(rulebook, approvals),
        *_unapproved_elections(rulebook, house, approvals),
        *_changed_by_players(rulebook, table),
        *_automated_confirmations(rulebook, house, table),
    ]


def unapproved_throw(rulebook: Rulebook, house: House, approvals: Approvals) -> list[Refusal]:
    """Refuse a throw of electronic dice if a report or an approval that the table was opened with is withdrawn."""
    return [*unapproved_software(rulebook, approvals), *_unapproved_elections(rulebook, house, approvals)]


def unapproved_software(rulebook: Rulebook, approvals: Approvals) -> list[Refusal]:
    """Refuse the software, layout and dice of a table that need a laboratory report if none is on file."""
    rule = rulebook.general.live.electronic
    if rule is None or approvals.has("laboratory_report", *rule.authorities):
        return []
    why = "a table's software, electronic layout and electronic dice need a laboratory report on file; file it first"
    return [refusal(rule.cite, why)]


def _unapproved_elections(rulebook: Rulebook, house: House, approvals: Approvals) -> Iterator[Refusal]:
    """Refuse what a house elects on the strength of an approval that is not on file, whatever its own file says."""
    progressive = {entry.offered for entry in all_wagers(rulebook).values() if getattr(entry, "progressive", None)}
    for key, election in rulebook.elections.items():
        approval = election.approval or (GAME_RULES if key in progressive else "")
        rule = getattr(rulebook.general.live, approval) if approval else None
        if rule is None or choice_of(rulebook, house, key) == election.choices[0]:
            continue
        if not approvals.has(approval, *rule.authorities):
            kind, by = approval.replace("_", " "), " and ".join(rule.authorities)
            why = f"house: {key}: needs the approval of the {kind} by {by} on file; file both, or leave it out"
            yield refusal((*cites_of(election.cite), *cites_of(rule.cite)), why)


def _unfit_practice(table: OpenTable | LiveTable) -> Iterator[Refusal]:
    """Refuse practice that could be played for more than play money: the rules of cash and payouts do not bind it."""
    if table.practice_cents_max and table.dice != "electronic":
        why = "practice_cents_max: a practice table has electronic dice; with physical dice leave it out"
        yield Refusal("house", why)
    if table.practice_cents_max > PRACTICE_CENTS_MAX:
        most, asked = dollars(PRACTICE_CENTS_MAX), dollars(table.practice_cents_max)
        why = f"practice_cents_max: a practice table gives a player at most {most} of play money at once, not {asked}"
        yield Refusal("house", why)


def _changed_by_players(rulebook: Rulebook, table: OpenTable | LiveTable) -> Iterator[Refusal]:
    rule = rulebook.general.live.cash_changed_by
    if rule and table.buy_in == "self" and not is_play_money(table):
        why = f"buy_in: here the {' or '.join(rule.by)} changes cash for chips, not the players; choose dealer"
        yield refusal(rule.cite, why)


def _automated_confirmations(rulebook: Rulebook, house: House, table: OpenTable | LiveTable) -> Iterator[Refusal]:
    """Refuse to automate, at physical dice, what people at the table must confirm aloud."""
    if "confirm" not in table.automate or table.dice != "physical":
        return
    late, media = rulebook.games[house.game].late, rulebook.general.media
    spoken: list[tuple[str, Cite]] = []
    if late.permitted and late.confirm:
        spoken.append(("a wager made while the dice are in the air", late.confirm.cite))
    for name, medium in media.items():
        if medium.confirm and medium.wagers != "none":
            spoken.append((f"a wager in {name.replace('_', ' ')}", medium.cite))
    for what, cite in spoken:
        why = f"automate: with physical dice the crew confirms {what}, no program does; leave confirm out"
        yield refusal(cite, why)
