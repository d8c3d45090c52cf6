"""What was entered from manual slips after an outage, as a table with a row for each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from passline.acts.rules import ActRules
from passline.acts.views.wording import Names
from passline.documents.sheet import SheetTable


def lines_table(
    rules: ActRules, names: Names, local: Callable[[str], str], title: str, lines: Iterable[Mapping[str, Any]]
) -> SheetTable:
    """Return the lines entered from manual slips; of things that only some may read of, only the act is shown."""
    acts, things = rules.pages.acts, rules.pages.things
    rows = []
    for number, line in enumerate(lines, start=1):
        act = acts.get(line["act"])
        is_shown = act is None or not act.thing or not things[act.thing].seen_by
        signed = [names.get(account, account) for account in (line["by"], *(line.get("signed") or {}).values())]
        about = " ".join(line.get("things") or ()) or str((line.get("fields") or {}).get("table", ""))
        rows.append(
            (
                number,
                str(line.get("slip", "")),
                local(line["occurred"]),
                act.name if act else line["act"],
                about if is_shown else "",
                ", ".join(signed),
            )
        )
    return SheetTable(
        title=title,
        heads=("line", "slip", "occurred", "what", "of", "signed on the slip by"),
        rows=tuple(rows),
        figures=(0,),
        widths=(0.4, 0.9, 1.2, 1.8, 0.9, 1.6),
        nothing="Nothing was written on a slip.",
    )
