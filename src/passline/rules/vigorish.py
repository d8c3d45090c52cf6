"""The vigorish of a buy or lay wager: its rate, its basis and its moment, with their clauses."""

from __future__ import annotations

from msgspec import Struct

from passline.rules.elections import House
from passline.rules.rulebook_model import Rulebook
from passline.rules.schema import cites_when, join_clauses

__all__ = ["Vigorish", "vigorish_of"]


class Vigorish(Struct, frozen=True, gc=False):
    """The charge on a buy or lay wager: the elected rate, basis and moment."""

    basis_points: int
    basis: str
    when: str
    won_on: tuple[int, ...]
    clause_made: str
    clause_won: str

    def clause(self, number: int) -> str:
        """Return the clauses of rate, basis and moment on a number."""
        return self.clause_made if self.is_due_when_made(number) else self.clause_won

    def is_due_when_made(self, number: int) -> bool:
        """Return whether the charge is taken when the wager is made, rather than from a win."""
        return self.when == "made" and number not in self.won_on


def vigorish_of(rulebook: Rulebook, house: House, kind: str) -> Vigorish:
    """Return the charge on a wager as a house elects it."""
    return Vigorish(
        basis_points=getattr(house, f"{kind}_vigorish_basis_points"),
        basis=getattr(house, f"{kind}_vigorish_basis"),
        when=getattr(house, f"{kind}_vigorish_when"),
        won_on=house.buy_vigorish_won_on if kind == "buy" else (),
        clause_made=_clause(rulebook, house, kind, "made"),
        clause_won=_clause(rulebook, house, kind, "won"),
    )


def _clause(rulebook: Rulebook, house: House, kind: str, moment: str) -> str:
    """Return the clauses of rate, basis and moment, where the house may have elected the moment by number."""
    is_by_number = moment == "won" and getattr(house, f"{kind}_vigorish_when") != "won"
    when = "buy_vigorish_won_on" if kind == "buy" and is_by_number else f"{kind}_vigorish_when"
    keys = (f"{kind}_vigorish_basis_points", f"{kind}_vigorish_basis", when)
    return join_clauses(*(clause for key in keys for clause in cites_when(rulebook.elections[key].cite, moment)))
