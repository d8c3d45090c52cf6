"""`passline upgrade`: rehearse what this version makes of an older data folder; keep the rulebooks that dealt it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.exit_codes import FAILED
from passline.cli.output import progress_bar
from passline.cli.rehearse import RehearsalFailed, end_of, rehearsal_folder, said_by, serve_copy
from passline.cli.serve import locked_folder
from passline.errors import CrapsError
from passline.version import __version__

if TYPE_CHECKING:
    from passline.rules.pages.texts import Pages
    from passline.tables.live import LiveTable
    from passline.tables.views.upgrade import LogSurvey

_SECONDS_MAX = 3600.0  # for a server to begin, or for verify
_READY_SECONDS, _LOOK_SECONDS = 60.0, 0.1
_HOUSE = "house"


def upgrade(
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="The data folder of the house, which no server uses.", show_default=False),
    ],
    *,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only rehearse it, on a copy: say what will change, and whether there is a way back."
        ),
    ] = False,
    rulebooks: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The rulebooks of the old version, such as src/passline/rulebooks of its checkout; those of the "
            "releases are known.",
        ),
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where --check makes its copy; by default the system's folder for temporary files."
        ),
    ] = None,
) -> None:
    """Upgrade the data folder of an older version: verify it, and keep in its log the rulebooks that dealt it.

    From then on every version verifies old entries under their own rulebook, and what is up at a table is played out
    under it. Copy the folder first: the old version cannot read what this one adds. The exit code is 0 if all of it
    succeeds, 1 if the log is not intact or cannot be served.
    """
    _check_house(data)
    found = tuple(_pages_in(rulebooks)) if rulebooks else ()
    try:
        if check:
            # A folder that was never served has no lock, and gets none: a rehearsal changes nothing.
            lock = locked_folder(data) if (data / "serve.lock").exists() else nullcontext()
            with lock, rehearsal_folder(work) as folder:
                print(f"rehearsing the upgrade of {data} on a copy in {folder}; the house stays as it is", flush=True)
                _copy(data, folder / _HOUSE)
                _rehearse(folder, found)
            return
        with locked_folder(data):
            _print_verified(data)
            _print_lines(_survey_lines(_survey(data, found)))
            kept = _keep(data, found)
    except RehearsalFailed as failed:
        print(f"FAILED: {failed}")
        raise typer.Exit(FAILED) from None
    print(f"upgraded: the log keeps {kept:,} more {'rulebook' if kept == 1 else 'rulebooks'}; next, serve the folder")


def _check_house(data: Path) -> None:
    """Raise CrapsError unless a folder has a log and its key."""
    from passline.store.data_folder import DATABASE_FILE, KEY_FILE

    if not data.is_dir():
        raise CrapsError(f"{data}: is not a folder; give the data folder of a house")
    if not (data / DATABASE_FILE).is_file():
        elsewhere = "if its log is in PostgreSQL, take a backup and try it with passline rehearse"
        raise CrapsError(f"{data}: has no {DATABASE_FILE}, so it is not the data folder of a house; {elsewhere}")
    if not (data / KEY_FILE).is_file():
        raise CrapsError(f"{data}: has no {KEY_FILE}, the key of its log; restore it from its backup")


def _copy(data: Path, to: Path) -> None:
    """Copy a data folder; raise CrapsError with the first file that cannot be copied."""
    try:
        shutil.copytree(data, to)
    except shutil.Error as error:
        [(file, _, why), *_] = error.args[0]
        raise CrapsError(f"{file}: cannot be copied: {why}") from None


def _pages_in(folder: Path) -> Iterator[Pages]:
    """Yield the rulebooks in a folder of them, or in a checkout."""
    from passline.rules.pages.texts import SUFFIX, read_pages

    inside = folder / "src" / "passline" / "rulebooks"
    place = inside if inside.is_dir() else folder
    if not place.is_dir():
        raise CrapsError(f"--rulebooks {folder}: is not a folder")
    books = [book for book in sorted(place.iterdir()) if book.is_dir() and any(book.glob(f"*{SUFFIX}"))]
    if not books:
        raise CrapsError(f"--rulebooks {folder}: has no rulebooks: no folder with pages that end in {SUFFIX}")
    yield from map(read_pages, books)


def _survey(data: Path, found: tuple[Pages, ...]) -> LogSurvey:
    from passline.store.log_source import open_source
    from passline.tables.kept_rulebooks import learn_kept_rulebooks
    from passline.tables.rules_in_force import learn_rulebook
    from passline.tables.views.upgrade import survey_log

    with open_source(str(data)) as source, progress_bar("reading the log"):
        learn_kept_rulebooks(source.rows())
        for pages in found:
            learn_rulebook(pages, is_kept=True)
        return survey_log(source.rows(), found)


def _survey_lines(survey: LogSurvey) -> Iterator[str]:
    by = (
        f"passline {', '.join(survey.programs)}"
        if survey.programs
        else "a version that did not record itself, such as 0.1"
    )
    yield f"{survey.entries:,} entries, written by {by}; this is passline {__version__}"
    yield from (f"rulebook {book}" for book in survey.rulebooks)
    for book in survey.unknown:
        yield (
            f"WARNING: the text of {book.name} {book.digest[:12]} is not here: its entries are verified under the "
            "installed one; give the old version's with --rulebooks"
        )


def _rehearse(folder: Path, found: tuple[Pages, ...]) -> None:
    """Upgrade a copy, serve it and verify it; print what changes, or raise RehearsalFailed."""
    house, before = folder / _HOUSE, {path.name for path in (folder / _HOUSE).iterdir()}
    _print_verified(house)
    survey = _survey(house, found)
    _print_lines(_survey_lines(survey))
    _keep(house, found)
    begun = monotonic()
    with serve_copy(folder, _SECONDS_MAX) as (address, _seconds):
        _wait_until_ready(address)
        print(f"served: ready after {monotonic() - begun:.1f} s", flush=True)
    _print_verified(house)
    after = _survey(house, found)
    new_files = sorted({path.name for path in house.iterdir()} - before)
    print("\nWhat will change:")
    _print_lines(f"- {line}" for line in _changes(survey, after, new_files))
    print("\nThe way back:")
    _print_lines(f"- {line}" for line in _ways_back(survey, after))


def _wait_until_ready(address: str) -> None:
    """Wait until a server of the copy can deal; raise RehearsalFailed if it says why it cannot."""
    import httpx

    end, why = monotonic() + _READY_SECONDS, ""
    while monotonic() < end:
        try:
            answer = httpx.get(f"{address}/health/ready", timeout=_READY_SECONDS)
        except httpx.TransportError as error:  # it has printed its address, and is about to begin
            why = str(error)
        else:
            if answer.is_success:
                return
            why = answer.text
        sleep(_LOOK_SECONDS)
    raise RehearsalFailed(f"the copy is served and is not ready: {why}")


def _changes(before: LogSurvey, after: LogSurvey, new_files: list[str]) -> Iterator[str]:
    """Yield what an upgrade and the first start after it change."""
    added = after.entries - before.entries
    yield f"the log gets {added:,} entries: the old rulebooks it did not keep, and the start of this version"
    if new_files:
        yield f"new files: {', '.join(new_files)}"
    void = "links for one use that were not used are void, and that of the first owner is made anew"
    yield f"everybody logs in once more; {void}"
    installed = {book.digest: book.is_installed for book in before.rulebooks}
    for table in before.tables.values():
        if table.status != "closed" and not installed[table.rulebook]:
            yield _table_line(table)


def _table_line(table: LiveTable) -> str:
    layout = table.game.position.layout
    up = f"the wagers that are up ({len(layout)}) are played out under it" if layout else ""
    stops = "takes no new stake until the owner adopts the installed rulebook"
    return (
        f"{table.name}: dealt under {table.house['rules']} {table.rulebook[:12]}; {f'{up}; it ' if up else ''}{stops}"
    )


def _ways_back(before: LogSurvey, after: LogSurvey) -> Iterator[str]:
    """Yield how the old version gets its house back."""
    old = before.programs[-1] if before.programs else "0.1"
    if old == __version__:
        yield "there is nothing to go back from: this version wrote the log"
        return
    yield "until this version has upgraded or served the folder: nothing to do, the old one serves it as before"
    yield (
        f"after that: stop the server, put the copy of the folder that you made before in its place, and start {old}; "
        f"what was recorded since ({before.entries:,} entries are in the copy) is lost, and anchors remember it"
    )
    if after.entries > before.entries:
        yield f"without that copy there is none: {old} cannot read what this version adds"


def _print_verified(house: Path) -> None:
    """Verify a folder as people do, and print what is found; raise RehearsalFailed if it is not intact."""
    begun = monotonic()
    with progress_bar("verifying"):
        said = said_by(["verify", str(house)], _SECONDS_MAX)
    if said.returncode:
        raise RehearsalFailed(f"the log does not verify:\n{end_of(said.stdout + said.stderr)}")
    print(f"verified: {said.stdout.splitlines()[-1]}, in {monotonic() - begun:.1f} s", flush=True)


def _keep(data: Path, found: tuple[Pages, ...]) -> int:
    """Have the log keep every old rulebook that it does not keep; return how many these are."""
    from passline.provable_dice import DiceKeys
    from passline.refusal import Refused
    from passline.store.data_folder import dice_secret, open_log
    from passline.tables.runtime.floor import Floor
    from passline.web.server.clock_keeper import clock_of

    wanted = _survey(data, found).to_keep
    if not wanted:
        return 0
    log = open_log(data)

    async def keep() -> None:
        floor = Floor(log, clock=clock_of(log), keys=DiceKeys(dice_secret(data), log.log_id))
        await floor.start()
        try:
            for pages in wanted:
                if isinstance(answer := await floor.keep_pages(pages), Refused):
                    raise RehearsalFailed(f"the rulebook of {pages.name} cannot be kept: {answer}")
        finally:
            await floor.close()

    try:
        asyncio.run(keep())
    finally:
        log.close()
    return len(wanted)


def _print_lines(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)
