"""What verify reports beyond tampering: keys, seals, warnings, a log forged as a whole."""

from __future__ import annotations

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.store.entry import ZERO_HASH, Draft, Entry, LogRow, chain_hash, entry_of, head_message
from passline.store.genesis import genesis_draft
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.memory import MemoryLog
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from tests.store.drafts import draft

pytestmark = pytest.mark.long

KEY = SigningKey(bytes(range(32)))


def written(drafts: list[Draft], key: SigningKey = KEY, *, log_id: str = "forged") -> list[LogRow]:
    """Return rows that are correctly chained and sealed with a key, but follow no other rule."""
    lines: list[LogRow] = []
    for sequence, one in enumerate(
        [genesis_draft(key.public, log_id=log_id, at="2026-11-15T07:00:00Z"), *drafts], start=1
    ):
        before = lines[-1] if lines else LogRow(b"", ZERO_HASH, b"")
        body = json.encode(entry_of(one, sequence))
        hash_ = chain_hash(before.hash, before.seal, body)
        lines.append(LogRow(body, hash_, key.sign(head_message(log_id, sequence, hash_))))
    return lines


def test_a_chain_sealed_with_the_key_is_intact() -> None:
    assert verify_log(written([draft(0), draft(1)]), KEY.public).is_intact


def test_some_or_all_seals_are_checked() -> None:
    log = MemoryLog(KEY)
    for index in range(3000):
        log.append([draft(index)])
    few, all_ = verify_log(log.rows(), KEY.public), verify_log(log.rows(), KEY.public, every_seal=True)
    assert (few.is_intact, few.seals) == (True, 4)  # the first, two in between, the last
    assert (all_.is_intact, all_.seals) == (True, 3001)


def test_seals_of_the_house_stream_are_always_checked() -> None:
    """Each shift ends with a checkpoint in that stream."""
    log = MemoryLog(KEY)
    log.append([draft(1, stream="house"), draft(0)])
    log.append([draft(2, stream="house")])
    log.append([draft(1)])
    assert verify_log(log.rows(), KEY.public).seals == 3


def test_progress_is_reported() -> None:
    log = MemoryLog(KEY)
    counts: list[int] = []
    log.append([draft(index) for index in range(25_000)])
    verify_log(log.rows(), progress=counts.append)
    assert counts == [10_000, 20_000]


def test_the_logs_own_key_is_used_unless_one_is_given() -> None:
    """A log forged as a whole, with its key, is only found with the true key."""
    forged = written([draft(0)], SigningKey.new())
    report = verify_log(forged)
    assert (report.is_intact, report.is_key_given) == (True, False)
    report = verify_log(forged, KEY.public)
    assert (report.is_intact, report.is_key_given) == (False, True)
    assert "does not hold the given key" in report.faults[0].what


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59.000000Z", "yesterday", "", "zzz"])
def test_a_forged_time_is_told_and_stops_nothing(at: str) -> None:
    """Somebody with the database writes what they like into an entry; verifying goes on to the end."""
    log = MemoryLog()
    for number, time in enumerate(("2026-11-15T08:00:00.000000Z", at, "2026-11-15T08:00:01.000000Z", "zzzz", at)):
        log.append(
            [replace(draft(number, stream=f"table/{number % 2}", name=str(number)), at=time, expected=number // 2)]
        )
    report = verify_log(log.rows(), log.public_key, log.head(), every_seal=True)
    assert (report.entries, report.faults) == (6, ())
    assert report.warnings


def test_a_time_before_the_previous_entrys_is_a_warning() -> None:
    report = verify_log(written([draft(5, stream="a", name="x"), draft(0)]), KEY.public)
    assert [(warning.sequence, "08:00:05" in warning.what) for warning in report.warnings] == [(3, True)]


def test_skipped_versions_and_repeated_ids_are_reported() -> None:
    report = verify_log(written([draft(0), draft(2), draft(3, name="Ann-0")]), KEY.public)
    assert [(fault.sequence, fault.what) for fault in report.faults] == [
        (3, "is version 3 of table/one, after version 1"),
        (4, "repeats the id Ann-0 that Ann used in entry 2"),
    ]


def test_a_log_without_id_and_key_is_reported() -> None:
    first = draft(0)
    body = json.encode(entry_of(first, 1))
    report = verify_log([LogRow(body, chain_hash(ZERO_HASH, b"", body), b"")], KEY.public)
    assert [fault.what for fault in report.faults] == [
        "does not hold the log's id and key, as the first entry must",
        "is the last and has no seal: the log was cut inside a commit",
    ]


def test_an_empty_log_is_not_intact() -> None:
    assert [fault.what for fault in verify_log([]).faults] == ["is missing: the log is empty"]


def test_bytes_that_are_not_an_entry_are_reported() -> None:
    lines = written([draft(0), draft(1), draft(2)])
    lines[2] = LogRow(b'{"sequence":3}', lines[2].hash, lines[2].seal)
    assert [fault.sequence for fault in verify_log(lines, KEY.public).faults] == [
        3,
        3,
        4,
    ]  # and 4 is not the next of its stream


@pytest.mark.parametrize("number", [2**70, 0, -1])
def test_a_number_that_no_entry_has_is_reported(number: int) -> None:
    (begun,) = written([])
    forged = json.decode(begun.body) | {"sequence": number}
    report = verify_log([LogRow(json.encode(forged), begun.hash, begun.seal)], None, None)
    assert "has bytes that are not an entry" in {fault.what for fault in report.faults}


def test_an_unknown_field_is_reported() -> None:
    """Otherwise two programs could read the same entry differently."""
    whole = json.decode(json.encode(entry_of(draft(0), 2))) | {"more": 1}
    lines = written([draft(0)])
    lines[1] = LogRow(json.encode(whole), lines[1].hash, lines[1].seal)
    assert "has bytes that are not an entry" in {fault.what for fault in verify_log(lines, KEY.public).faults}
    assert {field for field in Entry.__struct_fields__ if field not in whole} == {"format"}  # absent: format 1


@pytest.mark.parametrize("more", [{"format": 2}, {"format": 2, "shape": "new"}, {"format": -1}])
def test_an_entry_of_another_format_is_refused_by_name(more: dict[str, object]) -> None:
    """Whether or not its fields are known: what they mean may have changed."""
    lines = written([draft(0)])
    body = json.encode(json.decode(lines[1].body) | more)
    hash_ = chain_hash(lines[0].hash, lines[0].seal, body)
    lines[1] = LogRow(body, hash_, KEY.sign(head_message("forged", 2, hash_)))
    why = f"has format {more['format']}, and this passline knows only format 1: use a newer passline"
    assert [(fault.sequence, fault.what) for fault in verify_log(lines, KEY.public).faults] == [(2, why)]
    with pytest.raises(LogError, match="has format"):
        stored_of(lines[1])


def test_an_entry_that_names_format_1_is_read_like_one_that_names_none() -> None:
    lines = written([draft(0)])
    body = json.encode(json.decode(lines[1].body) | {"format": 1})
    assert stored_of(LogRow(body, b"", b"")).entry == stored_of(lines[1]).entry
    assert b"format" not in lines[1].body


def test_an_invalid_key_in_the_first_entry_is_reported() -> None:
    begun = genesis_draft(KEY.public, log_id="odd")
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
    body = json.encode(entry_of(odd, 1))
    report = verify_log([LogRow(body, chain_hash(ZERO_HASH, b"", body), bytes(64))])
    assert report.faults[0].what == "does not hold the log's id and key, as the first entry must"
