"""The process that writes views: it is the server's, and ends with it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import json

from passline.store.data_folder import open_log
from passline.streams.projection_runner import ViewsSource


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_the_server_and_not_before(tmp_path: Path, stop: signal.Signals) -> None:
    """Ctrl-C, and a service manager that stops a service, tell every process: the server must still find this one."""
    with closing(open_log(tmp_path)) as log:
        source = ViewsSource("passline.office.views.writing", str(tmp_path), "", log.log_id)
    command = [sys.executable, "-m", source.module]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.encode(source) + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b'""\n', "it goes on, without a fault"
        process.send_signal(stop)
        process.stdin.close()
        assert process.wait(60) == 0
