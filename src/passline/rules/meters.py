"""The meters of progressives as an analysis takes them: where they stand, and stay."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from passline.money import round_down_to
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.rules.schema import METER_UNIT

_AT_METERS: Memo[tuple[tuple[str, int], ...], Rules] = Memo()


def at_meters(rules: Rules, meters: Mapping[str, int] | None = None) -> Rules:
    """Return rules with cents on the meters of their progressives; by default the base of each."""
    bases = {kind: progressive.base_cents for kind, progressive in rules.progressives.items()}
    if not bases or (rules.meters and not meters):
        return rules
    known = rules.memory_of(_AT_METERS)
    standing = bases | dict(meters or {})
    key = tuple(sorted(standing.items()))
    if key not in known:
        known[key] = Rules(rules.rulebook, rules.house, automate=rules.automate, limits_apply=rules.limits_apply)
        known[key].meters = standing
    return known[key]


def meter_share(rules: Rules, kind: str, share: int) -> int:
    """Return the cents that a share of a meter, in basis points, pays in an analysis: whole chips."""
    return round_down_to(Fraction(rules.meters.get(kind, 0) * share, METER_UNIT), rules.chip)
