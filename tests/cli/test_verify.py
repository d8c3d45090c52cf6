"""`passline verify` and `passline export` as people run them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from passline.cli.main import main
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.export import write_jsonl
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from tests.store.recorded import KEY

pytestmark = pytest.mark.long

Ran = tuple[int, str, str]
GOLDEN = Path(__file__).parent.parent / "tables" / "golden" / "tables.jsonl"


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command; return its exit code, output and error output."""
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return Path(shutil.copy(GOLDEN, tmp_path / "log.jsonl"))


def head_of(path: Path) -> dict[str, Any]:
    """Return the newest head of an export."""
    last = json.loads(path.read_bytes().splitlines()[-1])
    return {"sequence": last["entry"]["sequence"], "hash": last["hash"], "seal": last["seal"]}


def written(folder: Path, *, entries: int) -> Log:
    """Create a log with the first entries of the golden one, in two commits."""
    log = open_log(folder)
    drafts = [_draft(json.loads(line)["entry"]) for line in GOLDEN.read_bytes().splitlines()[1:entries]]
    log.append(drafts[:1])
    log.append(drafts[1:])
    return log


def edit(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert content.count(old) >= 1
    path.write_bytes(content.replace(old, new, 1))


def test_an_intact_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = written(tmp_path / "house", entries=3)
    head = log.head()
    log.close()
    assert head
    code, out, err = ran(capsys, "verify", tmp_path / "house")
    assert (code, err) == (0, "")
    assert f"log {log.log_id}: 3 entries, 2 seals checked\n" in out
    assert "taken from the log: use --key to detect a log that was forged as a whole" in out
    assert f"head 3:{head.hash}:{head.seal}\n" in out
    assert out.splitlines()[-1].startswith("intact")
    shown = f"3:{head.hash}:{head.seal}"
    code, out, _ = ran(
        capsys, "verify", tmp_path / "house", "--head", shown, "--key", log.public_key.hex(), "--every-seal"
    )
    assert code == 0
    assert f"key {log.public_key.hex()} (given)\n" in out


def test_a_fault_is_located(capsys: pytest.CaptureFixture[str], golden: Path) -> None:
    edit(golden, b'"cents":1500', b'"cents":9000')
    place = golden.read_bytes().partition(b'"cents":9000')[0].count(b"\n") + 1
    code, out, err = ran(capsys, "verify", golden)
    assert (code, err) == (1, "")
    assert (
        f"\nentry {place} has a hash that does not match its bytes and the entry before it\nNOT INTACT: 1 fault\n"
        in out
    )
    code, out, _ = ran(capsys, "verify", golden, "--json")
    found = json.loads(out)
    assert (code, found["is_intact"], found["replay"]) == (1, False, None)
    assert [fault["sequence"] for fault in found["faults"]] == [place]


def test_many_faults_are_counted(capsys: pytest.CaptureFixture[str], golden: Path) -> None:
    golden.write_text('{"entry":none}\n' + "no entry\n" * 199, encoding="utf-8")
    code, out, _ = ran(capsys, "verify", golden)
    assert code == 1
    assert len(out.splitlines()) < 60
    assert "... and 150 more (--json prints all)\nNOT INTACT: 200 faults\n" in out


def test_a_cut_end_is_found_against_a_head(capsys: pytest.CaptureFixture[str], golden: Path, tmp_path: Path) -> None:
    head = head_of(golden)
    golden.write_bytes(b"".join(golden.read_bytes().splitlines(keepends=True)[:-2]))
    assert ran(capsys, "verify", golden)[0] == 0
    acknowledged = tmp_path / "done.json"
    for content in (head, {"kind": "done", "head": head}):
        acknowledged.write_text(json.dumps(content), encoding="utf-8")
        code, out, _ = ran(capsys, "verify", golden, "--head", acknowledged)
        assert code == 1
        assert f"entry {head['sequence'] - 1} is missing: the log was cut off before it" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--key", "abc"], "--key abc: must be 64 hex digits"),
        (["--head", "17"], "--head 17: must be SEQUENCE:HASH or SEQUENCE:HASH:SEAL"),
        (["--head", "nowhere.json"], "--head nowhere.json: must be SEQUENCE:HASH"),
    ],
)
def test_invalid_options_are_refused(
    capsys: pytest.CaptureFixture[str], golden: Path, arguments: list[str], complaint: str
) -> None:
    code, out, err = ran(capsys, "verify", golden, *arguments)
    assert (code, out) == (2, "")
    assert complaint in err


def test_an_unreadable_log_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = ran(capsys, "verify", tmp_path / "nothing")
    assert (code, "no such file" in err) == (2, True)
    code, _, err = ran(capsys, "verify", "http://127.0.0.1:1")
    assert (code, "is the server running?" in err) == (2, True)
    code, _, err = ran(capsys, "verify", "postgresql://x:hush@127.0.0.1:1/x")
    assert (code, "fix the database" in err, "hush" in err) == (2, True, False)


def test_a_damaged_file_is_not_intact(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    written(tmp_path, entries=3).close()
    with closing(sqlite3.connect(tmp_path / "log.sqlite")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'entries_by_id'")
        connection.commit()
    code, out, err = ran(capsys, "verify", tmp_path)
    assert (code, "the file: " in out) == (1, True) or (code, "keep it" in err) == (2, True)


@contextmanager
def served(content: bytes) -> Iterator[str]:
    """Run a server that sends its log to requests with the token."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_known = self.headers["Authorization"] == "Bearer secret" and self.path == "/api/log/export"
            self.send_response(200 if is_known else 401)
            self.end_headers()
            if is_known:
                self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_servers_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, golden: Path, tmp_path: Path
) -> None:
    key = json.loads(golden.read_bytes().splitlines()[0])["entry"]["events"][0]["public_key"]
    with served(golden.read_bytes()) as url:
        monkeypatch.delenv("PASSLINE_TOKEN", raising=False)
        code, _, err = ran(capsys, "verify", url)
        assert (code, "answered 401; set PASSLINE_TOKEN" in err) == (2, True)
        monkeypatch.setenv("PASSLINE_TOKEN", "secret")
        assert ran(capsys, "verify", url, "--key", key)[0] == 0
        assert ran(capsys, "export", f"{url}/", "--to", tmp_path / "copy.jsonl")[0] == 0
    assert ran(capsys, "verify", tmp_path / "copy.jsonl")[0] == 0


def test_an_export(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = written(tmp_path / "house", entries=4)
    stream = next(stored.entry.stream for stored in log.read(after=3))
    log.close()
    for name in ("log.jsonl", "log.xlsx"):
        code, out, err = ran(capsys, "export", tmp_path / "house", "--to", tmp_path / name)
        told = f"4 entries in {tmp_path / name} (an export to read and verify, not a backup: see passline backup)\n"
        assert (code, out, err) == (0, told, "")
    assert ran(capsys, "verify", tmp_path / "log.jsonl")[0] == 0
    part = ("--stream", stream, "--after", 3)
    assert "1 entries in" in ran(capsys, "export", tmp_path / "house", "--to", tmp_path / "part.jsonl", *part)[1]
    code, _, err = ran(capsys, "export", tmp_path / "house", "--to", tmp_path / "log.csv")
    assert (code, "the name must end in .jsonl, .xlsx" in err) == (2, True)


def test_a_log_of_tables_is_replayed_by_the_engine(capsys: pytest.CaptureFixture[str], golden: Path) -> None:
    code, out, _ = ran(capsys, "verify", golden)
    assert (code, out.splitlines()[-1]) == (0, "intact, and the engine reaches the same decisions")


@pytest.mark.parametrize("head", ["99999999999999999999:aa:bb", "-5:aa:bb", "0:00:aa", "3:zz:zz"])
def test_an_impossible_head_is_a_fault(
    capsys: pytest.CaptureFixture[str], golden: Path, tmp_path: Path, head: str
) -> None:
    code, out, err = ran(capsys, "verify", golden, f"--head={head}", "--json")
    assert (code, err) == (1, "")
    assert any("given head" in fault["what"] for fault in json.loads(out)["faults"])
    sequence, hash_, seal = head.split(":")
    path = tmp_path / "head.json"
    path.write_text(json.dumps({"head": {"sequence": int(sequence), "hash": hash_, "seal": seal}}), encoding="utf-8")
    assert ran(capsys, "verify", golden, "--head", path)[0] == 1


def test_an_absurd_head_is_refused(capsys: pytest.CaptureFixture[str], golden: Path) -> None:
    code, _, err = ran(capsys, "verify", golden, "--head", f"{'9' * 5000}:aa")
    assert (code, "must be SEQUENCE:HASH" in err) == (2, True)


@pytest.mark.parametrize(
    ("stream", "content", "what"),
    [
        ("house", '{"command":{"command":"close-shift"},"events":[]}', "house: brings about nothing"),
        (
            "house",
            """{"command":{"command":"close-shift"},"events":[{"event":"shift-closed/1","shift":1,"sequence":1,
            "hash":"zz","tables":[],"signature":"zz"}]}""",
            "the signature of the checkpoint of shift 1 does not hold",
        ),
        (
            "house",
            '{"command":{},"events":[{"event":"log-begun/1","log_id":"x","public_key":"zz"}]}',
            "house: cannot be read",
        ),
        (
            "people",
            '{"command":{"command":"log-in","account":"q"},"events":[{"event":"logged-in/1","account":"q"}]}',
            "would be refused",
        ),
        ("notes", '{"command":{},"events":[{"event":"x/1"}]}', "notes: not a stream of a house"),
        ("table/x", '{"command":{"command":"roll","seat":1},"events":[]}', "the first decision of a table opens it"),
    ],
)
def test_sealed_nonsense_is_a_fault(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, stream: str, content: str, what: str
) -> None:
    log = MemoryLog(KEY, log_id="nonsense", at="2026-11-15T08:00:00.000000Z")
    entry = {"stream": stream, "at": "2026-11-15T08:00:01.000000Z", "actor": "o", "role": "owner", "signed_by": "b"}
    numbers = {"hand": 0, "version": 2 if stream == "house" else 1}
    log.append([_draft({**entry, **numbers, "id": "1", "rules": "", **json.loads(content)})])
    write_jsonl(log.rows(), tmp_path / "log.jsonl")
    code, out, err = ran(capsys, "verify", tmp_path / "log.jsonl")
    assert (code, err) == (1, "")
    assert what in out


def test_the_environment_can_name_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, golden: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("PASSLINE_LOG", str(golden))
    assert ran(capsys, "verify")[0] == 0
    assert ran(capsys, "export", "--to", tmp_path / "copy.jsonl")[0] == 0


def test_a_forgery_by_the_key_holder_is_found_by_the_engine(
    capsys: pytest.CaptureFixture[str], golden: Path, tmp_path: Path
) -> None:
    """A payment that was never due, in a log that is correctly chained and sealed."""
    log = MemoryLog(KEY, log_id="forged", at="2026-11-15T08:00:00.000000Z")
    forged = 0
    for line in golden.read_bytes().splitlines()[1:]:
        entry = json.loads(line)["entry"]
        won = [event for event in entry["events"] if event["event"] == "wager-won/1"]
        if won and not forged:
            won[0]["winnings"] += 100
            forged = entry["sequence"]
        log.append([_draft(entry)])
    write_jsonl(log.rows(), tmp_path / "forged.jsonl")
    code, out, _ = ran(capsys, "verify", tmp_path / "forged.jsonl")
    assert code == 1
    assert f"\nentry {forged} " in out


def _draft(entry: dict[str, Any]) -> Draft:
    names = ("stream", "at", "actor", "role", "signed_by", "id", "hand", "rules")
    fields = {name: entry[name] for name in names}
    command, events = (Raw(msgspec.json.encode(entry[name])) for name in ("command", "events"))
    return Draft(**fields, expected=entry["version"] - 1, command=command, events=events)


@pytest.mark.parametrize(
    "content", [b"# Passline\n\nThe game of craps.\n", b"", b'{"name": "a plan"}\n', b"\x00\xff" * 50]
)
@pytest.mark.parametrize("command", [("verify",), ("export", "--to", "out.jsonl")])
def test_a_file_that_is_no_log_is_refused_as_such(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
    command: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_bytes(content)
    name, *options = command
    code, out, err = ran(capsys, name, "README.md", *options)
    assert (code, out) == (2, "")
    assert "README.md: is not a log: give a data folder" in err
    assert not (tmp_path / "out.jsonl").exists()


def test_a_damaged_log_is_still_a_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"entry":{"sequence":1,"str')
    assert ran(capsys, "verify", path)[0] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--stream", "tabel/craps-1"), "--stream tabel/craps-1: the log has no such stream; "),
        (("--after", "1000000"), "--after 1000000: nothing follows; the newest entry is "),
    ],
)
@pytest.mark.parametrize("form", ["jsonl", "xlsx"])
def test_an_export_of_nothing_leaves_the_file_as_it_was(  # noqa: PLR0917 - fixtures and cases
    capsys: pytest.CaptureFixture[str], golden: Path, tmp_path: Path, options: tuple[str, ...], said: str, form: str
) -> None:
    full = tmp_path / f"full.{form}"
    assert ran(capsys, "export", golden, "--to", full)[0] == 0
    before = full.read_bytes()
    code, _, err = ran(capsys, "export", golden, "--to", full, *options)
    assert code == 2
    assert said in err
    assert "nothing was written" in err
    assert full.read_bytes() == before


def test_an_export_goes_to_several_files_and_to_standard_output(
    capfd: pytest.CaptureFixture[str], golden: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "log.xlsx"
    assert main(["export", str(golden), "--to", "-", "--to", str(sheet)]) == 0
    out, err = capfd.readouterr()
    assert out.encode() == golden.read_bytes()
    assert sheet.stat().st_size > 1000
    assert "entries in -" in err
