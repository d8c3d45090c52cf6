"""The identity provider of the tests: `oidc-provider` in node, and a browser that logs people in there."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import msgspec
import pytest

from tests.external_programs import program_path

ROOT = Path(__file__).resolve().parents[3]
SECRET = "a secret of both"  # noqa: S105 - of a provider that ends with the test
CLIENT = "passline"
_STEPS_MAX = 12


class IdentityProvider:
    """A running provider; `people` are its people by their subject, with their claims."""

    def __init__(self, redirect: str) -> None:
        self._redirect = redirect
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.issuer = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        """Start it at its address, with nobody in it."""
        node = program_path("node", package="nodejs npm")
        script = Path(__file__).with_name("identity_provider.js")
        self._process = subprocess.Popen(
            [node, str(script), str(self._port), self._redirect],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        self._await("ready")

    def stop(self) -> None:
        """End it: from then on nobody answers at its address."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def order(self, **orders: object) -> None:
        """Have it change: `people`, `keys`, or what it `forge`s."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(orders).decode() + "\n")
        self._process.stdin.flush()
        self._await("done")

    def _await(self, word: str) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == word:
                return
        raise AssertionError(f"the provider ended before it was {word}")

    def log_in(self, address: str, who: str) -> dict[str, str]:
        """Log somebody in there as a browser does; return what it brings back to the house."""
        with httpx.Client(timeout=30) as browser:
            answer = browser.get(address)
            for _ in range(_STEPS_MAX):
                if where := answer.headers.get("location", ""):
                    where = urljoin(str(answer.url), where)
                    if where.startswith(self._redirect):
                        return dict(httpx.URL(where).params)
                    answer = browser.get(where)
                    continue
                form = re.search(r'action="([^"]+)"', answer.text)
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
                assert form, answer.text
                assert prompt, answer.text
                typed = {"prompt": prompt[1], "login": who, "password": "any"}
                answer = browser.post(urljoin(str(answer.url), form[1]), data=typed)
        raise AssertionError(f"{who} did not come back from the provider")


@contextmanager
def identity_provider(redirect: str) -> Iterator[IdentityProvider]:
    """Run a provider for the duration of the block."""
    if not (ROOT / "node_modules" / "oidc-provider").exists():
        why = "oidc-provider is not in node_modules: npm ci"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    provider = IdentityProvider(redirect)
    try:
        yield provider
    finally:
        provider.stop()


def person(name: str, *groups: str) -> dict[str, Any]:
    """Return the claims of somebody at the provider."""
    return {"name": name, "groups": list(groups)}
