"""The feed: pages after a place, the same lines again, and places that are of no log or of another."""

import msgspec
import pytest

from passline.store.entry import Draft
from passline.store.memory import MemoryLog
from passline.streams import feed as feeds
from passline.streams.feed import Feed, FeedPage, UnknownPlace, entry_place, read_feed

AT = "2026-11-15T08:00:00.000000Z"
WHOLE = Feed("all of it")
SEATS = Feed("who sits", streams="table/", events=frozenset({"seat-taken/1"}))


def _log(*events: str, stream: str = "table/t1") -> MemoryLog:
    log = MemoryLog(at=AT)
    for number, event in enumerate(events):
        raw = msgspec.json.encode([{"event": event, "seat": number}])
        log.append(
            [
                Draft(
                    stream=stream,
                    expected=number,
                    at=AT,
                    actor="ann",
                    role="player",
                    id=str(number),
                    command=msgspec.Raw(b"{}"),
                    events=msgspec.Raw(raw),
                )
            ]
        )
    return log


def _ids(page: FeedPage) -> list[str]:
    return [msgspec.json.decode(line)["id"] for line in page.lines]


def test_pages_follow_each_other_and_come_again_as_they_were() -> None:
    log = _log("seat-taken/1", "seat-left/1", "seat-taken/1")
    first = read_feed(log, WHOLE, limit=2)
    second = read_feed(log, WHOLE, after=first.after, limit=2)
    assert _ids(first) + _ids(second) == [entry_place(stored) for stored in log.read()]
    assert (first.behind, second.behind) == (2, 0)
    assert read_feed(log, WHOLE, limit=2) == first
    assert read_feed(log, WHOLE, after=second.after) == FeedPage((), second.after, 0)


def test_a_page_is_never_cut_within_an_entry_and_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    log = _log(*["seat-taken/1"] * 5)
    whole = read_feed(log, WHOLE)
    monkeypatch.setattr(feeds, "PAGE_BYTES", 1)
    after, lines = "", list[bytes]()
    while (page := read_feed(log, WHOLE, after=after)).lines:
        assert len(page.lines) == 1  # an entry that is longer than all may be comes alone
        lines, after = [*lines, *page.lines], page.after
    assert tuple(lines) == whole.lines


def test_the_place_moves_where_a_feed_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    log = _log(*["seat-left/1"] * 4, "seat-taken/1")
    monkeypatch.setattr(feeds, "LOOKS_MAX", 3)
    first = read_feed(log, SEATS)
    assert first.lines == ()
    assert first.behind == 3
    second = read_feed(log, SEATS, after=first.after)
    assert [msgspec.json.decode(line)["events"] for line in second.lines] == [[{"event": "seat-taken/1", "seat": 4}]]
    assert second.behind == 0


def test_a_feed_of_some_kinds_tells_nothing_of_who_and_of_other_streams() -> None:
    (line,) = read_feed(_log("seat-taken/1"), SEATS).lines
    assert set(msgspec.json.decode(line)) == {"id", "at", "stream", "hand", "events"}
    assert read_feed(_log("seat-taken/1", stream="office/x"), SEATS).lines == ()


def test_a_place_of_another_log_or_beyond_this_one_is_refused() -> None:
    log, other = _log("seat-taken/1"), _log("seat-taken/1", "seat-left/1")
    for place in ("x", "0:", "1", "-1:ab", *(entry_place(stored) for stored in other.read())):
        with pytest.raises(UnknownPlace, match=r"^after: "):
            read_feed(log, WHOLE, after=place)
