"""A webhook that keeps heads as the documentation asks, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from msgspec import json

from passline.store.anchors.marks import Mark, newest_mark


class Webhook:
    """The heads that were posted, and how the server answers."""

    def __init__(self) -> None:
        self.url = ""
        self.marks: list[Mark] = []
        self.status = 200


@contextmanager
def webhook() -> Iterator[Webhook]:
    """Run a server for the duration of the block."""
    kept = Webhook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            mark = json.decode(self.rfile.read(int(self.headers["Content-Length"])), type=Mark)
            if kept.status < 300:
                kept.marks.append(mark)
            self._answer(kept.status, b"")

        def do_GET(self) -> None:
            [log_id] = parse_qs(urlsplit(self.path).query)["log_id"]
            newest = newest_mark(kept.marks, log_id)
            self._answer(200 if newest else 404, json.encode(newest))

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept.url = f"http://ann:secret@127.0.0.1:{server.server_port}/heads"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield kept
        finally:
            server.shutdown()
