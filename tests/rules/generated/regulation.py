"""Regulations that nobody has seen: from a seed, the pages of one, a house of it, and what each wager returns by hand.

Each begins with the small game that `passline rulebook new` writes. Points, line, odds, wagers of every family,
payouts, elections of its own, currency, chips and days are drawn.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from passline.rules.pages.library import folder_of
from passline.rules.pages.texts import Pages, read_pages
from tests.rules.generated import returns
from tests.rules.generated.progressives import write_progressive
from tests.rules.generated.returns import ROLLS, SEVEN, WAYS
from tests.rules.rulebooks import toml_page

Data = dict[str, Any]
Answers = dict[tuple[str, str], Fraction]
"""What one unit wins on average, by wager and number."""
TOTALS = tuple(total for total in sorted(WAYS) if total != SEVEN)
USUAL = (4, 5, 6, 8, 9, 10)
SEEDS = range(25)
"""The regulations that the tests deal."""
CHANGES_ON = date(2027, 3, 1)
"""The day on which what changes in a generated regulation does."""
_LEAST_STAKE = 5_00
_CURRENCIES = ("$", "€", "£", "kr", "CHF")
_CHIPS = (1, 5, 25, 1_00, 5_00)
_FIRST_FACE, _DICE = 1, 2


class Regulation(Struct, frozen=True):
    """A generated regulation: its pages, a house of it, what its wagers return, and of those that changed, before."""

    pages: Pages
    house: Data
    before: Answers  # of the wagers that changed on the day
    answers: Answers


@cache
def regulation_from(seed: int) -> Regulation:
    """Return the regulation of a seed, the same every time."""
    return _Writer(seed).regulation()


class _Writer:
    """Writes one regulation, wager by wager."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"regulation {seed}")
        self.name = f"shore_{seed}"
        self.data: dict[str, Data] = {
            page: tomllib.loads(text.decode().replace("TITLE", self.name).replace("NAME", self.name))
            for page, text in read_pages(folder_of("template")).texts.items()
        }
        self.answers: Answers = {}
        self.before: Answers = {}
        self.house: Data = {}
        self.clauses = 0
        self.wagers: Data = self.data["wagers.toml"]
        self.elections: Data = self.data["elections.toml"]
        self.side: Data = {}

    def regulation(self) -> Regulation:
        """Write every page."""
        self.wagers.clear()
        self.money()
        self.line()
        self.odds()
        for write, most in (
            *((self.number, 3), (self.hardway, 1), (self.hop, 1), (self.one_roll, 6), (self.composite, 3)),
            *((self.collection, 2), (self.hand, 2), (self.repeater, 2), (self.window, 2)),
            (partial(write_progressive, self), 2),
        ):
            for index in range(self.random.randint(0, most)):
                write(index)
        if self.side:
            self.data["sidewagers.toml"] = self.side
            self.elections["side_wagers_locked"] = self.rule(subset_of=[])
        pages = Pages(self.name, {page: toml_page(data) for page, data in self.data.items()})
        return Regulation(pages, self.house, self.before, self.answers)

    def cite(self) -> str:
        """Return the next clause."""
        self.clauses += 1
        return f"{self.name.upper().replace('_', '-')}-{self.clauses}"

    def rule(self, **terms: object) -> Data:
        """Return an entry with its clause."""
        return {**terms, "cite": self.cite()}

    def some(self, of: Iterable[Any], least: int, most: int) -> list[Any]:
        """Return some of several things, in order."""
        things = list(of)
        return sorted(self.random.sample(things, self.random.randint(least, min(most, len(things)))))

    def payout(self, fair: Fraction, *, is_for: bool = False) -> str:
        """Return a payout somewhat below a fair one, or above, as regulations write them."""
        unit = self.random.choice((1, 1, 2, 5, 6))
        much = max(int(fair * unit * Fraction(self.random.randint(70, 104), 100)), 1)
        return f"{much + unit} for {unit}" if is_for else f"{much} to {unit}"

    def money(self) -> None:
        """Draw the currency, the chips and the limits."""
        chip = self.random.choice(_CHIPS)
        self.data["general.toml"]["currency"] = self.random.choice(_CURRENCIES)
        self.data["general.toml"]["live"]["chips"]["cents"] = [chip, *(c for c in (25_00, 100_00) if c > chip)]
        self.elections["smallest_chip_cents"]["min"] = min(chip, 1_00)
        self.data["house.toml"] |= {"smallest_chip_cents": chip, "wager_cents_min": max(chip, _LEAST_STAKE)}

    def line(self) -> None:
        """Draw what wins and loses at once and what is a point; with totals that lose there is a don't side."""
        lots = {total: self.random.choice(("point", "point", "win", "lose")) for total in TOTALS if total not in (6, 8)}
        shape = self.random.choice(("usual", "crapless", "drawn"))
        if shape != "drawn":
            craps = {2: "lose", 3: "lose", 12: "lose", 11: "win"}
            lots = {total: craps.get(total, "point") if shape == "usual" else "point" for total in lots}
        self.points = [total for total in TOTALS if lots.get(total, "point") == "point"]
        self.data["general.toml"]["points"] = self.rule(totals=self.points)
        win = [SEVEN, *(total for total, lot in lots.items() if lot == "win")]
        lose = [total for total, lot in lots.items() if lot == "lose"]
        bar = [total for total in lose if self.random.random() < 0.5]
        at_once = {"": (win, lose, []), "dont_": ([total for total in lose if total not in bar], win, bar)}
        self.sides = ["", "dont_"] if at_once["dont_"][0] else [""]
        for side in self.sides:
            for kind, name, when in (("pass", "Line", "come_out"), ("come", "Later Line", "point")):
                self.one_line(f"{side}{kind}", name, when, at_once[side])
        procedures = self.data["craps.toml"]["procedures"]
        procedures["shooter"]["line_wagers"] = [f"{side}pass" for side in self.sides]
        procedures["clearing"]["wagers"] = [f"{side}come" for side in self.sides]

    def one_line(self, kind: str, name: str, when: str, at_once: tuple[list[int], list[int], list[int]]) -> None:
        """Write one wager on the line; at once some totals win, some lose and some return it."""
        win, lose, void = at_once
        is_dont = kind.startswith("dont_")
        on, off = ("seven", "number") if is_dont else ("number", "seven")
        self.wagers[kind] = {
            "family": "line",
            "name": f"{'Against the ' if is_dont else ''}{name}",
            "make": self.rule(when=when),
            "remove": self.rule(until="deciding_roll" if is_dont else "point"),
            "first_win": self.rule(totals=win),
            "first_lose": self.rule(totals=lose),
            **({"first_void": self.rule(totals=void)} if void else {}),
            **({"moves": self.rule()} if when == "point" else {}),
            "win": self.rule(on=on),
            "lose": self.rule(on=off),
            "pays": [self.rule(pays="1 to 1")],
        }
        flat = dict.fromkeys(self.points, Fraction(0))
        self.answers[kind, ""] = returns.line(win, lose, flat, is_dont=is_dont)

    def odds(self) -> None:
        """Draw odds behind the line, or none; what they pay is not always what they are worth."""
        multiples = {str(point): self.random.choice((1, 2, 3, 5, 10, "2.5")) for point in self.points}
        self.data["house.toml"]["odds"] = multiples
        if self.random.random() < 0.2:
            del self.data["general.toml"]["odds_follow"], self.data["general.toml"]["odds_excess"]
            del self.data["house.toml"]["odds"]
            return
        for kind in ("pass", "come"):
            pays = {point: self.odds_payout(point) for point in self.points}
            works = kind == "pass" or self.random.random() < 0.5
            entry = {
                "family": "odds",
                "name": f"Behind the {kind}",
                "behind": kind,
                "numbers": self.points,
                "make": self.rule(when="any"),
                **({"come_out": self.rule(works=works, call="off" if works else "on")} if kind == "come" else {}),
                "win": self.rule(on="number"),
                "lose": self.rule(on="seven"),
                "flat": self.rule(pays="1 to 1"),
                "limit": self.rule(on="stake", multiple_max=10),
                "pays": [self.rule(numbers=[point], pays=text) for point, text in pays.items()],
            }
            self.wagers[f"{kind}_odds"] = entry
            first = self.wagers[kind]
            worth = {
                point: Fraction(multiples[str(point)]) * returns.later_odds(self.points, point, text, works=works)
                for point, text in pays.items()
            }
            self.answers[kind, f"{kind}_odds"] = returns.line(
                first["first_win"]["totals"], first["first_lose"]["totals"], worth
            )

    def odds_payout(self, point: int) -> str:
        """Return true odds, or now and then others."""
        true = Fraction(WAYS[SEVEN], WAYS[point])
        return f"{true.numerator} to {true.denominator}" if self.random.random() < 0.8 else self.payout(true)

    def optional(self, kind: str) -> Data:
        """Return the key of a wager that its house elects, now and then; the house does."""
        if self.random.random() < 0.6:
            return {}
        self.elections[f"has_{kind}"] = self.rule(label=f"Whether {kind} is dealt", choices=["none", "offered"])
        self.house.setdefault("elections", {})[f"has_{kind}"] = "offered"
        return {"offered": f"has_{kind}"}

    def dated(self, entry: Data, kind: str, number: str, before: Data, gain: Fraction) -> Data:
        """Let some terms of an entry change on a day, now and then; keep what it returned before."""
        if self.random.random() < 0.7:
            return entry
        after = {key: entry.pop(key) for key in before}
        self.before[kind, number] = gain
        return {**entry, "dated": [{"from": date(2020, 1, 1), **before}, {"from": CHANGES_ON, **after}]}

    def number(self, index: int) -> None:
        """Write a wager on a number against a 7, or on the 7 against it; now and then with vigorish."""
        kind, numbers = f"mark_{index}", self.some(TOTALS, 1, 6)
        against = self.random.random() < 0.4
        on, off = ("seven", "number") if against else ("number", "seven")
        works = self.random.random() < 0.5
        pays = {}
        for number in numbers:
            fair = Fraction(WAYS[SEVEN], WAYS[number])
            pays[number] = self.payout(1 / fair if against else fair)
            gain = returns.against_seven(WAYS[number], pays[number], wins_on_seven=against)
            self.answers[kind, str(number)] = gain
        self.wagers[kind] = {
            "family": "number",
            "name": f"Mark {'abcdef'[index].upper()}",
            "numbers": numbers,
            "make": self.rule(when="any"),
            "win": self.rule(on=on),
            "lose": self.rule(on=off),
            "come_out": self.rule(works=works, call="off" if works else "on"),
            "pays": [self.rule(numbers=[number], pays=text) for number, text in pays.items()],
            **self.charged(kind, numbers),
            **self.optional(kind),
        }

    def charged(self, kind: str, numbers: list[int]) -> Data:
        """Return the vigorish of a wager when it is made, now and then, in a rate of its own."""
        if self.random.random() < 0.6:
            return {}
        rate = self.random.choice((200, 400, 500))
        for number in numbers:
            self.answers[kind, str(number)] -= Fraction(rate, 10_000)
        return {"vigorish": [self.rule(basis_points=rate, basis="wager", when="made")]}

    def hardway(self, _index: int) -> None:
        """Write wagers on pairs."""
        numbers = self.some((4, 6, 8, 10), 1, 4)
        pays = {number: self.payout(Fraction(WAYS[number] - 1 + WAYS[SEVEN])) for number in numbers}
        for number, text in pays.items():
            self.answers["twins", str(number)] = returns.against_seven(1, text, others=WAYS[number] - 1)
        self.wagers["twins"] = {
            "family": "hardway",
            "name": "Twins",
            "centre": True,
            "numbers": numbers,
            "make": self.rule(when="any"),
            "come_out": self.rule(works=True, call="off"),
            "win": self.rule(),
            "lose": self.rule(),
            "pays": [self.rule(numbers=[number], pays=text) for number, text in pays.items()],
            **self.optional("twins"),
        }

    def hop(self, _index: int) -> None:
        """Write wagers on a pair of dice on the next roll."""
        pairs = self.some({(min(dice), max(dice)) for dice in ROLLS}, 1, 21)
        pays = {pair: self.payout(Fraction(35 if pair[0] == pair[1] else 17)) for pair in pairs}
        for pair, text in pays.items():
            self.answers["skip", "-".join(map(str, pair))] = returns.one_roll({pair: text})
        self.wagers["skip"] = {
            "family": "one_roll",
            "name": "Skip",
            "centre": True,
            "numbers": ["-".join(map(str, pair)) for pair in pairs],
            "make": self.rule(when="any"),
            "win": self.rule(),
            "lose": self.rule(),
            "pays": [self.rule(numbers=["-".join(map(str, pair))], pays=text) for pair, text in pays.items()],
            **self.optional("skip"),
        }

    def one_roll(self, index: int) -> None:
        """Write a wager on totals on the next roll, each with a payout; it may change on a day."""
        kind = f"quick_{index}"
        totals = self.some(WAYS, 1, 5)
        ways = sum(WAYS[total] for total in totals)
        now, then = (
            {total: self.payout(Fraction(len(ROLLS) - ways, ways)) for total in totals} for _version in range(2)
        )
        gains = [returns.one_roll(_by_dice(pays)) for pays in (now, then)]
        self.answers[kind, ""] = gains[0]
        entry = {
            "family": "one_roll",
            "name": f"Quick {'abcdef'[index].upper()}",
            "centre": self.random.random() < 0.5,
            "make": self.rule(when=self.random.choice(("any", "any", "come_out", "point"))),
            "win": self.rule(totals=totals),
            "lose": self.rule(),
            "pays": self.pay_lines(now),
            **self.optional(kind),
        }
        self.wagers[kind] = self.dated(entry, kind, "", {"pays": self.pay_lines(then)}, gains[1])

    def pay_lines(self, pays: dict[int, str]) -> list[Data]:
        """Return a pay table by totals."""
        return [self.rule(totals=[total], pays=text) for total, text in pays.items()]

    def composite(self, index: int) -> None:
        """Write a wager of several others in units; they pay one amount each, so that a share is a wager too."""
        kinds = [kind for kind, entry in self.wagers.items() if kind.startswith("quick_") and _is_plain(entry)]
        if len(kinds) < 2:
            return
        kind, parts = f"basket_{index}", self.random.sample(kinds, 2)
        units = {part: self.random.randint(1, 3) for part in parts}
        totals = sorted({total for part in parts for total in self.wagers[part]["win"]["totals"]})
        if len(totals) == len(WAYS):
            return
        self.data["general.toml"].setdefault("composite_parts", self.rule())
        self.wagers[kind] = {
            "family": "composite",
            "name": f"Basket {'abcdef'[index].upper()}",
            "centre": True,
            "make": self.rule(when="any"),
            "win": self.rule(totals=totals),
            "lose": self.rule(),
            "units": self.rule(),
            "parts": self.rule(units=units),
        }
        whole = sum(units.values())
        gains = [self.answers[part, ""] * Fraction(count, whole) for part, count in units.items()]
        self.answers[kind, ""] = sum(gains, Fraction(0))

    def side_wager(self, kind: str, family: str, name: str, lines: list[Data], **terms: object) -> None:
        """Write a side wager with one pay table, which the house offers."""
        self.elections[f"{kind}_table"] = self.rule(choices=["none", "A"])
        self.house.setdefault("side_wagers", {})[f"{kind}_table"] = "A"
        self.side[kind] = {
            "family": family,
            "name": name,
            "offered": f"{kind}_table",
            "remove": self.rule(until="never"),
            "increase": self.rule(until="never"),
            "tables": {"A": lines},
            **terms,
        }

    def collection(self, index: int) -> None:
        """Write a wager on several totals before one that loses."""
        kind, needs = f"gather_{index}", self.some(TOTALS, 1, 4)
        lose = sorted({SEVEN, *self.some(set(TOTALS) - {*needs}, 0, 2)})
        won = 1 + returns.collection(needs, lose, "0 to 1")
        pays = self.payout(1 / won - 1, is_for=self.random.random() < 0.5)
        self.answers[kind, ""] = returns.collection(needs, lose, pays)
        self.side_wager(
            *(kind, "collection", f"Gather {'abcdef'[index].upper()}", [self.rule(counts=[0], pays=pays)]),
            make=self.rule(when="any"),
            needs=self.rule(totals=needs),
            win=self.rule(),
            lose=self.rule(totals=lose),
            marked=self.rule(restarts="any_7"),
        )

    def hand(self, index: int) -> None:
        """Write a count of the points made in a hand, each once or every time."""
        kind, distinct = f"climb_{index}", self.random.random() < 0.5
        most = self.random.randint(2, min(len(self.points), 5))
        pays = {count: f"{count * self.random.randint(2, 30)} to 1" for count in self.some(range(1, most + 1), 1, most)}
        lines = [self.rule(counts=[count], pays=text) for count, text in pays.items()]
        if lost := [count for count in range(most + 1) if count not in pays]:
            lines.append(self.rule(counts=lost, result="lose"))
        self.answers[kind, ""] = returns.points_made(self.points, pays, distinct=distinct, most=most)
        self.data["general.toml"].setdefault("windows", {})["new_hand"] = self.rule(
            closes="come_out_roll", puck_off=True
        )
        ends: dict[str, Any] = {self.random.choice(("full", "top")): self.rule(count=most)}
        self.side_wager(
            *(kind, "hand", f"Climb {'abcdef'[index].upper()}", lines),
            make=self.rule(when="new_hand"),
            counts="distinct_points" if distinct else "points",
            counted=self.rule(),
            settles=self.rule(),
            carries=self.rule(),
            **ends,
            marked=self.rule(restarts="loser_7"),
        )

    def repeater(self, index: int) -> None:
        """Write a machine: a total, or any double, so many times before a 7."""
        kind, times = f"echo_{index}", self.random.randint(1, 4)
        total = self.random.choice((0, *TOTALS))
        ways = WAYS[total] if total else sum(first == second for first, second in ROLLS)
        chance = Fraction(ways, ways + WAYS[SEVEN]) ** times
        pays = self.payout(1 / chance - 1, is_for=True)
        self.answers[kind, ""] = returns.repeated(ways, times, pays, against=WAYS[SEVEN])
        self.machine(
            *(kind, f"Echo {'abcdef'[index].upper()}", [self.rule(counts=[0], pays=pays)]),
            memory={"hits": {"max": times, "next": f"hits + ({f'total == {total}' if total else 'double'})"}},
            wins=self.rule(when=f"hits == {times}", says="it came often enough"),
            loses=self.rule(when=f"total == {SEVEN}", says="a 7"),
        )

    def window(self, index: int) -> None:
        """Write a machine: how often some totals come in so many rolls."""
        kind, rolls, totals = f"spell_{index}", self.random.randint(2, 5), self.some(WAYS, 1, 6)
        ways = sum(WAYS[total] for total in totals)
        pays = {count: f"{self.random.randint(1, 12)} to 1" for count in self.some(range(rolls + 1), 1, rolls)}
        lines = [self.rule(counts=[count], pays=text) for count, text in pays.items()]
        if lost := [count for count in range(rolls + 1) if count not in pays]:
            lines.append(self.rule(counts=lost, result="lose"))
        self.answers[kind, ""] = returns.hits_among(ways, rolls, pays)
        comes = " or ".join(f"total == {total}" for total in totals)
        self.machine(
            *(kind, f"Spell {'abcdef'[index].upper()}", lines),
            memory={
                "rolled": {"max": rolls, "next": "rolled + 1"},
                "hits": {"max": rolls, "next": f"hits + (1 if {comes} else 0)"},
            },
            settles=self.rule(when=f"rolled == {rolls}", says="all rolls are thrown"),
            count="hits",
        )

    def machine(self, kind: str, name: str, lines: list[Data], **terms: object) -> None:
        """Write a side wager that is a machine."""
        marked = self.rule(restarts="any_7")
        self.side_wager(kind, "machine", name, lines, make=self.rule(when="any"), marked=marked, shows="hits", **terms)


def _by_dice(pays: dict[int, str]) -> dict[tuple[int, int], str]:
    return {(min(dice), max(dice)): pays[sum(dice)] for dice in ROLLS if sum(dice) in pays}


def _is_plain(entry: Data) -> bool:
    """Return whether a wager can be a part: it can be made whenever the whole can, under terms that do not change."""
    return "offered" not in entry and "dated" not in entry and entry["make"]["when"] == "any"


def families_of(regulation: Regulation) -> Counter[str]:
    """Return how many wagers of each family a regulation has."""
    texts = [text for page, text in regulation.pages.texts.items() if page in {"wagers.toml", "sidewagers.toml"}]
    entries = [entry for text in texts for entry in tomllib.loads(text.decode()).values()]
    return Counter("progressive" if "progressive" in entry else entry["family"] for entry in entries)


def write_pages(regulation: Regulation, shelf: Path) -> None:
    """Write the pages to a folder of rulebooks."""
    folder = shelf / regulation.pages.name
    folder.mkdir()
    for page, text in regulation.pages.texts.items():
        (folder / page).write_bytes(text)
