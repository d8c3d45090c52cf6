"""The projection of tables equals a fold of the whole log, however often interrupted, and is as quick as it grows."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from time import sleep
from typing import Any

import msgspec
import pytest

from passline.store.data_folder import open_log
from passline.store.entry import Stored
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore, ViewWriter
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.duties import REPORTS
from passline.tables.views.log_marks import MarkQuery
from passline.tables.views.log_wording import find_entries, hand_words, worded_entries, words_settings, words_tables
from passline.tables.views.projected import TableViews
from passline.tables.views.recall import Dispute, find_hands, table_at
from passline.tables.views.records import CLASSES, Activity, Posting, Record, find_records
from tests.cases import budget, one_in
from tests.tables import random_commands
from tests.tables.decoded import table_entries
from tests.tables.signed_house import SignedHouse
from tests.tables.sitting import CREW, Sitting, draft_of
from tests.tables.views import folded
from tests.tables.views.viewed import KeptLog, projected

STREAM = "table/craps-1"
KEY = b"a key"


def _random_log(seed: int, commands: int = 250) -> list[Stored]:
    """Return a log of two tables at which people did whatever came to their minds, with reports of the house."""
    random = Random(seed)
    first = random_commands.open_table(*random_commands.TABLES[seed % len(random_commands.TABLES)])
    second = Sitting("maryland", name="Craps 2", dice="physical")
    for sitting in (first, second):
        random_commands.play_randomly(sitting, random, commands)
    parts = [iter(first.entries), iter(second.entries)]
    log = SignedHouse()
    log.entries = log.entries[:1]  # the log begins; its own table is not needed
    while parts:
        part = random.choice(parts)
        stored = next(part, None)
        if stored is None:
            parts.remove(part)
            continue
        log.add(draft_of(stored.entry))
        if random.random() < 0.02:
            log.at = stored.entry.at
            report = k.FileReport(
                record_class=random.choice(CLASSES), table="craps-1", text=f"report {len(log.entries)}"
            )
            by = next(one for role, one in CREW.items() if role in REPORTS[report.record_class].by)
            log.do_house(report, by)
    return log.entries


def _everything(store: ViewStore) -> dict[str, list[Any]]:
    """Return every row of every view."""
    return {
        name: sorted(store.query(f"SELECT * FROM {name}"))  # noqa: S608
        for name in (*TableViews.tables, "positions")
        if name not in {"search", "codes"}
    }


class Killed(Exception):
    """A process that dies in the middle of a batch."""


class _Frail(TableViews):
    """A projection that dies at random, before, in and after its writing."""

    def __init__(self, log: KeptLog, random: Random) -> None:
        super().__init__(log)
        self._random = random

    def apply(self, writer: ViewWriter, entries: Any) -> None:  # noqa: ANN401
        super().apply(writer, entries)
        if self._random.random() < 0.4:
            raise Killed


@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_it_is_the_same_however_often_it_is_interrupted_and_by_whom(tmp_path: Path, seed: int) -> None:
    entries, random = _random_log(seed), Random(seed)
    whole, log = projected(entries)
    store = ViewStore(tmp_path / "views.sqlite", KEY)
    workers = [Projector(log, store, [_Frail(log, random)]) for _ in range(2)]  # two processes that share the file
    while store.query("SELECT 1") and _reached(workers[0]) < len(entries):
        try:
            random.choice(workers).advance(random.choice((1, 7, 30)))
        except Killed:
            if random.random() < 0.3:  # the process is gone, and another begins
                store.close()
                store = ViewStore(tmp_path / "views.sqlite", KEY)
                workers = [Projector(log, store, [_Frail(log, random)]) for _ in range(2)]
    assert _everything(store) == _everything(whole)
    for text in ("wager", "ann", "field"):
        assert find_entries(store, text=text, limit=9) == find_entries(whole, text=text, limit=9)


_PROJECT = """
import sys
from pathlib import Path
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore
from passline.tables.views.projected import TableViews
data = Path(sys.argv[1])
log = open_log(data)
projector = Projector(log, ViewStore(data / VIEWS_FILE, b"a key"), [TableViews(log)])
print("begun", flush=True)
while projector.advance(3):
    print(projector.last_applied(), flush=True)
print(projector.last_applied(), flush=True)  # also of what the process before wrote and could not say any more
"""


@pytest.mark.long
@pytest.mark.whole
def test_it_is_the_same_when_its_process_is_killed_at_any_moment(tmp_path: Path) -> None:
    """A process that projects is killed without warning, again and again, wherever it happens to be."""
    random, log = Random(8), open_log(tmp_path)
    drafts = [draft_of(stored.entry) for stored in _random_log(8) if stored.entry.stream != "house"]
    log.append(drafts)
    entries, reached, kills = len(drafts) + 1, 0, 0
    while reached < entries:
        command = [sys.executable, "-c", _PROJECT, str(tmp_path)]
        with Popen(command, stdout=PIPE, text=True) as process:
            assert process.stdout is not None
            last = random.randint(2, 25)
            for batches, line in enumerate(process.stdout):
                reached = int(line) if line[0].isdecimal() else reached
                if batches == last:
                    sleep(random.random() * 0.003)
                    process.kill()
                    kills += 1
                    break
    assert kills >= 3
    whole = ViewStore(None, KEY)
    projector = Projector(log, whole, [TableViews(log)])
    while projector.advance(100):
        pass
    assert _everything(ViewStore(tmp_path / VIEWS_FILE, KEY)) == _everything(whole)
    log.close()


def _reached(projector: Projector) -> int:
    try:
        return projector.last_applied()
    except Exception:  # noqa: BLE001 - nothing was made yet
        return 0


@pytest.mark.parametrize("seed", one_in(4, range(6, 13)))
def test_it_equals_a_fold_of_the_whole_log(seed: int) -> None:
    entries = _random_log(seed)
    store, log = projected(entries)
    activity = msgspec.convert(find_records(store, "activity", limit=1000).records, list[Activity])
    assert sorted(activity, key=lambda one: (one.table, one.day)) == [*folded.daily_activity(entries)]
    postings = msgspec.convert(find_records(store, "postings", limit=1000).records, list[Posting])
    assert postings[::-1] == sorted(folded.postings(entries), key=lambda one: (one.at, one.sequence))
    for record_class in CLASSES:
        found = msgspec.convert(find_records(store, record_class, limit=5000).records, list[Record])[::-1]
        told = [one for one in found if len(one.at) > len("2026-11-15")]
        assert told == folded.records_of(entries, record_class)
    for table in ("craps-1", "craps-2"):
        of_table = [stored for stored in entries if stored.entry.stream == f"table/{table}"]
        assert find_hands(store, table, limit=1000)[::-1] == folded.hands_of(of_table)
        disputes = find_records(store, "disputes", table=table, limit=1000).records[::-1]
        assert msgspec.convert(disputes, list[Dispute]) == folded.disputes_of(of_table, Approvals())
    words = worded_entries(store, log, [stored.entry.sequence for stored in entries])
    assert [*words] == [stored.entry.sequence for stored in entries]
    for sequence, told_then in folded.lines_and_calls(entries).items():
        assert (words[sequence].lines, words[sequence].call) == told_then
    for one in Random(seed).sample([*table_entries(entries)], 20):
        assert table_at(store, log, one.entry.stream, one.entry.sequence) == one.after


def test_the_figures_of_a_day_are_in_words_too() -> None:
    store, _log = projected(_random_log(3))
    [day, *_] = find_records(store, "activity").records
    told = find_records(store, "daily_activity_accounting", table=day["table"], since=day["day"]).records
    assert any(f"hands {day['hands']}, rolls {day['rolls']}, " in one["text"] for one in told)


@contextmanager
def _counted(store: ViewStore, log: KeptLog, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count what a reading takes: statements, steps of SQLite's machine, rows of the log, blocks of the text index."""
    counts = [0, 0, 0, 0]
    connection = store._writer
    assert connection is not None

    def count(place: int, amount: int = 1) -> int:
        counts[place] += amount
        return 0

    rows = log._stream_rows

    def counted_rows(stream: str, after: int, hand: int | None) -> Iterator[Any]:
        for row in rows(stream, after, hand):
            count(2)
            yield row

    with monkeypatch.context() as patch:
        patch.setattr(log, "_stream_rows", counted_rows)
        connection.set_trace_callback(lambda sql: count(3 if sql.startswith("--") else 0))  # "--": the index's own
        connection.set_progress_handler(lambda: count(1), 1)
        yield counts
    connection.set_trace_callback(None)
    connection.set_progress_handler(None, 0)


def _costs(commands: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    sitting = random_commands.open_table("maryland", "physical", "all")
    random_commands.play_randomly(sitting, Random(5), commands)
    store, log = projected(sitting)
    last = len(sitting.entries)
    pages: dict[str, Callable[[], object]] = {
        "records": lambda: find_records(store, "security", limit=20).records,
        "records of a table": lambda: find_records(store, "security", table="craps-1", limit=20).records,
        "activity": lambda: find_records(store, "activity", limit=1).records,
        "search": lambda: find_entries(store, text="ann", limit=20).sequences,
        "search of a table": lambda: find_entries(store, MarkQuery(stream=STREAM), text="dice", limit=20).sequences,
        "stream": lambda: find_entries(store, MarkQuery(stream=STREAM), limit=20).sequences,
        "entries": lambda: worded_entries(store, log, range(last - 20, last)),
        "hands": lambda: find_hands(store, "craps-1", limit=5),
        "hand": lambda: hand_words(store, log, STREAM, sitting.table.hand, after=0, limit=20),
        "table": lambda: table_at(store, log, STREAM, last - 50),
    }
    costs = {}
    for name, page in pages.items():
        with _counted(store, log, monkeypatch) as counts:
            assert page(), name
        costs[name] = counts
    return costs


@pytest.mark.whole
def test_a_page_costs_no_more_when_the_log_is_ten_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in statements, steps of SQLite's machine and entries read, not in time.

    What FTS5 reads of its own index is not among them: see the test of its prefixes below, and `./x bench views`.
    """
    commands = budget(500, in_sweep=600)  # more than the first window of a search
    few, many = _costs(commands, monkeypatch), _costs(10 * commands, monkeypatch)
    for name, (statements, steps, rows, blocks) in many.items():
        assert statements == few[name][0] <= 3, name
        assert steps <= 2 * few[name][1] + 100, (name, steps, few[name])
        assert rows <= 100, name
        assert blocks <= few[name][3] + 30, (name, blocks, few[name])  # the index has more levels, as any tree


def test_a_search_finds_words_names_tables_times_ids_and_numbers() -> None:
    house = SignedHouse()
    house.do_house(k.FileReport(record_class="security", table="craps-1", text="Brüder am Tisch"), CREW["surveillance"])
    house.wait(125)
    house.do(k.FreezeTable(reason="the die leaned"), CREW["floorperson"])
    for tables in (words_tables(full_text=True), words_tables(full_text=False)):

        class Views(TableViews):
            pass

        Views.tables = {**TableViews.tables, **tables}
        Views.indexes = tuple(set(TableViews.indexes) - set(words_settings()))
        log, store = KeptLog(house), ViewStore(None, KEY)
        assert Projector(log, store, [Views(log)]).advance(100) == 4
        for text, found in {
            "leaned": [4],
            "LEAN": [4],
            "die leaned": [4],
            "leaned cocked": [],
            "craps-1": [4, 2],
            "table/craps-1": [4, 2],
            "10:05": [4],
            "2026-11-15": [4, 3, 2, 1],
            "2026-11-15 10:05": [4],
            "flo": [4],
            "security": [3],
            '"': None,
            "frozen OR report": [],
            "dispute)": [4],
        }.items():
            if found is None:
                with pytest.raises(Exception, match="no letter or digit"):
                    find_entries(store, text=text)
            elif found or "fts5" in tables["search"]:
                assert find_entries(store, text=text).sequences == found, (text, tables)
        written = find_entries(store, text="Brüder").sequences
        assert written == [3]  # it stands in the report, though in no line
        assert find_entries(store, MarkQuery(stream="house")).sequences == [3, 1]
        assert find_entries(store, MarkQuery(stream="house"), text="log").sequences == [1]
        assert find_entries(store, MarkQuery(hand=7)).sequences == []


def test_a_search_by_the_beginning_of_a_word_has_an_index_for_its_length() -> None:
    """Without one FTS5 reads every entry with such a word before it finds one, unseen by a count of statements."""
    store, _log = projected(SignedHouse())
    [[made]] = store.query("SELECT sql FROM sqlite_master WHERE name = 'search'")
    lengths = {int(length) for length in made.partition("prefix = '")[2].partition("'")[0].split()}
    asked: list[str] = []

    class Listening(ViewStore):
        def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
            asked.extend(one for one in parameters if isinstance(one, str))
            return store.query(sql, parameters)

    listening = Listening(None, KEY)
    for length in range(1, 15):
        find_entries(listening, text="w" * length)
        find_entries(listening, text=f"craps-{'w' * length}")
    begun = [phrase for phrase in asked if phrase.endswith("*")]
    assert {len(phrase.rstrip('"*').replace('"', " ").replace("-", " ").split()[-1]) for phrase in begun} == lengths


def test_a_search_goes_on_where_it_ended_and_misses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of seven entries in place of 50,000, and two of them a search."""
    monkeypatch.setattr("passline.tables.views.log_wording._WINDOW", 7)
    monkeypatch.setattr("passline.tables.views.log_wording._WINDOWS", 2)
    store, log = projected(_random_log(1))
    words = worded_entries(store, log, range(1, 2000))
    wanted = [number for number, one in sorted(words.items(), reverse=True) if any("Ann" in line for line in one.lines)]
    found, before, searches = list[int](), 0, 0
    while True:
        page = find_entries(store, text="ann", before=before, limit=5)
        found += page.sequences
        searches, before = searches + 1, page.further
        if not before:
            break
    assert set(wanted) <= set(found)
    assert found == sorted(set(found), reverse=True)
    assert searches >= len(words) // 14
