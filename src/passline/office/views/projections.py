"""The projections of a server's log, which its views process writes and its pages read."""

from __future__ import annotations

from passline.bookkeeping.follower import AccountsFollower
from passline.bookkeeping.game_speed import RollsFollower
from passline.bookkeeping.shift_buy_ins import BuyInsFollower
from passline.office.views.office_views import OfficeViews
from passline.store.sealed import Log
from passline.streams.projection import Projection
from passline.tables.views.played import PlayedFollower
from passline.tables.views.projected import TableViews


def projections_of(log: Log) -> list[Projection]:
    """Return all projections of a server, for the process that writes them and for those that read."""
    return [
        TableViews(log, [AccountsFollower(), PlayedFollower(), BuyInsFollower(), RollsFollower()]),
        OfficeViews(log),
    ]
