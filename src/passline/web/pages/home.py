"""Where people begin: the regulation that the pages of a house show first, and the page that is somebody's own."""

from __future__ import annotations

from collections.abc import Collection

from passline.authority.roles import PLAYER, REGULATOR, SURVEILLANCE
from passline.web.demo.players import newcomers_regulation
from passline.web.server.services import Services

_HOMES = {PLAYER: "/", REGULATOR: "/regulator", SURVEILLANCE: "/surveillance"}


async def house_regulation(services: Services) -> str:
    """Return the regulation of a house.

    The one it is served for, else that of the office that is set up, else that of its first table; without any, the
    one with the most wagers.
    """
    if services.rules:
        return services.rules
    if office := services.offices.first_set_up():
        return office
    tables = await services.floor.load_all()
    return str(tables[0].live.house["rules"]) if tables else newcomers_regulation()


def home_of(roles: Collection[str], regulation: str) -> str:
    """Return the path of the page where somebody's work begins.

    >>> home_of({"dealer", "player"}, "arizona"), home_of({"regulator"}, "arizona"), home_of({"player"}, "arizona")
    ('/office/arizona', '/regulator', '/')
    """
    return next((home for role, home in _HOMES.items() if {*roles} == {role}), f"/office/{regulation}")
