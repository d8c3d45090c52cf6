"""A table whose player wins far more than luck leaves, and what its office would be told of it."""

from __future__ import annotations

from datetime import date

from passline.office.views.result_alarms import AlarmedResult, find_alarmed_results
from tests.office.accounts.watched import WatchedTable
from tests.tables.sitting import ANN

DAY = date(2026, 11, 15)


def played(sevens: int) -> WatchedTable:
    """A table whose player wins any seven again and again, dealt by a crew that is on record."""
    watched = WatchedTable("section2")
    office = watched.office
    office.does("olga", "register_table", "craps-1", area="pit-1")
    office.does("flo", "set_crew", "craps-1", other_crew=False, boxperson="bea", stickperson="stan", dealers=["dee"])
    watched.sitting.sit(ANN, 1)
    watched.sitting.shoot(ANN)
    watched.write()
    for _ in range(sevens):
        watched.sitting.wager(ANN, "any_seven", 5_00)
        if not watched.sitting.table.game.position.puck:
            watched.sitting.wager(ANN, "pass", 10_00)
        watched.sitting.roll(3, 4)
    watched.write()
    return watched


def found_beyond_luck(watched: WatchedTable) -> list[AlarmedResult]:
    """Return the results of the month that nobody was told of yet."""
    return find_alarmed_results(watched.views(), watched.office.rules, watched.office.state, DAY)
