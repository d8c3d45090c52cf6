"""Two days of a house that gives comps: two patrons are rated, and what they earned is credited, granted and given."""

from __future__ import annotations

from passline.acts import commands as c
from passline.office.views.rated_play import find_ratings, worth_by_patron
from passline.refusal import Refused
from passline.streams.projection_store import ViewStore
from tests.office.accounts.rated import RatedTable

RULES, DAY = "section2", "2026-11-14"


def two_rated_days() -> tuple[RatedTable, ViewStore]:
    """Ann and Bob are rated on a day; on the next comps are credited, granted, given and made void."""
    rated = RatedTable("comps")
    terms = {"comp_share": 25, "comp_floor": 500_00, "comp_supervisor": 900_00}
    rated.told("olga", "set_comp_terms", **terms, signs="second", signed_by="compliance")
    for card in ("C-1", "C-2"):
        rated.told("flo", "open_rating", table="craps-1", card=card)
    rated.rolls(100)
    rated.sitting.wait(1)
    rated.told("flo", "close_rating", "R-000001", average=800_00, style="hardways")
    rated.told("flo", "close_rating", "R-000002", average=300_00, most=500_00, line=1, props=1)
    ratings = find_ratings(rated.views(), RULES, rated.office.state, "day", DAY)
    rated.sitting.wait(24 * 60)
    for patron, cents in worth_by_patron(ratings).items():
        rated.office.at = rated.sitting.at
        noted = rated.office.send(c.NoteComp(patron=patron, day=DAY, theoretical=cents))
        assert not isinstance(noted, Refused), str(noted)
    for patron, worth in (("P1", 120_00), ("P1", 45_50), ("P2", 60_00)):
        rated.told("flo", "give_comp", patron=patron, worth=worth, what="dinner")
    rated.told("sam" if "sam" in rated.office.people else "supervisor", "grant_comp", patron="P2", worth=75_00,
               reason="a birthday", signs="owner", signed_by="olga")  # fmt: skip
    rated.told("supervisor", "void_comp", "CP-000002", reason="closed", signs="second", signed_by="flo")
    return rated, rated.views()
