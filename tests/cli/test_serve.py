"""`passline serve`: its first start, what it refuses and why, and how it stops."""

import signal
import socket
import ssl
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Timer

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.sync.client import connect

from passline.cli.serve import listening_socket
from passline.client import Client, RequestRefused
from passline.errors import CrapsError
from passline.game import commands as c
from passline.store.data_folder import open_log
from tests.cases import one_in
from tests.forks import run_passline
from tests.serving import serving

pytestmark = pytest.mark.long

BUSY_SECONDS = 60  # a busy machine may need to answer


def refused(*options: str) -> str:
    """Run the server and return the one line of its refusal."""
    done = run_passline("serve", *options)
    assert done.returncode == 2, done.stdout
    (line,) = done.stderr.splitlines()
    return line


def test_a_port_in_use_is_reported_first(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        line = refused("--port", port, "--data", str(tmp_path / "data"))
    assert line == (
        f"passline: --port {port}: Address already in use on 127.0.0.1; "
        "stop the program that uses it, or choose another --port"
    )


def test_a_port_that_a_killed_servers_processes_leave_soon_is_waited_for() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        port = held.getsockname()[1]
        leaving = Timer(0.2, held.close)
        leaving.start()
        with closing(listening_socket("127.0.0.1", port)) as listening:
            leaving.join()
            assert listening.getsockname()[1] == port


def test_a_port_that_another_server_takes_at_the_same_moment_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have bound it, and the other is the first to listen."""
    with closing(socket.socket()) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))

        def bind_and_lose(listening: socket.socket, address: tuple[str, int]) -> None:
            listening.bind(address)
            other.listen()

        monkeypatch.setattr("passline.cli.serve._bind", bind_and_lose)
        with pytest.raises(CrapsError, match="; stop the program that uses it"):
            listening_socket("127.0.0.1", other.getsockname()[1])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--demo", "--host", "0.0.0.0"), "a demo has no log-in, so it serves this machine only"),  # noqa: S104
        (("--demo", "--database", "postgresql://x"), "leave --database out"),
        (("--demo", "--workers", "2"), "a demo is one process; leave --workers out"),
        (("--database", "mysql://x"), "--database mysql://x: must be postgresql://"),
        (("--database", "postgresql://nobody@127.0.0.1:1/none"), "127.0.0.1"),
        (("--host", "no.such.host.invalid"), "use an address of this machine"),
    ],
)
def test_invalid_options_are_refused_in_one_line(options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    assert why in refused("--port", "0", *options, "--data", str(tmp_path / "data"))


def test_a_path_that_is_not_a_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "choose a folder that this user can write to" in refused("--port", "0", "--data", str(file / "data"))


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "data"):
        assert "another server uses this folder" in refused("--port", "0", "--data", str(tmp_path / "data"))


def test_a_house_is_not_served_as_a_demo_nor_a_demo_as_a_house(tmp_path: Path) -> None:
    open_log(tmp_path / "house", is_demo=False).close()
    open_log(tmp_path / "demo", is_demo=True).close()
    assert "is a house's, not a demo's" in refused("--demo", "--port", "0", "--data", str(tmp_path / "house"))
    assert "is a demo's, with play money" in refused("--port", "0", "--data", str(tmp_path / "demo"))


def test_the_owners_link_works_once_and_is_printed_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as first, Client(first.address) as owner:
        account = owner.accept(first.owner_link, name="Olga", password="correct horse battery", pin="729416")  # noqa: S106
        assert account["roles"] == ["owner"]
        answer = httpx.post(
            f"{first.address}/api/invitations/{first.owner_link.rpartition('/')[2]}",
            json={"name": "Eve", "password": "correct horse battery"},
        )
        assert answer.status_code == 409
    with serving(tmp_path / "data") as second:
        assert second.owner_link == ""
        with Client(second.address) as client:
            assert len(client.tables()) == 1


def test_with_registration_closed_the_owners_link_still_works(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--registration", "closed") as server:
        body = {"name": "Pat", "password": "correct horse battery"}
        refused = httpx.post(f"{server.address}/api/register", json=body)
        assert refused.status_code == 403
        assert "registration is closed at this house" in refused.text
        assert "/register" not in httpx.get(f"{server.address}/log-in").text
        with Client(server.address) as owner:
            owner.accept(server.owner_link, name="Olga", password="correct horse battery", pin="729416")  # noqa: S106


@pytest.mark.parametrize(
    ("options", "status"),
    one_in(
        4,
        [
            (("--host", "0.0.0.0"), 403),  # noqa: S104
            (("--name", "craps.example"), 403),
            ((), 201),
            (("--host", "0.0.0.0", "--registration", "open"), 201),  # noqa: S104
        ],
        others=pytest.mark.whole,
    ),
)
def test_players_register_themselves_only_where_nobody_else_reaches_the_server(
    options: tuple[str, ...], status: int, tmp_path: Path
) -> None:
    with serving(tmp_path / "data", *options) as server:
        body = {"name": "Pat", "password": "correct horse battery"}
        assert httpx.post(f"{server.address}/api/register", json=body).status_code == status


def test_the_first_table_says_that_it_is_for_practice(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, Client(server.address) as ann:
        assert "Practice: play money, $2,000 at most" in httpx.get(f"{server.address}/").text
        page = httpx.get(f"{server.address}/tables/maryland-1").text
        assert "Play money, worth nothing: $2,000 at most at once, $20,000 a day." in page
        ann.register("Ann", "correct horse battery")
        ann.command("maryland-1", c.TakeSeat(seat=1))
        with pytest.raises(RequestRefused, match=r"a player has at most 2000\.00 of play money here"):
            ann.command("maryland-1", c.BuyIn(seat=1, cents=1_000_000_00))


def test_a_public_address_without_tls_is_warned_about(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--host", "0.0.0.0"):  # noqa: S104
        pass
    assert "WARNING: 0.0.0.0 can be reached from other machines" in (tmp_path / "data.err").read_text("utf-8")
    with serving(tmp_path / "data"):
        pass
    assert "WARNING" not in (tmp_path / "data.err").read_text("utf-8")


def test_tls_with_hsts_and_secure_cookies(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    tls = ("--tls-cert", str(certificate), "--tls-key", str(key), "--host", "0.0.0.0", "--registration", "open")  # noqa: S104
    trusted = ssl.create_default_context(cafile=str(certificate))
    with serving(tmp_path / "data", *tls) as server:
        assert server.address.startswith("https://")
        body = {"name": "Pat", "password": "correct horse battery"}
        answer = httpx.post(f"{server.address}/api/register", json=body, verify=trusted, timeout=BUSY_SECONDS)
        assert answer.status_code == 201
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "; Secure" in answer.headers["set-cookie"]
        headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        uri = f"{server.address.replace('http', 'ws')}/api/tables/maryland-1/live"
        with connect(uri, ssl=trusted, additional_headers=headers, open_timeout=BUSY_SECONDS) as screen:
            assert '"kind":"table"' in str(screen.recv(timeout=BUSY_SECONDS))
        _host, _, port = server.address.rpartition("/")[2].partition(":")
        with ExitStack() as stack:  # handshakes that never end take no room either
            for _ in range(400):
                stack.enter_context(closing(socket.create_connection(("127.0.0.1", int(port)))))
            newcomer = httpx.get(f"{server.address}/health", verify=trusted, timeout=BUSY_SECONDS)
            assert newcomer.status_code == 200
    assert "WARNING" not in (tmp_path / "data.err").read_text("utf-8")


def test_files_that_are_no_certificate_are_refused(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    other = tmp_path / "other.pem"
    other.write_text("nothing")
    data = ("--port", "0", "--data", str(tmp_path / "data"))
    assert "not a certificate and its own key" in refused("--tls-cert", str(other), "--tls-key", str(key), *data)
    assert "No such file" in refused("--tls-cert", str(certificate), "--tls-key", str(tmp_path / "none"), *data)
    assert "add --tls-cert FILE" in refused("--tls-key", str(key), *data)


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of 127.0.0.1 for a day, and its key."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key.write_bytes(private.private_bytes(*pem))
    return certificate, key


def test_metrics_have_a_listener_of_their_own(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving(tmp_path / "data", metrics_port=port) as server:
        assert httpx.get(f"{server.address}/metrics").status_code == 404
        ours = f"http://127.0.0.1:{port}"
        assert "passline_connections" in httpx.get(f"{ours}/metrics").text
        assert httpx.get(f"{ours}/health").status_code == 404
        assert httpx.get(f"{ours}/metrics", headers={"Host": "evil.example"}).status_code == 421
    with serving(tmp_path / "data"), pytest.raises(httpx.ConnectError):
        httpx.get(f"{ours}/metrics")


@pytest.mark.parametrize("stop", one_in(2, [signal.SIGTERM, signal.SIGINT], others=pytest.mark.whole))
def test_a_stopped_server_continues_where_it_was(stop: signal.Signals, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, Client(server.address) as ann:
        ann.register("Ann", "correct horse battery")
        ann.command("maryland-1", c.TakeSeat(seat=1))
        ann.command("maryland-1", c.BuyIn(seat=1, cents=500_00))
        with ann.live("maryland-1") as live:
            live.do(c.MakeWager(seat=1, wager="field", cents=5_00))
            server.process.send_signal(stop)
            assert server.process.wait(timeout=BUSY_SECONDS) == 0
        token = ann.token
    with serving(tmp_path / "data") as again, Client(again.address, token=token) as ann:
        view = ann.table("maryland-1")
        assert (view["own"]["rack"], [wager["kind"] for wager in view["table"]["wagers"]]) == (495_00, ["field"])
