"""Sheets on a thermal printer: what its dummy was told, and what a printer in the network receives."""

from __future__ import annotations

import socket
from threading import Thread

from msgspec.structs import replace

from passline.cli.till_printer import send_to_printer
from passline.documents.as_escpos import COLUMNS, as_escpos
from passline.documents.sheet import PrintedSheet, SheetTable, SignatureLine

_CHIPS = SheetTable(
    title="chips",
    heads=("denomination $", "pieces", "amount $"),
    rows=((5_00, 100, 500_00), (25_00, 40, 1_000_00)),
)
_SLIP = PrintedSheet(
    title="Fill slip",
    number="F-000001",
    owner="Harbour",
    copy="Original: with the chips",
    stamp="void",
    facts=(("table", "T1"), ("why", "the table had enough when the cage was asked and nobody wanted it any more")),
    tables=(_CHIPS, SheetTable(title="steps", heads=("who", "what was done"), rows=(("Flo, floorperson", "x" * 40),))),
    signatures=(SignatureLine("Ask for a fill", ("", "Flo", "floorperson", "", "18:04")), SignatureLine("Accept it")),
    code="PASSLINE:7:" + "AB" * 32 + ":F-000001",
)


def test_a_slip_is_text_a_code_and_a_cut() -> None:
    from escpos.printer import Dummy  # noqa: PLC0415 - it reads of all printers, for a second in each worker

    data = as_escpos(_SLIP, _SLIP)
    cut = Dummy()
    cut.cut()
    assert data.count(cut.output.lstrip(b"\n")) == 2
    assert data.count(_SLIP.code.encode()) == 2
    for words in (
        b"Fill slip F-000001",
        b"VOID",
        b"Original: with the chips",
        b"Ask for a fill: Flo, floorperson, 18:04",
    ):
        assert data.count(words) == 2, words
    assert b"          5.00    100   500.00" in data
    assert as_escpos(_SLIP, _SLIP) == data


def test_no_line_is_wider_than_the_roll() -> None:
    text = as_escpos(replace(_SLIP, code="")).decode("cp437", errors="replace")
    assert max(len(line.strip("\x1b\x1d!@aEJtV\x00\x01\x11")) for line in text.splitlines()) <= COLUMNS


def test_a_printer_in_the_network_gets_the_bytes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        got = bytearray()

        def listen() -> None:
            connection, _ = listening.accept()
            with connection:
                while part := connection.recv(4096):
                    got.extend(part)

        waiting = Thread(target=listen)
        waiting.start()
        send_to_printer(f"127.0.0.1:{listening.getsockname()[1]}", as_escpos(_SLIP))
        waiting.join(10)
    assert bytes(got) == as_escpos(_SLIP)
