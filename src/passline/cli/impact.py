"""`passline rulebook impact`: what an amendment changes, before its day comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.house import edge_lines, print_lines, print_parts
from passline.cli.options.game import name_of_folder

if TYPE_CHECKING:
    from passline.papers.impact import Amending

_BESIDE = ("before", "now")


def impact(
    amendment: Annotated[
        Path,
        typer.Argument(
            metavar="AMENDMENT",
            help="The file of an amendment, such as rulebooks/NAME/amendments/2027-01.toml.",
            show_default=False,
        ),
    ],
    *,
    house: Annotated[
        list[Path] | None,
        typer.Option("--house", metavar="FILE", help="A house file: whether it stays lawful. May be repeated."),
    ] = None,
    log: Annotated[
        str,
        typer.Option(
            metavar="LOG",
            help="A log, as for passline verify: what the year before would have paid, with the same dice and wagers.",
        ),
    ] = "",
) -> None:
    """Tell what an amendment changes: wagers, house edges, papers, houses, duties of the office, a year's payments."""
    from passline.papers.impact import amendment_named, amendment_of, changed_duties, changed_papers
    from passline.papers.regulations import regulation_differences
    from passline.rules.rules import Rules

    folder, file = amendment_named(amendment)
    change = amendment_of(name_of_folder(str(folder)), file)
    print(f"{change.name}: {change.amendment.head}")
    print(f"{change.before.digest} -> {change.after.digest}")
    if change.before.digest != change.after.digest:
        before, after = Rules.under(change.before), Rules.under(change.after)
        print_parts(regulation_differences(before, after), _BESIDE)
        print_lines("House edges of the default house", edge_lines(before, after))
        changed, same = changed_papers(change)
        print_lines("Papers of the default house", _paper_lines(changed, same))
    print_lines("Houses", _house_lines(change, house or []))
    print_lines("Duties of the office", changed_duties(change))
    if log:
        print_lines("The year before it, as it would have been paid", _year_lines(change, log))


def _paper_lines(changed: list[str], same: list[str]) -> Iterator[str]:
    if changed:
        yield f"to print again: {', '.join(changed)}"
    if same:
        yield f"as they are: {', '.join(same)}"


def _house_lines(change: Amending, files: list[Path]) -> Iterator[str]:
    from passline.papers.impact import house_breaches
    from passline.rules.pages.texts import read_toml

    default: tuple[str, dict[str, Any]] = f"the default house of {change.name}", {}
    for name, data in (default, *((f"house file {file}", read_toml(file)) for file in files)):
        yield f"{name}: {'; '.join(house_breaches(change, data)) or 'stays lawful'}"


def _year_lines(change: Amending, log: str) -> Iterator[str]:
    from passline.money import dollar_amount, in_currency
    from passline.papers.impact import year_under
    from passline.store.log_source import open_source
    from passline.store.sealed import stored_of

    def amount(cents: int) -> str:
        return in_currency(dollar_amount(cents, is_grouped=True), change.after.general.currency)

    with open_source(log) as source:
        year = year_under(change, (stored_of(row).entry for row in source.rows()))
    yield f"{year.rolls:,} rolls from {year.first} to the day before {year.last}"
    for paid in year.wagers:
        if paid.paid != paid.would_pay:
            both = [amount(cents) for cents in (paid.paid, paid.would_pay)]
            yield f"{paid.wager}: {both[0]} was paid, {both[1]} would have been"
        if paid.refused:
            why = "there is no such wager any more" if paid.is_unknown else "refused under the new text"
            total = amount(paid.refused_cents)
            yield f"{paid.wager}: {paid.refused:,} of {total} together would not have been taken: {why}"
