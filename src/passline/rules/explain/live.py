"""What holds at a table that people play at, in words."""

from __future__ import annotations

from collections.abc import Iterator

from passline.money import dollars
from passline.rules.explain.wagers import Said, listed, said, words
from passline.rules.schema.rulebook import Live

__all__ = ["live_lines"]


def live_lines(live: Live) -> Iterator[Said]:
    """Say it line by line."""
    yield said("chips", listed(f"${dollars(cents)}" for cents in live.chips.cents), live.chips)
    if live.fills:
        yield said("fills and credits", "initiated and authorised by a supervisor", live.fills)
    if live.inventories:
        yield said("inventories", "at opening and closing, verified by a supervisor", live.inventories)
    if live.game_rules:
        yield said("game rules", f"only those that {_all(live.game_rules.authorities)} approve", live.game_rules)
    if live.electronic:
        by = _all(live.electronic.authorities)
        yield said("electronic dice", f"only with a report of the {by} on file", live.electronic)
    if live.prediction_aid:
        by = _all(live.prediction_aid.authorities)
        yield said("prediction aid", f"none, roll history among them, unless {by} approve it", live.prediction_aid)
    if live.advice:
        text = f"none on strategy by the {listed(live.advice.by)} while a wager is pending"
        yield said("advice", text, live.advice)
    if live.posted:
        yield said("posted", "the limits, at each table", live.posted)
    for name, record in live.records.items():
        yield said("record", f"{words(name)}, open to the regulator", record)


def _all(authorities: tuple[str, ...]) -> str:
    return " and ".join(authorities)
