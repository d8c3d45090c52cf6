"""A progressive for tests: two rolls, on which one 12 pays a tenth of the meter and two pay all of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

KIND, STAKE, BASE, RATE = "beacon", 5_00, 500_00, 2_000
CHANCES = {2: Fraction(1, 36**2), 1: Fraction(2 * 35, 36**2)}  # of two rolls, so many are 12
WAGER: dict[str, Any] = {
    "family": "machine", "name": "Beacon Jackpot", "offered": "jackpot",
    "make": {"when": "any", "cite": "LK-60"},
    "remove": {"until": "never", "cite": "LK-60"},
    "increase": {"until": "never", "cite": "LK-60"},
    "marked": {"restarts": "any_7", "cite": "LK-61"},
    "memory": {"rolled": {"max": 2, "next": "rolled + 1"}, "hits": {"max": 2, "next": "hits + (total == 12)"}},
    "settles": {"when": "rolled == 2", "says": "two rolls", "cite": "LK-62"},
    "count": "hits",
    "amount": {"min": STAKE, "max": STAKE, "step": STAKE, "chips": {"cite": "LK-63"}, "cite": "LK-63"},
    "progressive": {
        "basis_points": RATE, "base_cents": BASE, "base": {"cite": "LK-65"}, "pays": {"cite": "LK-66"}, "cite": "LK-64",
    },
    "tables": {"A": [
        {"counts": [0], "result": "lose", "cite": "LK-67"},
        {"counts": [1], "pays": "4 to 1", "meter_basis_points": 1_000, "cite": "LK-68"},
        {"counts": [2], "pays": "1 for 1", "meter_basis_points": 10_000, "cite": "LK-69"},
    ]},
}  # fmt: skip
LISTED_ONLY = [
    {key: value for key, value in line.items() if key != "meter_basis_points"} for line in WAGER["tables"]["A"]
]
ADDED = {"sidewagers/beacon": WAGER, "elections/jackpot": {"choices": ["none", "A"], "cite": "LK-70"}}
HOUSE = {"side_wagers": {"jackpot": "A"}}
