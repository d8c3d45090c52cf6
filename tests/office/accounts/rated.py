"""A table whose wagers nobody keys in, and an office with the books of ratings, for tests of estimated play."""

from __future__ import annotations

from typing import Any

from passline.acts.rules import OFFICE_RULES
from passline.store.timestamps import later
from tests.office.accounts.watched import WatchedTable

BOOKS = ("ratings",)
ROLLS = ((3, 4), (2, 2), (5, 6), (1, 1), (6, 4), (4, 5))


class RatedTable(WatchedTable):
    """Craps 1 under Section 2 with known patrons: Ann has card C-1, Bob has C-2."""

    def __init__(self, *books: str) -> None:
        super().__init__("section2", is_keyed=False)
        self.told("olga", "draft_house", "spring", file={"rules": "section2", "office": {"books": [*BOOKS, *books]}})
        self.told("olga", "put_in_force", "spring")
        OFFICE_RULES.keep(self.office.rules)
        self.told("olga", "register_table", "craps-1", area="pit-1")
        for number, name in (("1", "Ann"), ("2", "Bob")):
            self.told("compliance", "enter_patron", f"P{number}", name=name)
            self.told("cashier", "issue_card", f"C-{number}", patron=f"P{number}", identified=True)

    def told(self, by: str, act: str, *things: str, **said: Any) -> str:  # noqa: ANN401
        """Do an act at the time of the table, which must not be refused."""
        self.office.at = max(self.office.at, self.sitting.at)
        answer = self.office.do(by, act, *things, **said)
        assert not answer.startswith("refused"), answer
        return answer

    def rolls(self, count: int, *, seconds: int = 40) -> None:
        """Key in so many rolls, one after another."""
        for number in range(count):
            self.sitting.roll(*ROLLS[number % len(ROLLS)])
            self.sitting.at = later(self.sitting.at, seconds)
