"""The rules that apply only to live tables, in words."""

from __future__ import annotations

from collections.abc import Iterator

from passline.money import amount_text
from passline.rules.explain.wagers import CitedLine, cite, commas, words
from passline.rules.schema import LayoutMarks, Live


def live_lines(live: Live) -> Iterator[CitedLine]:
    """Yield the rules for a live table, line by line."""
    yield cite("chips", commas(f"{amount_text(cents)}" for cents in live.chips.cents), live.chips)
    yield from _layout_lines(live)
    if live.fills:
        yield cite("fills and credits", "initiated and authorised by a supervisor", live.fills)
    if live.inventories:
        yield cite("inventories", "at opening and closing, verified by a supervisor", live.inventories)
    if live.game_rules:
        yield cite("game rules", f"only those approved by {_all(live.game_rules.authorities)}", live.game_rules)
    yield from _opening_lines(live)
    if live.prediction_aid:
        by = _all(live.prediction_aid.authorities)
        yield cite("prediction aid", f"none, including roll history, unless approved by {by}", live.prediction_aid)
    if live.advice:
        text = f"no advice on strategy by the {commas(live.advice.by)} while a wager is pending"
        yield cite("advice", text, live.advice)
    if live.posted:
        yield cite("posted", "the limits, at each table", live.posted)
    yield from _duty_lines(live)
    for name, record in live.records.items():
        yield cite("record", f"{words(name)}, open to the regulator", record)


def _layout_lines(live: Live) -> Iterator[CitedLine]:
    """Yield the colours of chips, and what is on the layout."""
    for chip in live.chips.colours:
        yield cite("chip colour", f"{amount_text(chip.cents)} chips are predominantly {chip.colour}", chip)
    layout = live.layout or LayoutMarks()
    for rule, text in (
        (layout.name, "the name of the house"),
        (layout.areas, "a marked area for each wager"),
        (layout.odds, "the payout odds, on each area"),
    ):
        if rule:
            yield cite("layout", text, rule)
    for legend in layout.legends:
        yield cite("layout", f'the words "{legend.says}"', legend)


def _opening_lines(live: Live) -> Iterator[CitedLine]:
    """Yield what a table is asked for when it opens or adopts a rulebook."""
    if live.electronic:
        by = _all(live.electronic.authorities)
        text = f"opened only with a report of the {by} on file on its software, electronic layout and electronic dice"
        yield cite("every table", text, live.electronic)
    if live.cash_changed_by:
        yield cite("cash", f"changed for chips by the {commas(live.cash_changed_by.by)}", live.cash_changed_by)
    if live.uniform:
        yield cite("payouts beyond the list", "the same at every table of the casino", live.uniform)
    if live.electronic_dice:
        yield cite("electronic dice", live.electronic_dice.reading, live.electronic_dice)


def _duty_lines(live: Live) -> Iterator[CitedLine]:
    if sets := live.dice_sets:
        yield cite("set of dice", f"a new one at least every {sets.hours_max} hours", sets)
        yield cite("set of dice", "a new one when the table reopens", sets.reopened)
        for reason, rule in sets.reasons.items():
            yield cite("set of dice", f"a new one when it is {words(reason)}", rule)
    if irregular := live.irregularities:
        yield cite("irregularity", f"reported to the {commas(irregular.notify.by)}", irregular.notify)
        yield cite("irregularity", f"the {commas(irregular.direct.by)} directs what is done", irregular.direct)
        yield cite("irregularity", f"the {commas(irregular.observe.by)} watches it done", irregular.observe)


def _all(authorities: tuple[str, ...]) -> str:
    return " and ".join(authorities)
