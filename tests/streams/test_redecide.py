"""`StreamCheck`: what is written otherwise than it is decided is told once; a lost stream is checked no further."""

from msgspec import Raw, json
from msgspec.structs import replace

from passline.store.entry import Stored
from passline.store.memory import MemoryLog
from passline.store.timestamps import utc_now
from passline.streams.blocking import BlockingStream
from passline.streams.redecide import Case, StreamCheck
from tests.streams.counter import Counter, add


class Check(StreamCheck[int]):
    """Checks counters; `beyond` collects the states around each entry."""

    def __init__(self) -> None:
        super().__init__(Counter.codec)
        self.course = Counter()
        self.beyond: list[tuple[int | None, int]] = []

    def faults_beyond(self, case: Case[int], after: int) -> list[str]:  # type: ignore[override]  # an iterable will do
        self.beyond.append((case.before, after))
        return []


def entries(*counts: int) -> list[Stored]:
    log = MemoryLog()
    counter = BlockingStream("counter/a", Counter(), log=log, clock=utc_now)
    for count in counts:
        counter.ask(add(count, f"id-{count}"))
    return list(log.read_stream("counter/a"))


def rewritten(stored: Stored, **fields: object) -> Stored:
    return replace(stored, entry=replace(stored.entry, **{key: Raw(json.encode(one)) for key, one in fields.items()}))


def told(check: Check, found: list[Stored]) -> list[list[str]]:
    return [list(check.faults_of(stored)) for stored in found]


def test_what_was_decided_as_it_is_written_has_no_fault() -> None:
    check = Check()
    assert told(check, entries(1, 2, 3)) == [[], [], []]
    assert (check.state("counter/a"), check.beyond) == (6, [(None, 1), (1, 3), (3, 6)])


def test_an_event_that_the_rules_do_not_give_is_told_once_and_its_stream_goes_on_from_it() -> None:
    first, second, third = entries(1, 2, 3)
    second = rewritten(second, events=[{"event": "added/1", "count": 20}])
    check = Check()
    assert told(check, [first, second, third]) == [
        [],
        ['event 1 of add is written as {"event":"added/1","count":20}; the rules give {"event":"added/1","count":2}'],
        [],
    ]
    assert check.state("counter/a") == 24


def test_a_command_that_would_be_refused_and_events_that_are_missing_are_told() -> None:
    first, second = entries(1, 2)
    first = rewritten(first, command={"command": "add", "count": 0})
    second = rewritten(second, events=[])
    assert told(Check(), [first, second]) == [
        ["add by a1 as the owner would be refused: add at least 1 [form]"],
        ["add brings about 1 events, but 0 are written"],
    ]


def test_a_stream_is_lost_after_an_entry_that_cannot_be_folded() -> None:
    class Narrow(Counter):
        def fold(self, _state: int | None, _entry: object, _events: object) -> int:
            raise LookupError("no such count")

    first, second, third = entries(1, 2, 3)
    check = Check()
    check.course = Narrow()
    assert told(check, [first, rewritten(second, events=[]), third]) == [
        [],
        ["counter/a: these events are impossible in the state before them (LookupError: no such count)"],
        [],
    ]
    assert (check.is_lost("counter/a"), check.state("counter/a"), len(check.beyond)) == (True, None, 1)
