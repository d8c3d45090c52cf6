"""Which command needs which extra: commands to try, each with the extra without which it must name that extra."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING_OF = {
    "": set[str](),
    "exact": {"exact"},
    "client": {"client"},
    "serve": {"serve", "client"},
    "postgres": {"serve", "client", "postgres"},
    "escpos": {"serve", "client", "escpos"},
    "identity": {"serve", "client", "identity"},
    "cluster": {"exact", "cluster"},
    "gpu": {"exact", "gpu"},
    "gym": {"exact", "gym"},
    "all": {"exact", "serve", "client", "postgres", "escpos", "identity", "cluster", "gym"},
}
"""What each extra brings with it; without one, the package alone."""

TRIED = {
    "conformance maryland --missing": "",
    "hands {hand}": "",
    "house check {house}": "",
    "house new": "",
    "house show": "",
    "manual {out}-share": "",
    "play --plain --dice typed": "",
    "strategies molly": "",
    "odds arizona --wager hardway --json": "exact",
    "odds arizona --wager hardway --pdf {out}.pdf --xlsx {out}.xlsx": "exact",
    "analyze pass --rolls 5": "exact",
    "best --goal 1000 --menu pass --unit 100": "exact",
    "simulate pass --rolls 5 --sessions 100": "exact",
    "replay pass --rolls 5": "exact",
    "shooter --at-least 20": "exact",
    "simulate pass --rolls 5 --sessions 100 --on gpu": "gpu",
    "verify {log}": "serve",
    "export {log} --to {out}.jsonl --to {out}.xlsx": "serve",
    "backup --new-key {out}.key": "serve",
    "serve --tls-cert {out}.pem": "serve",
    "house print maryland --html {out}.html --svg {out}.svg": "",
    "house diff maryland {house}": "",
    "rulebook diff arizona maryland": "",
    "house print maryland --paper card --pdf {out}.pdf": "exact or serve",
    "house print maryland --paper limits --txt {out}.txt": "serve",
    "office today maryland --server http://127.0.0.1:1 --token t": "client",
    "verify postgresql://nobody@127.0.0.1:1/nothing": "postgres",
}
"""Commands, each with the extra that it needs, or the two of which either will do.

Those that need a server or a database say so, if the extra is there.
"""


def commands_in(there: set[str], out: Path) -> list[tuple[list[str], str]]:
    """Return the commands to try where extras are installed, each with the extra that is missing, or ""."""
    found = []
    for number, (line, needs) in enumerate(TRIED.items()):
        words = line.format(
            hand=ROOT / "tests" / "hands" / "maryland" / "loser-7-with-odds.hand",
            house=ROOT / "tests" / "rules" / "houses" / "unlawful.toml",
            log=ROOT / "tests" / "tables" / "golden" / "tables.jsonl",
            out=out / f"out{number}",
        ).split()
        if needs == "gpu" and "exact" not in there:
            missing = "exact"
        elif needs == "postgres" and "serve" not in there:
            missing = "serve"
        else:
            either = needs.split(" or ")
            missing = "" if not needs or there & set(either) else either[0]
        found.append((words, missing))
    return found
