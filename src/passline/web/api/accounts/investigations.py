"""Results beyond luck: what a server tells its offices of them."""

from __future__ import annotations

from passline.office.runtime import FoundResults
from passline.office.views.result_alarms import AlarmedResult, find_alarmed_results
from passline.web.server.services import Services


def results_in(services: Services) -> FoundResults:
    """Return what finds the results of an office that are beyond luck and that nobody was told of yet."""

    async def find(name: str) -> list[AlarmedResult]:
        scene = await services.offices.scene(name)
        facility = scene.state.facility
        if facility is None:
            return []
        day = facility.gaming_day(scene.at)
        found, _ = await services.views.read(lambda views: find_alarmed_results(views, scene.rules, scene.state, day))
        return found

    return find
