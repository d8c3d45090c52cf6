"""The files in `deploy`: what they say agrees with each other and with the server, and their own tools accept them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import typer.main
from websockets.sync.client import connect

from passline.cli.main import app
from tests.deploy.machine import free_port, settings_of
from tests.extras_matrix import ROOT
from tests.serving import serving
from tests.waiting import wait_until

DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
CADDYFILE = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
NAME = "craps.example"


def _command(unit: str) -> list[str]:
    words = shlex.split(settings_of((DEPLOY / unit).read_text(encoding="utf-8"))["ExecStart"].replace("%%", "%"))
    return shlex.split(words[2].removeprefix("exec ")) if words[:2] == ["/bin/sh", "-c"] else words


def _option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


@pytest.mark.parametrize("unit", [path.name for path in UNITS])
def test_a_unit_starts_a_command_that_exists_with_options_that_exist(unit: str) -> None:
    program, name, *words = _command(unit)
    assert program == "/usr/local/lib/passline/bin/passline"
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    known = {option for one in command.params for option in one.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_proxy_and_the_server_agree() -> None:
    """The address, the name, and that the server believes what this proxy says of its visitors."""
    words = _command("passline.service")
    (site,) = re.findall(r"^(\S+) \{$", CADDYFILE, flags=re.MULTILINE)
    (behind,) = re.findall(r"^\treverse_proxy (\S+)$", CADDYFILE, flags=re.MULTILINE)
    assert behind == f"{_option(words, '--host')}:{_option(words, '--port')}"
    assert site == _option(words, "--name") == NAME
    assert _option(words, "--proxy") == _option(words, "--host")
    assert _option(words, "--registration") == "closed"


def test_the_backup_is_of_the_house_that_is_served() -> None:
    served, backed_up = _command("passline.service"), _command("passline-backup.service")
    assert _option(served, "--data") == _option(backed_up, "--data")
    assert {"passline", "passline-backup"} <= {path.stem for path in UNITS}
    assert (DEPLOY / "passline-backup.timer").exists()


def test_a_unit_can_write_where_its_command_writes() -> None:
    for path in UNITS:
        settings = settings_of(path.read_text(encoding="utf-8"))
        writable = [*settings["ReadWritePaths"].split(), f"/var/lib/{settings.get('StateDirectory', '-')}"]
        written = {one for one in _command(path.name) if one.startswith(("/mnt/", "/var/"))}
        assert written
        assert all(any(one.startswith(place) for place in writable) for one in written), path.name


def test_a_unit_does_not_start_without_the_volumes_that_it_writes_to() -> None:
    """Or after a boot without them an anchor and a backup would lie on the disk that they are to outlive."""
    for path in UNITS:
        settings = settings_of(path.read_text(encoding="utf-8"))
        assert settings["RequiresMountsFor"].split() == settings["ReadWritePaths"].split(), path.name


def test_the_house_tells_systemd_that_it_is_ready_and_goes_on_and_has_limits() -> None:
    settings = settings_of((DEPLOY / "passline.service").read_text(encoding="utf-8"))
    assert (settings["Type"], settings["NotifyAccess"], settings["Restart"]) == ("notify", "main", "on-failure")
    assert int(settings["WatchdogSec"]) >= 10, "a busy machine is not a server that hangs"
    assert int(settings["TimeoutStartSec"]) >= 600, "a long log takes a while to read"
    assert {"LimitNOFILE", "LimitCORE", "TasksMax", "MemoryMax"} <= settings.keys()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", [path.name for path in UNITS])
def test_systemd_understands_the_units_and_finds_little_exposed(unit: str) -> None:
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(DEPLOY / unit)], check=False, capture_output=True, text=True
    )
    complaints = [line for line in verified.stderr.splitlines() if "is not executable" not in line]
    assert complaints == []
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=25", str(DEPLOY / unit)]
    exposed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert exposed.returncode == 0, exposed.stdout[-300:]


def _is_reached(port: int, trusted: ssl.SSLContext) -> bool:
    """Return whether somebody who asks for the house by its name is shown its certificate."""
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain, trusted.wrap_socket(plain, server_hostname=NAME):
            return True
    except OSError:
        return False


@contextmanager
def _proxied(folder: Path, behind: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """Run Caddy with our own file before a server; yield its port and what makes its certificate good."""
    port = free_port()
    own = ("admin off", "skip_install_trust", "local_certs", "auto_https disable_redirects", f"https_port {port}")
    trying = "".join(f"\t{line}\n" for line in own)
    changed = CADDYFILE.replace("127.0.0.1:8000", behind)
    assert changed != CADDYFILE
    (folder / "Caddyfile").write_text(f"{{\n{trying}}}\n{changed}", encoding="utf-8")
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    places = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "caddy.txt").open("w", encoding="utf-8") as said:
        proxy = subprocess.Popen(command, env=os.environ | places, stdout=said, stderr=said)
    try:
        root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        wait_until(lambda: root.exists() and "END CERTIFICATE" in root.read_text(encoding="ascii"))
        trusted = ssl.create_default_context(cafile=str(root))
        wait_until(lambda: _is_reached(port, trusted))
        yield port, trusted
    finally:
        proxy.terminate()
        proxy.wait(timeout=60)


@pytest.mark.sweep
@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
def test_a_browser_reaches_the_house_by_its_name_over_tls(tmp_path: Path) -> None:
    """Pages, a log-in whose cookie is for HTTPS only, and a live table, each through Caddy."""
    options = ("--name", NAME, "--proxy", "127.0.0.1", "--registration", "closed")
    with (
        serving(tmp_path / "data", *options) as started,
        _proxied(tmp_path, started.address.removeprefix("http://")) as (port, trusted),
        httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=trusted, headers={"Host": NAME}, timeout=60
        ) as browser,
    ):
        named = {"sni_hostname": NAME}
        page = browser.get("/", extensions=named)
        assert (page.status_code, page.headers["strict-transport-security"]) == (200, "max-age=31536000")
        token = started.owner_link.rpartition("/")[2]
        body = {"password": "correct horse battery", "name": "Olga", "pin": "72941836"}
        welcome = browser.post(f"/api/invitations/{token}", json=body, extensions=named)
        assert welcome.status_code == 201, welcome.text
        assert all("Secure" in cookie for cookie in welcome.headers.get_list("set-cookie"))
        (table,) = browser.get("/api/tables", extensions=named).json()["tables"]
        reached = socket.create_connection(("127.0.0.1", port))
        headers = {"Authorization": f"Bearer {welcome.json()['token']}"}
        address = f"wss://{NAME}/api/tables/{table['id']}/live?role=owner"
        with connect(address, sock=reached, ssl=trusted, server_hostname=NAME, additional_headers=headers) as live:
            assert json.loads(live.recv(timeout=60))
