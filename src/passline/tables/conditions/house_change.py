"""Another house at an open table: what may change while it is open, and what must hold first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import json

from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.elections import House, election_of
from passline.rules.house_reader import house_of
from passline.rules.rules import Rules
from passline.rules.schema import refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.approvals import Approvals
from passline.tables.live import LIMITS, LiveTable
from passline.tables.terms import is_play_money, unmet_terms
from passline.tables.uniform_odds import unset_odds

__all__ = ["FIXED_WHILE_OPEN", "house_change_of"]

FIXED_WHILE_OPEN = ("rules", "game", "seats")
"""What stays as it is while a table is open: who wants another regulation, game or number of places closes it first."""


def house_change_of(
    live: LiveTable,
    rules: Rules,
    command: k.ChangeHouse,
    approvals: Approvals,
    odds: Mapping[str, h.OddsSet] | None = None,
) -> list[t.HouseChanged] | list[Refusal]:
    """Deal by another house from now on, with nothing on the layout and the dice at rest, or refuse with every reason.

    The rulebook stays the one that the table is under. `odds` is what the house says of payouts beyond the list;
    without it they are not compared.
    """
    refusals = [*_unfit_moment(live)]
    house, breaches = house_of(rules.rulebook, command.house)
    refusals += [Refusal(breach.clause, f"house: {breach.key}: {breach.problem}") for breach in breaches]
    if house is None or breaches:
        return refusals
    elected: dict[str, Any] = json.decode(json.encode(house))  # as the log will have it
    if elected == live.house:
        return [*refusals, Refusal("house", f"{live.name} is already dealt by this house")]
    refusals += [
        *_unchangeable(live, elected),
        *_limits_without_notice(live, rules, elected),
        *_unfit_chips(live, rules, house),
    ]
    if command.terms:
        refusals += unmet_terms(rules.rulebook, house, live, approvals, terms=command.terms)
        refusals += [] if is_play_money(live) else unset_odds(Rules(rules.rulebook, house), odds)
    if refusals:
        return refusals
    terms = command.terms if command.terms != live.terms else 0
    return [t.HouseChanged(elected, live.rules, terms, command.clearance)]


def _unfit_moment(live: LiveTable) -> Iterator[Refusal]:
    """Refuse a change in the middle of something that was begun under the old house."""
    position = live.game.position
    if live.points is not None:
        yield Refusal("house", "a tournament is played by one house from its first round to its last")
    if position.layout:
        up = f"wagers are up ({len(position.layout)}), made by the house that was posted then"
        yield Refusal("house", f"{up}: another house waits until they are decided or taken down")
    if position.dice == "air":
        yield Refusal("house", "the dice are in the air: another house waits until they have landed")
    if live.notice is not None:
        yield Refusal("house", f"other limits are announced for {live.notice.at}: another house waits until then")


def _unchangeable(live: LiveTable, elected: Mapping[str, Any]) -> Iterator[Refusal]:
    for key in FIXED_WHILE_OPEN:
        if elected[key] != live.house[key]:
            why = f"house: {key}: {elected[key]!r} is not {live.house[key]!r}, as it is while the table is open"
            yield Refusal("house", f"{why}; close the table and open it by the other house")


def _limits_without_notice(live: LiveTable, rules: Rules, elected: Mapping[str, Any]) -> Iterator[Refusal]:
    """Refuse other limits under the eyes of players whom the house owes a notice of them."""
    changed = [key for key in LIMITS if elected[key] != live.house[key]]
    minutes = rules.house.limit_notice_minutes
    if changed and minutes and live.players:
        why = f"house: {', '.join(changed)}: players are at the table, who are told {minutes} minutes before"
        cite = election_of(rules.rulebook, "limit_notice_minutes").cite
        yield refusal(cite, f"{why}; announce these limits first, and change the house when they are in force")


def _unfit_chips(live: LiveTable, rules: Rules, house: House) -> Iterator[Refusal]:
    """Refuse a smallest chip of which somebody's chips are not made."""
    chip, money = house.smallest_chip_cents, live.game.money
    held = {f"seat {seat}": cents for seat, cents in enumerate(money.racks, start=1)} | {"the bank": money.bank}
    if odd := [f"{who} has {dollars(cents)}" for who, cents in held.items() if cents % chip]:
        why = f"house: smallest_chip_cents: {', '.join(odd)}, which {dollars(chip)} chips do not make"
        yield refusal(rules.rulebook.general.media["chips"].cite, f"{why}; colour them up first")
