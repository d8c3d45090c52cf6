"""All cases of tournaments: sheets that are printed, plans that are judged, tournaments that are held."""

from __future__ import annotations

from functools import cache

from tests.tournament.cases import TournamentCase
from tests.tournament.engine_cases import engine_cases
from tests.tournament.held import entries, money, play, pools, signing, splits, vouchers
from tests.tournament.plan_file import plan_cases
from tests.tournament.sheet_case import sheet_cases

_HELD = (entries, money, play, pools, signing, splits, vouchers)  # their cases are kept when they are imported


@cache
def known_cases(regulation: str = "") -> tuple[TournamentCase, ...]:
    """Return all cases, or those of one regulation; the quickest kind first."""
    assert all(_HELD)
    return (*sheet_cases(regulation), *plan_cases(regulation), *engine_cases(regulation))
