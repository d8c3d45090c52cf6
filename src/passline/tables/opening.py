"""Opens a table under a checked house, adopts another rulebook or house for it, and closes one nobody plays at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import json
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.game import events as e
from passline.money import CENTS_MAX, dollars
from passline.refusal import Refusal
from passline.rules.elections import House, election_of
from passline.rules.house_reader import house_of
from passline.rules.rules import AUTOMATED, Rules
from passline.rules.schema import Rulebook, refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.approvals import Approvals
from passline.tables.dice.physical import unfit_election
from passline.tables.events import TableEvent
from passline.tables.live import LIMITS, LiveTable, house_with, table_id
from passline.tables.meters import unfit_meters
from passline.tables.money.books import inventory_opened, unfit_inventory
from passline.tables.money.points import unfit_round
from passline.tables.rules_in_force import rules_of
from passline.tables.terms import WHOLE_TERMS, is_play_money, unapproved_software, unmet_terms
from passline.tables.uniform_odds import unset_odds

_DICE = ("electronic", "physical")
_BUY_IN = ("dealer", "self")
_NAME_MAX = 60


def opening_of(
    command: k.OpenTable,
    approvals: Approvals,
    rulebooks: Callable[[str], Rulebook],
    odds: Mapping[str, h.OddsSet] | None = None,
    *,
    live: LiveTable | None = None,
) -> list[TableEvent] | list[Refusal]:
    """Open a table under the rulebook of its name, or refuse with every breach of its house at once.

    `odds` is what the house says of payouts beyond the list; without it they are not compared. `live` is the table as
    it was when it was closed last.
    """
    name, table = command.name.strip(), command.table or table_id(command.name)
    refusals = []
    if not 0 < len(name) <= _NAME_MAX:
        refusals.append(Refusal("form", f"a table needs a name of 1 to {_NAME_MAX} characters"))
    elif not table or table != table_id(table):
        refusals.append(Refusal("form", f"a table needs an id such as 'craps-1'; {table!r} is not one"))
    for key, value, known in (("dice", command.dice, _DICE), ("buy_in", command.buy_in, _BUY_IN)):
        if value not in known:
            refusals.append(Refusal("form", f"{key}: {value!r} is not one of {', '.join(known)}"))
    if strange := sorted({*command.automate} - AUTOMATED):
        steps = ", ".join(sorted(AUTOMATED))
        refusals.append(Refusal("form", f"automate: {', '.join(strange)} cannot be automated; these can: {steps}"))
    try:
        rulebook = rulebooks(str(command.house.get("rules", "")))
        house, breaches = house_of(rulebook, command.house)
    except CrapsError as error:
        return [*refusals, Refusal("house", f"house: {error}")]
    refusals += [Refusal(breach.clause, f"house: {breach.key}: {breach.problem}") for breach in breaches]
    if house is None or breaches:
        return refusals
    refusals += _unfit_bank(rulebook, house, command)
    refusals += [*_unfit_keying(command), *unfit_election(command), *unfit_inventory(live, command)]
    refusals += unfit_meters(live, Rules(rulebook, house), command)
    refusals += unfit_round(command.points, command.bank_cents, is_keyed=command.is_keyed)
    refusals += _unfit_table(rulebook, house, command, approvals, odds)
    if refusals:
        return refusals
    opened = t.TableOpened(
        table=table,
        name=name,
        house=json.decode(json.encode(house)),  # as the log will have it
        dice=command.dice,
        automate=tuple(sorted({*command.automate})),
        buy_in=command.buy_in,
        is_demo=command.is_demo,
        rulebook=rulebook.digest,
        practice_cents_max=command.practice_cents_max,
        terms=command.terms,
        clearance=command.clearance,
        is_keyed=command.is_keyed,
        points=command.points,
        requires_dice_out=command.requires_dice_out,
    )
    bank: list[TableEvent] = [e.FillMade(command.bank_cents)] if command.bank_cents else []
    counted: list[TableEvent] = [*inventory_opened(live, command.opener)] if command.opener else []
    return [opened, *bank, *counted]


def _unfit_table(
    rulebook: Rulebook, house: House, command: k.OpenTable, approvals: Approvals, odds: Mapping[str, h.OddsSet] | None
) -> list[Refusal]:
    """Refuse a table that does not meet the terms it is opened under; without terms only its dice are looked at."""
    if not command.terms:
        return unapproved_software(rulebook, approvals) if command.dice == "electronic" else []
    refusals = unmet_terms(rulebook, house, command, approvals, terms=command.terms)
    return refusals if is_play_money(command) else [*refusals, *unset_odds(Rules(rulebook, house), odds)]


def adoption_of(
    live: LiveTable,
    command: k.AdoptRulebook,
    approvals: Approvals,
    rulebooks: Callable[[str], Rulebook],
    odds: Mapping[str, h.OddsSet] | None = None,
) -> list[t.RulebookAdopted] | list[Refusal]:
    """Deal under the installed text of the regulation from now on, with nothing on the layout and the dice at rest.

    With the text come the terms of an opening; a set of dice is put in before the next throw. `odds` as for an opening.
    """
    name, position = live.house["rules"], live.game.position
    try:
        rulebook = rulebooks(name)
        house, breaches = house_of(rulebook, live.house)
    except CrapsError as error:
        return [Refusal("house", f"the rulebook cannot be adopted: {error}")]
    refusals = []
    if rulebook.digest == live.rulebook:
        refusals.append(Refusal("house", f"{live.name} is already dealt under this rulebook of {name}"))
    elif command.digest != rulebook.digest:
        why = f"the installed rulebook of {name} has the digest {rulebook.digest}, not {command.digest[:64]!r}"
        refusals.append(Refusal("house", why))
    if position.layout:
        why = f"wagers are up ({len(position.layout)}), made under the rulebook {live.rulebook[:12]}: another one waits"
        refusals.append(Refusal("house", f"{why} until they are decided"))
    if position.dice == "air":
        refusals.append(Refusal("house", "the dice are in the air: another rulebook waits until they have landed"))
    if house is not None and live.notice is not None:
        _house, later = house_of(rulebook, house_with(live.house, live.notice))
        breaches += tuple(breach for breach in later if breach not in breaches)
    refusals += [Refusal(breach.clause, f"house: {breach.key}: {breach.problem}") for breach in breaches]
    if house is not None:
        refusals += _unmet_by_adopted(live, rulebook, house, command, approvals=approvals, odds=odds)
    if refusals or house is None:
        return refusals
    terms = command.terms if command.terms != live.terms else 0
    return [t.RulebookAdopted(rulebook.digest, live.rulebook, json.decode(json.encode(house)), terms)]


def _unmet_by_adopted(
    live: LiveTable,
    rulebook: Rulebook,
    house: House,
    command: k.AdoptRulebook,
    *,
    approvals: Approvals,
    odds: Mapping[str, h.OddsSet] | None,
) -> Iterator[Refusal]:
    """Refuse a text under which meters of the table would vanish, or whose terms it does not meet."""
    yield from unfit_meters(live, Rules(rulebook, house), live)
    if command.terms:
        yield from unmet_terms(rulebook, house, live, approvals, terms=command.terms)
        if command.terms >= WHOLE_TERMS and not is_play_money(live):
            yield from unset_odds(Rules(rulebook, house), odds)


def _unfit_bank(rulebook: Rulebook, house: House, command: k.OpenTable) -> list[Refusal]:
    chips, cents = rulebook.general.media["chips"].cite, command.bank_cents
    if not 0 <= command.practice_cents_max <= CENTS_MAX:
        return [Refusal("form", f"practice_cents_max must be 0 to {CENTS_MAX}, not {command.practice_cents_max}")]
    if not 0 <= cents <= CENTS_MAX or cents % house.smallest_chip_cents:
        chip = dollars(house.smallest_chip_cents)
        why = f"the bank must be 0.00 to {dollars(CENTS_MAX)}, in {chip} chips; {dollars(cents)} is not"
        return [refusal(chips, why)]
    return []


def _unfit_keying(command: k.OpenTable) -> list[Refusal]:
    """Refuse `is_keyed = false` but at a table with physical dice and real chips.

    With electronic dice the program settles the wagers, and with play money nobody else has them: there they are keyed.
    """
    if command.is_keyed or (command.dice == "physical" and not is_play_money(command)):
        return []
    why = "is_keyed: only a table with physical dice and real chips can be dealt without keying in its wagers"
    return [Refusal("practice", why)]


def closing_of(live: LiveTable) -> list[TableEvent] | list[Refusal]:
    """Close a table with nobody seated, nothing on the layout, and a bank that owes nothing.

    Where its money is on the office's papers it stays where it is: the closer is counted and the boxes are dropped by
    acts of their own, before or after.
    """
    rules, position, money = rules_of(live), live.game.position, live.game.money
    refusals = []
    if position.layout:
        why = f"wagers are still up ({len(position.layout)}): remove them or let them be decided first"
        refusals.append(refusal(rules.rulebook.general.remove.cite, why))
    if seated := [str(seat) for seat, state in enumerate(position.seats, start=1) if state]:
        why = f"players are still at seats {', '.join(seated)}; they must leave first"
        refusals.append(refusal(rules.game.seats.cite, why))
    if money.bank < 0 and live.is_keyed:
        chips = rules.rulebook.general.media["chips"].cite
        refusals.append(refusal(chips, f"the bank owes {dollars(-money.bank)}: it needs a fill first"))
    if refusals:
        return refusals
    is_kept = live.books is not None
    closed = t.TableClosed(drop=0, tips=0) if is_kept else t.TableClosed(drop=money.drop, tips=money.tip_box)
    bank: list[TableEvent] = [e.CreditMade(money.bank)] if money.bank and not is_kept else []
    return [*bank, closed]


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
        *unfit_meters(live, Rules(rules.rulebook, house), live),
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


def is_opened_alike(command: object, now: object, then: object) -> bool:
    """Return whether an event is the same today; a table's opening, except for a rulebook that nobody kept.

    New elections, and what the command left to that rulebook's default house, may be otherwise now.
    """
    if not isinstance(now, t.TableOpened) or not isinstance(then, t.TableOpened) or now.rulebook == then.rulebook:
        return now == then
    elected = command.house if isinstance(command, k.OpenTable) else now.house
    house = {key: now.house.get(key) if key in elected else value for key, value in then.house.items()}
    return replace(now, house=house, rulebook=then.rulebook) == then
