"""The file of compliance is outside the log, and the log is committed to it: what is done to a row is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec import json

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.rules import Person
from passline.authority.roles import COMPLIANCE
from passline.office.compliance_file import ComplianceFile, Examiner, FileCheck, Note, OpenedMatter
from passline.office.verify import house_faults
from passline.office.views.cash_matters import CashMatter
from passline.refusal import Refused
from passline.store.authentic_vault import RESTRICTED_KIND, ROWS_PURPOSE, AuthenticVault
from passline.store.keys import SigningKey
from passline.store.log import Secret
from passline.store.memory import MemoryLog
from tests.office.bookkeeping import KeptOffice

CORA = Person("cora", "Cora", frozenset({COMPLIANCE}))
OFFICE = "section2"


class CommittedFile:
    """A file to which something is written, and the log that is committed to it, day after day."""

    def __init__(self) -> None:
        self.office = KeptOffice(OFFICE, Facility(name="Harbour", zone="America/Denver"), {"olga": "owner"})
        self.log = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
        self.file = ComplianceFile(self.log, lambda: self.office.at)
        self.day = 7
        self.go_on()

    def go_on(self, minutes: int = 0) -> None:
        self.office.go_to(f"2026-03-{self.day:02}", f"12:{minutes:02}")

    def open_matter(self, number: int = 1) -> str:
        matter = CashMatter(f"2026-03-07.unnamed.in.act-{number}", "unnamed", f"act/{number}", "2026-03-07", "much", ())
        self.file.open(OFFICE, [matter])
        return matter.id

    def commit(self) -> e.FileCommitted:
        """Commit the log to the file on the next day, as a server does."""
        self.day += 1
        self.go_on()
        day, last = f"2026-03-{self.day - 1:02}", self.office.state.committed
        commitment = self.file.commit(OFFICE, day, last.commitment if last else "")
        assert not isinstance(self.office.send(c.CommitFile(day=day, commitment=commitment)), Refused)
        committed = self.office.state.committed
        assert committed is not None
        return committed

    def check(self) -> FileCheck:
        logged = [event for done in self.office.done for event in done.events if isinstance(event, e.FileCommitted)]
        return self.file.check(OFFICE, logged)

    def rows(self, what: str) -> list[str]:
        found = [row.key for row in self.log.vault.all() if row.kind == RESTRICTED_KIND]
        return sorted(key for key in found if key.startswith(f"{OFFICE}/{what}/"))

    def put(self, key: str, value: bytes) -> None:
        """Write a row as somebody does who has the log's key."""
        AuthenticVault(self.log.vault, self.log.derive(ROWS_PURPOSE)).put(Secret(RESTRICTED_KIND, key, value))

    def forget(self, key: str) -> None:
        self.log.vault.forget(RESTRICTED_KIND, key)


@pytest.fixture
def kept() -> CommittedFile:
    """A matter with two notes, and a commitment after them."""
    kept = CommittedFile()
    matter = kept.open_matter()
    for minutes, text in ((1, "the teller has seen him before"), (2, "asked for his passport")):
        kept.go_on(minutes)
        kept.file.write(OFFICE, matter, CORA, "note", text)
    kept.commit()
    return kept


def test_a_file_that_nobody_touched_is_as_it_was(kept: CommittedFile) -> None:
    assert kept.check() == FileCheck(1, "2026-03-07", "2026-03-07", 3, ())
    kept.file.write(OFFICE, "2026-03-07.unnamed.in.act-1", CORA, "close", "he is known")
    kept.file.let_read(OFFICE, "tom", CORA, may=True)
    kept.go_on(3)
    kept.file.let_read(OFFICE, "tom", CORA, may=False)
    assert kept.check().findings == (), "what is new is in the next one"
    kept.commit()
    assert kept.check() == FileCheck(2, "2026-03-07", "2026-03-08", 6, ())
    assert kept.file.examiners(OFFICE) == []
    (matter,) = kept.file.matters(OFFICE)
    assert (matter.state, len(matter.notes)) == ("closed", 3)


def test_a_commitment_tells_nothing_of_what_is_in_the_file() -> None:
    empty, full = CommittedFile(), CommittedFile()
    full.open_matter()
    ours, theirs = empty.commit(), full.commit()
    assert (ours.day, len(ours.commitment)) == (theirs.day, len(theirs.commitment)) == ("2026-03-07", 64)
    assert CommittedFile().commit().commitment != ours.commitment, "that of an empty file is another one each time"
    assert [type(done.ask.command) for done in empty.office.done] == [
        type(done.ask.command) for done in full.office.done
    ]


def _delete_note(kept: CommittedFile) -> None:
    kept.forget(kept.rows("note")[1])


def _delete_matter(kept: CommittedFile) -> None:
    kept.forget(kept.rows("matter")[0])


def _alter_note(kept: CommittedFile) -> None:
    note = Note("2026-03-07.unnamed.in.act-1", kept.office.at, "cora", "Cora", "close", "nothing")
    kept.put(kept.rows("note")[1], json.encode(note))


def _backdate_note(kept: CommittedFile) -> None:
    note = Note("2026-03-07.unnamed.in.act-1", "2026-03-07T18:30:00.000000Z", "cora", "Cora", "report", "filed in time")
    kept.put(f"{OFFICE}/note/2026-03-07T18:30:00.000000Z.0", json.encode(note))


def _delete_salts(kept: CommittedFile) -> None:
    for key in kept.rows("commitment"):
        kept.forget(key)


@pytest.mark.parametrize(
    ("does", "finding"),
    [
        (_delete_note, "is missing"),
        (_delete_matter, "matter 2026-03-07.unnamed.in.act-1, written by 2026-03-08T"),
        (_alter_note, "was altered"),
        (_backdate_note, "says that it was written at 2026-03-07T18:30:00.000000Z, and the commitment of 2026-03-"),
        (_delete_salts, "what the log was committed to after 2026-03-07 is not in the file any more"),
    ],
)
def test_what_is_done_to_a_row_is_found(
    kept: CommittedFile, does: Callable[[CommittedFile], None], finding: str
) -> None:
    kept.commit()
    does(kept)
    assert any(finding in found for found in kept.check().findings), kept.check().findings
    kept.commit()
    assert any(finding in found for found in kept.check().findings), "and a later commitment does not heal it"


def test_a_row_that_was_deleted_before_any_commitment_is_named_by_the_next() -> None:
    kept = CommittedFile()
    matter = kept.open_matter()
    for minutes in (1, 2):
        kept.go_on(minutes)
        kept.file.write(OFFICE, matter, CORA, "note", f"note {minutes}")
    kept.forget(kept.rows("note")[0])
    (finding,) = kept.check().findings
    assert finding.startswith("the row before note 2026-03-07T")


@pytest.mark.parametrize("is_altered", [False, True])
def test_the_newest_row_that_is_gone_before_any_commitment_is_missed_by_a_server_that_saw_it(is_altered: bool) -> None:  # noqa: FBT001
    """No row names it and no commitment has it: a server that wrote it, or looked at the file since, remembers it."""
    kept = CommittedFile()
    other_server = ComplianceFile(kept.log, lambda: kept.office.at)
    matter = kept.open_matter()
    kept.go_on(1)
    kept.file.write(OFFICE, matter, CORA, "report", "he has to be reported")
    for server in (kept.file, other_server):
        server.look_for_lost(OFFICE)
    assert kept.check().findings == ()
    (gone,) = kept.rows("note")
    if is_altered:
        kept.put(gone, json.encode(Note(matter, kept.office.at, "cora", "Cora", "close", "nothing")))
    else:
        kept.forget(gone)
    assert kept.check().findings == (), "nobody has looked yet"
    for server in (other_server, kept.file, other_server):
        kept.go_on(2)
        server.look_for_lost(OFFICE)
    (finding,) = kept.check().findings
    assert finding.startswith(
        f"note {gone.rpartition('/')[2]}, which a server had seen, was missing or altered at 2026"
    )
    kept.commit()
    assert kept.check().findings == (finding,), "the commitment does not heal it"
    kept.forget(kept.rows("lost")[0])
    kept.file.look_for_lost(OFFICE)
    assert any("lost 2026" in found for found in kept.check().findings), "nor does taking the trace away"


def test_a_row_that_is_written_while_a_server_looks_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look and a note are in two threads: the note is made after the look has read the file."""
    kept = CommittedFile()
    matter, read = kept.open_matter(), kept.log.vault.all

    def read_and_write() -> Iterator[Secret]:
        rows = list(read())
        monkeypatch.setattr(kept.log.vault, "all", read)
        kept.file.write(OFFICE, matter, CORA, "note", "asked for his passport")
        return iter(rows)

    monkeypatch.setattr(kept.log.vault, "all", read_and_write)
    kept.file.look_for_lost(OFFICE)
    assert (len(kept.rows("note")), kept.rows("lost"), kept.check().findings) == (1, [], ())


def test_a_matter_that_two_servers_find_at_once_is_missed_by_neither() -> None:
    """Every process of a house looks each minute: both have seen that it is not in the file before one writes it."""
    kept = CommittedFile()
    other_server = ComplianceFile(kept.log, lambda: kept.office.at)
    matter = kept.open_matter()
    (row,) = kept.rows("matter")
    kept.forget(row)
    kept.go_on(1)
    other_server.open(OFFICE, [CashMatter(matter, "unnamed", "act/1", "2026-03-07", "much", ())])
    for server in (kept.file, other_server, kept.file, other_server):
        server.look_for_lost(OFFICE)
    assert (kept.rows("matter"), kept.rows("lost"), kept.check().findings) == ([row], [], ())


def test_rows_of_an_earlier_version_are_read_and_covered_from_the_first_commitment_on() -> None:
    kept, long_ago = CommittedFile(), "2026-01-02T10:00:00.000000Z"
    matter = CashMatter("2026-01-02.unnamed.in.act-3", "unnamed", "act/3", "2026-01-02", "much", ())
    kept.put(f"{OFFICE}/matter/{matter.id}", json.encode(OpenedMatter(matter, long_ago)))
    kept.put(f"{OFFICE}/examiner/tom", json.encode(Examiner("tom", long_ago, "cora")))
    assert [known.matter for known in kept.file.matters(OFFICE)] == [matter]
    assert [examiner.account for examiner in kept.file.examiners(OFFICE)] == ["tom"]
    kept.commit()
    assert kept.check() == FileCheck(1, "2026-03-07", "2026-03-07", 2, ())
    kept.file.let_read(OFFICE, "tom", CORA, may=False)
    assert kept.file.examiners(OFFICE) == []
    assert kept.check().findings == (), "the earlier row stays as it was"


def test_the_log_takes_one_commitment_for_each_day_that_is_over_and_verifies(kept: CommittedFile) -> None:
    for day, commitment in (("2026-03-07", "0" * 64), ("2026-03-09", "0" * 64), ("2026-03-08", "short")):
        assert isinstance(kept.office.send(c.CommitFile(day=day, commitment=commitment)), Refused)
    assert isinstance(kept.office.send(c.CommitFile(day="2026-03-08", commitment="0" * 64), "olga"), Refused)
    kept.commit()
    kept.office.write(kept.log)
    assert list(house_faults(kept.log.read())) == []
