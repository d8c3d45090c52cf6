"""`passline rulebook`: list regulations, begin one of your own, check it, read it, compare it with another."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from passline.cli.exit_codes import FAILED
from passline.cli.house import diff_rulebooks
from passline.cli.impact import impact
from passline.cli.options.game import LISTED, complete_regulation, name_of_folder, regulation_named
from passline.errors import CrapsError

_WIDTH, _INDENT = 100, "    "
_Regulation = Annotated[
    str,
    typer.Argument(
        metavar="REGULATION",
        help=f"A regulation; {LISTED}.",
        show_default=False,
        autocompletion=complete_regulation,
    ),
]
rulebook_commands = typer.Typer(
    no_args_is_help=True,
    help="List regulations, begin one of your own, check it, read it, compare it with another.",
)
"""The commands `passline rulebook ...`."""


@rulebook_commands.command("list")
def list_rulebooks() -> None:
    """List the regulations that are known, with where each was found; of an unsound one, what is wrong with it."""
    from passline.rules.pages.library import known_rulebooks, regulations
    from passline.rules.rulebook_reader import rulebook_of, unsound_regulations

    unsound, library = unsound_regulations(), known_rulebooks()
    wide = max(map(len, regulations()))
    for shelf in library.shelves:
        print(shelf)
        for name in shelf.names:
            title = "cannot be read:" if name in unsound else rulebook_of(name).general.title
            print(f"  {name:{wide}}  {title}")
            for fault in str(unsound.get(name, "")).splitlines():
                print(f"  {'':{wide}}  {fault}")


@rulebook_commands.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name: small letters, digits and _.", show_default=False)
    ],
    *,
    title: Annotated[str, typer.Option(help="What people call it.", show_default="its name")] = "",
    like: Annotated[
        str,
        typer.Option(
            metavar="REGULATION",
            help="Begin with a copy of this regulation, its office and clauses included, instead of a small game.",
            autocompletion=complete_regulation,
        ),
    ] = "",
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder of rulebooks to put it in.")] = Path(
        "rulebooks"
    ),
) -> None:
    """Begin a regulation: a folder that can be dealt as it is, its clause matrix, and schemas for your editor."""
    from passline.papers.new_rulebook import write_rulebook

    folder = write_rulebook(into, name, title=title, like=regulation_named(like))
    print(f"{folder}: a rulebook that can be dealt as it is; change it entry by entry")
    print(f"{into / 'clauses' / name}.csv: its clause matrix, a row for each clause")
    print(f"passline rulebook check {name} --rulebooks {into}: says what is wrong with it")


@rulebook_commands.command()
def check(
    regulation: Annotated[
        str,
        typer.Argument(
            metavar="REGULATION",
            help="A regulation, or the folder of its rulebook.",
            show_default=False,
            autocompletion=complete_regulation,
        ),
    ],
) -> None:
    """Check a whole regulation: rulebook, clauses, office, tournaments. The exit code is 1 if there is a fault."""
    from passline.rules.pages.library import known_rulebooks

    name = name_of_folder(regulation)
    folder = known_rulebooks().folder(name)
    faults = list(dict.fromkeys(fault for part in _parts(name) for fault in _faults_of(part)))
    for fault in faults:
        print(fault)
    if faults:
        print(f"{name}: {len(faults)} fault{'s' * (len(faults) > 1)} in {folder}")
        raise typer.Exit(FAILED)
    for line in _sound_lines(name):
        print(line)


def _parts(name: str) -> Iterator[Callable[[], object]]:
    """Yield what reads each part of a regulation, and raises if it cannot."""
    from passline.acts.rules import office_of
    from passline.rules.clauses import clauses_of
    from passline.rules.pages.library import folder_of
    from passline.rules.rulebook_reader import rulebook_of
    from passline.tournament.plan.reader import example_plan
    from passline.tournament.rules import tournament_of

    yield lambda: clauses_of(name)
    yield lambda: rulebook_of(name)
    yield lambda: _check_later(name)
    yield lambda: office_of(name)
    if (folder_of(name) / "tournament").is_dir():
        yield lambda: tournament_of(name)
        if (folder_of(name) / "tournament" / "example").is_dir():
            yield lambda: example_plan(name)


def _check_later(name: str) -> None:
    """Read what is written as if every day had come, and the text of every later day, with its default house."""
    from passline.rules.house_reader import default_house_breaches
    from passline.rules.pages.amendments import texts_of
    from passline.rules.pages.day import day_in_force
    from passline.rules.pages.texts import RulebookFaults
    from passline.rules.rulebook_reader import rulebook_from

    texts, today = texts_of(name), day_in_force(name)
    if not texts.days:
        return
    rulebook_from(texts.written)
    faults: list[str] = []
    for day, pages in texts.after(today):
        try:
            found = [f"{name}/house.toml: {breach}" for breach in default_house_breaches(rulebook_from(pages))]
        except RulebookFaults as error:
            found = [*error.faults]
        faults += (f"on {day}: {fault}" for fault in found)
    if faults:
        raise RulebookFaults(faults)


def _changes(name: str) -> Iterator[str]:
    """Yield what amends the text in force, and the days on which it changes."""
    from passline.rules.pages.amendments import texts_of
    from passline.rules.pages.day import day_in_force
    from passline.rules.rulebook_reader import rulebook_of

    yield from (f"amended by {amendment}" for amendment in rulebook_of(name).amendments)
    later = texts_of(name).after(day_in_force(name))
    yield from (f"changes on {day}: passline rulebook diff {name} {name}@{day}" for day, _pages in later)


def _faults_of(read: Callable[[], object]) -> tuple[str, ...]:
    from passline.rules.pages.texts import RulebookFaults

    try:
        read()
    except RulebookFaults as error:
        return error.faults
    except CrapsError as error:
        return (str(error),)
    return ()


def _sound_lines(name: str) -> Iterator[str]:
    """Yield what a sound regulation has."""
    from passline.rules.clauses import clauses_of
    from passline.rules.pages.library import folder_of
    from passline.rules.rulebook_reader import rulebook_of

    rulebook = rulebook_of(name)
    games = ", ".join(rulebook.games)
    yield f"{name}: sound; {len(rulebook.wagers)} wagers, {games}, {len(rulebook.elections)} elections"
    clauses = clauses_of(name)
    yield f"clauses: {len(clauses)}, each cited" if clauses else _no_matrix(name)
    for part in ("office", "tournament"):
        yield f"{part}: {'sound' if (folder_of(name) / part).is_dir() else 'has no pages of its own'}"
    yield f"digest: {rulebook.digest}"
    yield from _changes(name)
    yield from (f"to look at: {doubt}" for doubt in rulebook.doubts)


def _no_matrix(name: str) -> str:
    return f"clauses: there is no clauses/{name}.csv beside its folder, so citations are not checked"


@rulebook_commands.command()
def show(regulation: _Regulation) -> None:
    """Print a whole rulebook in words, every entry with its clause: read it beside the text."""
    from passline.rules.explain.sections import explain_all
    from passline.rules.rules import Rules

    print(explain_all(Rules.of(name_of_folder(regulation)), width=_WIDTH), end="")


@rulebook_commands.command()
def matrix(regulation: _Regulation) -> None:
    """Print the clause matrix: what each clause says, and the entries of the rulebook that cite it."""
    from passline.rules.conformance import conformance_of

    name = name_of_folder(regulation)
    rows = conformance_of(name)
    if not rows:
        raise CrapsError(f"{name}: {_no_matrix(name)}")
    for row in rows:
        clause = row.clause
        print(f"{clause.id}  {clause.cite}  {clause.kind}, {clause.part}")
        print(textwrap.fill(clause.summary, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT))
        for place in row.where:
            print(f"{_INDENT}in {place}")


@rulebook_commands.command()
def schema(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="general, wagers, elections, game, house, office, tournament, plan or amendment.",
            show_default=False,
        ),
    ],
) -> None:
    """Print the JSON Schema of a TOML file: editors complete its keys by it, and underline what is none."""
    from passline.papers.page_schemas import schema_names, schema_text

    name = file.lower().removesuffix(".toml")
    if name not in schema_names():
        raise CrapsError(f"{file}: has no schema; choose {', '.join(schema_names())}")
    print(schema_text(name), end="")


rulebook_commands.command("diff")(diff_rulebooks)
rulebook_commands.command("impact")(impact)
