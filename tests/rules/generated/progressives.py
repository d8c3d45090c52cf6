"""Progressives of generated regulations: a window of rolls, some counts of which pay a share of a meter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any, Protocol

from tests.rules.generated.returns import WAYS, hits_among, ratio

_WHOLE = 10_000  # basis points
_CHIPS_STAKED = (1, 2, 5)
_BASES = range(20, 4_000)  # chips
_SHARES = range(100, _WHOLE, 50)
_RATES = range(10, 3_000)


class Writer(Protocol):
    """What a progressive needs of a regulation that is drawn."""

    random: Random
    data: dict[str, dict[str, Any]]
    answers: dict[tuple[str, str], Fraction]

    def rule(self, **terms: object) -> dict[str, Any]:
        """Return an entry with its clause."""

    def machine(self, kind: str, name: str, lines: list[dict[str, Any]], **terms: object) -> None:
        """Write a side wager that is a machine."""


def write_progressive(writer: Writer, index: int) -> None:
    """Write a progressive, and what it returns with its meter at its base."""
    random, kind = writer.random, f"beacon_{index}"
    chip = writer.data["house.toml"]["smallest_chip_cents"]
    stake, base = chip * random.choice(_CHIPS_STAKED), chip * random.choice(_BASES)
    rolls, total = random.randint(1, 3), random.choice((*WAYS,))
    pays = {rolls: "1 for 1"}
    shares = {rolls: random.choice((_WHOLE, random.choice(_SHARES)))}
    for count in range(1, rolls):
        pays[count], shares[count] = f"{random.randint(1, 9)} to 1", random.choice((0, random.choice(_SHARES)))
    lines = [
        writer.rule(counts=[count], pays=pays[count], **({"meter_basis_points": share} if share else {}))
        for count, share in shares.items()
    ]
    lines.append(writer.rule(counts=[0], result="lose"))
    won = {count: ratio(pays[count]) + Fraction(_paid(base, share, chip), stake) for count, share in shares.items()}
    writer.answers[kind, ""] = _mean(WAYS[total], rolls, won)
    writer.machine(
        *(kind, f"Beacon {'abcdef'[index].upper()}", lines),
        memory={
            "rolled": {"max": rolls, "next": "rolled + 1"},
            "hits": {"max": rolls, "next": f"hits + (total == {total})"},
        },
        settles=writer.rule(when=f"rolled == {rolls}", says="all rolls are thrown"),
        count="hits",
        amount=writer.rule(min=stake, max=stake, step=stake, chips=writer.rule()),
        progressive=writer.rule(
            basis_points=random.choice(_RATES), base_cents=base, base=writer.rule(), pays=writer.rule()
        ),
    )


def _paid(meter: int, share: int, chip: int) -> int:
    """The cents of a share, in whole chips."""
    return meter * share // (_WHOLE * chip) * chip


def _mean(ways: int, rolls: int, won: Mapping[int, Fraction]) -> Fraction:
    """What a unit gains: the window's own returns, with what each count wins."""
    texts = {count: f"{gain.numerator} to {gain.denominator}" for count, gain in won.items()}
    return hits_among(ways, rolls, texts)
