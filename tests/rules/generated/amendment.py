"""Amendments that nobody has seen, of regulations that nobody has seen: from a seed, both texts and what they return.

Wagers on dice on the next roll (leap) and a wager of several of them (bundle) are written into the text, or brought by
the amendment. It changes what wagers pay, also parts of others, and may repeal one.
"""

from __future__ import annotations

import tomllib
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from msgspec import Struct

from passline.exact.par.sheet import sheet
from passline.rules.pages.amendments import AMENDMENTS, DatedTexts, read_amendment
from passline.rules.pages.texts import Pages
from passline.rules.rulebook_reader import rulebook_from
from passline.rules.rules import Rules
from tests.rules.generated import returns
from tests.rules.generated.dealt import unlike_answers
from tests.rules.generated.regulation import Answers, Data, Regulation, regulation_from
from tests.rules.generated.returns import ROLLS
from tests.rules.lawful import deal_all
from tests.rules.rulebooks import toml_page

AMENDED_ON = date(2027, 6, 1)
_FILE = f"{AMENDMENTS}/2027-06.toml"
_PAIRS = sorted({(min(dice), max(dice)) for dice in ROLLS})
_Pair = tuple[int, int]


class AmendedRegulation(Struct, frozen=True):
    """A regulation and its amendment, a house of it, and what its wagers return before and from its day on."""

    texts: DatedTexts
    house: Data
    before: Answers
    answers: Answers

    @property
    def changed(self) -> list[str]:
        """The wagers that pay otherwise, come or go on the day."""
        return sorted({kind for kind, _number in dict(self.before.items() ^ self.answers.items())})


def amended_from(seed: int) -> AmendedRegulation:
    """Return the amended regulation of a seed, the same every time."""
    return _Amender(regulation_from(seed), Random(f"amendment {seed}")).amended()


class _Amender:
    """Writes one amendment."""

    def __init__(self, regulation: Regulation, random: Random) -> None:
        self.regulation, self.random = regulation, random
        self.pages = {page: tomllib.loads(text.decode()) for page, text in regulation.pages.texts.items()}
        self.wagers: Data = self.pages["wagers.toml"]
        self.name = regulation.pages.name
        self.clauses = 0

    def amended(self) -> AmendedRegulation:
        """Write both texts."""
        pairs = self.random.sample(_PAIRS, self.random.randint(3, 6))
        units = {pair: self.random.randint(1, 3) for pair in pairs[:3]}
        self.pages["general.toml"].setdefault("composite_parts", self.rule())
        before, after = dict(self.regulation.answers), dict(self.regulation.answers)
        changes: Data = {}
        for is_amended, answers in ((False, before), (True, after)):
            if is_amended or self.random.random() < 0.5:
                (changes if is_amended else self.wagers).update(self.on_dice(pairs, units, answers))
        self.pay_otherwise(changes, after)
        repeals = self.repealed(changes, after)
        text = toml_page({"instrument": "Order 27-06", "from": AMENDED_ON, "repeals": repeals, "wagers": changes})
        written = Pages(self.name, {page: toml_page(data) for page, data in self.pages.items()})
        order = read_amendment(text, _FILE, f"{self.name}/{_FILE}")
        return AmendedRegulation(DatedTexts(written, (order,)), self.regulation.house, before, after)

    def rule(self, **terms: object) -> Data:
        """Return an entry with a clause."""
        self.clauses += 1
        return {**terms, "cite": f"{self.name.upper().replace('_', '-')}-A{self.clauses}"}

    def payout(self, fair: int) -> str:
        """Return a payout somewhat below a fair one."""
        return f"{self.random.randint(fair // 2, fair)} to 1"

    def on_dice(self, pairs: list[_Pair], units: dict[_Pair, int], answers: Answers) -> Data:
        """Return wagers on pairs of dice, and one of several of them."""
        pays = {pair: self.payout(35 if pair[0] == pair[1] else 17) for pair in sorted(pairs)}
        for pair, text in pays.items():
            answers["leap", _dice(pair)] = returns.one_roll({pair: text})
        whole = sum(units.values())
        gains = [answers["leap", _dice(pair)] * Fraction(count, whole) for pair, count in units.items()]
        answers["bundle", ""] = sum(gains, Fraction(0))
        common = {"centre": True, "make": self.rule(when="any"), "lose": self.rule()}
        leap = {
            **common,
            "family": "one_roll",
            "name": "Leap",
            "numbers": [_dice(pair) for pair in pays],
            "win": self.rule(),
            "pays": [self.rule(numbers=[_dice(pair)], pays=text) for pair, text in pays.items()],
        }
        bundle = {
            **common,
            "family": "composite",
            "name": "Bundle",
            "win": self.rule(totals=sorted({sum(pair) for pair in units})),
            "units": self.rule(),
            "parts": self.rule(units={f"leap:{_dice(pair)}": count for pair, count in units.items()}),
        }
        return {"leap": leap, "bundle": bundle}

    def pay_otherwise(self, changes: Data, answers: Answers) -> None:
        """Let a wager on totals pay otherwise, and what it is a part of with it."""
        kinds = [kind for kind, entry in self.wagers.items() if kind.startswith("quick_") and "dated" not in entry]
        for kind in self.random.sample(kinds, min(len(kinds), 1)):
            totals = self.wagers[kind]["win"]["totals"]
            pays = {total: self.payout(6) for total in totals}
            changes[kind] = {"pays": [self.rule(totals=[total], pays=text) for total, text in pays.items()]}
            dice = {(min(pair), max(pair)): pays[sum(pair)] for pair in ROLLS if sum(pair) in pays}
            answers[kind, ""] = returns.one_roll(dice)
        for kind, entry in self.wagers.items():
            if kind.startswith("basket_"):
                units: dict[str, int] = entry["parts"]["units"]
                gains = [answers[part, ""] * Fraction(count, sum(units.values())) for part, count in units.items()]
                answers[kind, ""] = sum(gains, Fraction(0))

    def repealed(self, changes: Data, answers: Answers) -> list[str]:
        """Return a wager that is taken away, now and then: none that another is made of."""
        parts = {part for entry in self.wagers.values() for part in entry.get("parts", {}).get("units", ())}
        kinds = [kind for kind in self.wagers if kind.startswith("quick_") and kind not in {*parts, *changes}]
        kinds = [kind for kind in kinds if "offered" not in self.wagers[kind]]
        gone = self.random.sample(kinds, min(len(kinds), 1))
        for kind in gone:
            del answers[kind, ""]
        return [f"wagers.{kind}" for kind in gone]


def _dice(pair: _Pair) -> str:
    return f"{pair[0]}-{pair[1]}"


def deal_amended(amended: AmendedRegulation) -> int:
    """Deal both texts, and hold the par sheet of each against what was computed; return the lines compared."""
    compared = 0
    for day, answers in ((AMENDED_ON - timedelta(days=1), amended.before), (AMENDED_ON, amended.answers)):
        pages = amended.texts.on(day)
        deal_all(pages, amended.house)
        lines = sheet(Rules.under(rulebook_from(pages), amended.house)).lines
        found = [*unlike_answers(lines, answers)]
        assert not found, (day, found)
        compared += len(lines)
    return compared
