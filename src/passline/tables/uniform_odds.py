"""Payouts beyond the list are the same at every table of a casino, where its regulation says so.

A table that is about to open, or to adopt a rulebook, is compared with those that are open. Before that, the payouts
are set in the house's own stream, which all servers write in turn. Other payouts cannot be set there for a minute, by
when every server knows the table. An opening or adoption is lawful only under the payouts that were set last, and
`verify` checks that in the log's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.money import Pays
from passline.refusal import Refusal
from passline.rules.house_check import payout_lines
from passline.rules.rules import Rules
from passline.rules.schema import Composite, SideWager, refusal
from passline.store.timestamps import later
from passline.tables import commands as k
from passline.tables import house_events as h
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.terms import is_play_money

_ODDS_SECONDS = 60  # far more than a server takes to hear of a table that another one opened
_FORM_MAX = 1_000  # payouts in a record; a rulebook has some dozens


class _Paid(Struct, frozen=True):
    """What one table pays on a number of a wager, and what the list says."""

    name: str  # as a house file has it
    listed: Pays
    pays: Pays


def odds_to_set(rules: Rules, known: Mapping[str, h.OddsSet], *, table: str) -> k.SetOdds:
    """Return the command that sets this table's payouts for all tables of its game; other games keep theirs."""
    paid = _payouts(rules)
    was = known[rules.rulebook.name].payouts if rules.rulebook.name in known else {}
    kept = {key: pays for key, pays in was.items() if key not in paid}
    return k.SetOdds(rules=rules.rulebook.name, table=table, payouts={**kept, **_beyond(paid)})


def set_odds(command: k.SetOdds, known: Mapping[str, h.OddsSet], at: str) -> h.OddsSet | Refusal:
    """Set what the casino pays beyond a list; refused for a minute after something else was set."""
    last = known.get(command.rules)
    if last is not None and last.payouts != command.payouts and at < last.until:
        why = (
            f"other payouts were set for the table {last.table} just now: open this one like it, or after {last.until}"
        )
        return Refusal("house", why)
    if len(command.payouts) > _FORM_MAX:
        return Refusal("form", f"payouts: at most {_FORM_MAX}")
    return h.OddsSet(command.rules, command.table, command.payouts, later(at, _ODDS_SECONDS))


def unlike_tables(rules: Rules, tables: Iterable[LiveTable]) -> list[Refusal]:
    """Refuse a table whose payouts differ from those of open tables, with a reason for each of these tables."""
    uniform, paid = rules.rulebook.general.live.uniform, _payouts(rules)
    if uniform is None:
        return []
    refusals = []
    for live in tables:
        if live.house["rules"] != rules.rulebook.name or live.status == "closed" or is_play_money(live):
            continue
        there = _payouts(rules_of(live))
        unlike = [
            (payout, there[key]) for key, payout in paid.items() if key in there and there[key].pays != payout.pays
        ]
        if unlike:
            paid_so = dict.fromkeys(
                f"{payout.name} {payout.pays} here, {other.pays} at {live.name}" for payout, other in unlike
            )
            said = "; ".join([*paid_so][:3])
            why = f"house: payouts: they are the same at every table of the casino: {said}"
            refusals.append(refusal(uniform.cite, f"{why}; open this one like {live.name}, or close {live.name} first"))
    return refusals


def recently_set(known: Mapping[str, h.OddsSet] | None, at: str) -> dict[str, h.OddsSet] | None:
    """Return the payouts set within the last minute: a table opens only while no others can be set."""
    return None if known is None else {rules: odds for rules, odds in known.items() if at < odds.until}


def unset_odds(rules: Rules, known: Mapping[str, h.OddsSet] | None) -> list[Refusal]:
    """Refuse a table whose payouts are not those just set in the house's own stream, if these are `known`."""
    uniform = rules.rulebook.general.live.uniform
    if uniform is None or known is None:
        return []
    paid, last = _payouts(rules), known.get(rules.rulebook.name)
    if last and _beyond(paid) == {key: pays for key, pays in last.payouts.items() if key in paid}:
        return []
    why = "house: payouts: this table's were not compared with those at the other tables within the last minute"
    return [refusal(uniform.cite, f"{why}; do it again from the page with all tables, which compares them")]


_known: WeakKeyDictionary[Rules, Mapping[str, _Paid]] = WeakKeyDictionary()  # tables of one house share their rules


def _payouts(rules: Rules) -> Mapping[str, _Paid]:
    """Map every payout that may be raised to what is paid here; worked out once for all tables under these rules."""
    if rules not in _known:
        _known[rules] = _worked_out(rules)
    return _known[rules]


def _worked_out(rules: Rules) -> dict[str, _Paid]:
    """Map every payout that may be raised to what is paid here.

    A wager is the same at two games of a regulation if it has the same name and the same payout on the list.
    """
    plain = Rules(rules.rulebook, replace(rules.house, payouts={})) if rules.house.payouts else rules
    fixed = rules.rulebook.general.fixed_payouts.wagers
    found = {}
    for kind, rule in rules.wagers.items():
        if kind in fixed or isinstance(rule.entry, Composite | SideWager):
            continue
        elected = {Pays.parse(line.or_pays) for line in rule.entry.pays if line.or_pays}
        for number, payout in rule.payouts.items():
            listed, key = plain.wagers[kind].payouts[number].pays, f"{kind} {number_text(number)}".strip()
            ratio, is_elected = payout.pays.ratio, payout.pays in elected
            pays = Pays(ratio.numerator, to=ratio.denominator)  # so that 6 to 2 is 3 to 1
            found[f"{key}, listed at {listed}"] = _Paid(
                _name_in_house(rules, kind, number), listed, listed if is_elected or ratio == listed.ratio else pays
            )
    return found


def _name_in_house(rules: Rules, kind: str, number: int) -> str:
    """Return a payout as a house file names it: where the list has totals, by the total and not by the pair of dice."""
    text = number_text(number)
    total = sum(map(int, text.split("-"))) if "-" in text else ""
    names = (f"{kind} {text}", f"{kind} {total}", kind)
    return next(name for name in names if payout_lines(rules.rulebook, name, rules.house.game))


def _beyond(paid: Mapping[str, _Paid]) -> dict[str, str]:
    return {key: str(payout.pays) for key, payout in paid.items() if payout.pays != payout.listed}
