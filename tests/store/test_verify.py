"""What verify says of a log beyond tampering: keys, seals, warnings, a whole log forged."""

from __future__ import annotations

from msgspec import Raw, json

from passline.store.entry import FIRST, Draft, Entry, Line, body_of, chained, head_message
from passline.store.genesis import beginning
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from tests.store.drafts import draft

KEY = SigningKey(bytes(range(32)))


def written(drafts: list[Draft], key: SigningKey = KEY, *, log_id: str = "forged") -> list[Line]:
    """Lines by somebody who has a key and follows no rule but the chain's."""
    lines: list[Line] = []
    for sequence, one in enumerate([beginning(key.public, log_id=log_id, at="2026-11-15T07:00:00Z"), *drafts], start=1):
        before = lines[-1] if lines else Line(b"", FIRST, b"")
        body = body_of(one, sequence)
        hash_ = chained(before.hash, before.seal, body)
        lines.append(Line(body, hash_, key.sign(head_message(log_id, sequence, hash_))))
    return lines


def test_a_chain_made_with_the_key_is_intact() -> None:
    assert verify_log(written([draft(0), draft(1)]), KEY.public).is_intact


def test_seals_are_checked_now_and_then_or_all() -> None:
    log = MemoryLog(KEY)
    for index in range(3000):
        log.append([draft(index)])
    few, all_ = verify_log(log.lines(), KEY.public), verify_log(log.lines(), KEY.public, every_seal=True)
    assert (few.is_intact, few.seals) == (True, 4)  # the first entry's, two on the way, the last
    assert (all_.is_intact, all_.seals) == (True, 3001)


def test_the_seals_of_the_house_are_always_checked() -> None:
    """Each shift ends with a checkpoint there."""
    log = MemoryLog(KEY)
    log.append([draft(1, stream="house"), draft(0)])
    log.append([draft(2, stream="house")])
    log.append([draft(1)])
    assert verify_log(log.lines(), KEY.public).seals == 3


def test_how_far_it_is_is_told() -> None:
    log = MemoryLog(KEY)
    told: list[int] = []
    log.append([draft(index) for index in range(25_000)])
    verify_log(log.lines(), told=told.append)
    assert told == [10_000, 20_000]


def test_the_key_is_the_logs_own_unless_it_is_given() -> None:
    """A log forged as a whole, key and all, is only found by a key known outside."""
    forged = written([draft(0)], SigningKey.new())
    report = verify_log(forged)
    assert (report.is_intact, report.is_key_given) == (True, False)
    report = verify_log(forged, KEY.public)
    assert (report.is_intact, report.is_key_given) == (False, True)
    assert "not the one given to check it by" in report.faults[0].what


def test_time_that_goes_backwards_is_a_warning() -> None:
    report = verify_log(written([draft(5, stream="a", name="x"), draft(0)]), KEY.public)
    assert [(warning.sequence, "08:00:05" in warning.what) for warning in report.warnings] == [(3, True)]


def test_versions_that_skip_and_ids_that_repeat_are_found() -> None:
    report = verify_log(written([draft(0), draft(2), draft(3, name="Ann-0")]), KEY.public)
    assert [(fault.sequence, fault.what) for fault in report.faults] == [
        (3, "is version 3 of table/one, after version 1"),
        (4, "Ann used the id Ann-0 before, in entry 2"),
    ]


def test_a_log_that_does_not_say_which_it_is_is_found() -> None:
    first = draft(0)
    body = body_of(first, 1)
    report = verify_log([Line(body, chained(FIRST, b"", body), b"")], KEY.public)
    assert [fault.what for fault in report.faults] == [
        "does not begin a log with its name and key",
        "is the last and has no seal: the log was cut inside a commit",
    ]


def test_an_empty_log_is_not_intact() -> None:
    assert [fault.what for fault in verify_log([]).faults] == ["is missing: the log is empty"]


def test_bytes_that_are_no_entry_are_found() -> None:
    lines = written([draft(0), draft(1), draft(2)])
    lines[2] = Line(b'{"sequence":3}', lines[2].hash, lines[2].seal)
    assert [fault.sequence for fault in verify_log(lines, KEY.public).faults] == [
        3,
        3,
        4,
    ]  # and 4 is not the next of its stream


def test_a_field_that_nobody_knows_is_no_entry() -> None:
    """Else two programs could read two things in one line."""
    whole = json.decode(body_of(draft(0), 2)) | {"more": 1}
    lines = written([draft(0)])
    lines[1] = Line(json.encode(whole), lines[1].hash, lines[1].seal)
    assert "its bytes are no entry" in {fault.what for fault in verify_log(lines, KEY.public).faults}
    assert {field for field in Entry.__struct_fields__ if field not in whole} == set()


def test_a_key_in_the_first_entry_that_is_none_is_found() -> None:
    begun = beginning(KEY.public, log_id="odd")
    events = bytes(begun.events).replace(KEY.public.hex().encode(), b"no key")
    odd = Draft(
        stream="house",
        expected=0,
        at="",
        actor="passline",
        role="owner",
        id="odd",
        command=begun.command,
        events=Raw(events),
    )
    body = body_of(odd, 1)
    report = verify_log([Line(body, chained(FIRST, b"", body), bytes(64))])
    assert report.faults[0].what == "does not begin a log with its name and key"
