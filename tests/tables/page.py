"""What a page shows of a table, folded from what it was sent: as a browser keeps it, or a program."""

from __future__ import annotations

from typing import Any

from passline.tables.views.settled import unpacked_changes


class ShownTable:
    """A table as a page shows it, and how many messages of each kind it was sent."""

    def __init__(self) -> None:
        self.shown: dict[str, Any] = {}
        self.counted = {"table": 0, "news": 0}

    def show(self, message: dict[str, Any]) -> None:
        """Take a message: one that has the whole table, or its news; an answer changes nothing."""
        self.counted[message["kind"]] += 1
        if message["kind"] == "done":
            return
        if message["kind"] == "table":
            self.shown = {key: message[key] for key in ("table", "own", "sequence", "head")}
            return
        shown = self.shown
        assert message["from"] == shown["sequence"], "something was missed"
        wagers = {_key(wager): wager for wager in shown["table"]["wagers"]}
        for gone in message["wagers_gone"]:
            wagers.pop(tuple(gone), None)
        wagers |= {_key(wager): wager for wager in message["wagers_up"]}
        table = {**shown["table"], **unpacked_changes(message["changed"])}
        table["wagers"] = [wagers[key] for key in sorted(wagers)]
        self.shown = {
            "table": table,
            "own": message.get("own", shown["own"]),
            "sequence": message["sequence"],
            "head": message["head"],
        }


def _key(wager: dict[str, Any]) -> tuple[int, str, str, int]:
    return wager["seat"], wager["owner"], wager["kind"], wager["number"]
