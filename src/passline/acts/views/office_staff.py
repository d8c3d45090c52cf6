"""Who of a house can do and sign the acts of an office, and which groups have too few people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.schema import Act, Signature
from passline.authority.roles import KEEPERS

PLANNED = "?"
"""How the account of somebody begins who is yet to be hired."""


class OfficeStaff:
    """The people of a house by the groups of its office, with those whom a plan to open a table still hires."""

    def __init__(self, scene: Scene, people: Sequence[Person]) -> None:
        self._scene, self.people = scene, people
        self._hired: dict[Person, int] = {}  # with the step that makes the account
        self._designated: dict[tuple[str, str], int] = {}  # by group and account, with the step that designates them

    def accounts(self, groups: Iterable[str], *, is_planned: bool = False) -> frozenset[str]:
        """Return the accounts in any of these groups; with `is_planned`, also of people who are still to be hired."""
        rules, state, wanted = self._scene.rules, self._scene.state, tuple(groups)
        people = (*self.people, *self._hired) if is_planned else self.people
        planned = {account for group, account in self._designated if group in wanted} if is_planned else ()
        found = (person.account for person in people if any(rules.is_of(group, person, state) for group in wanted))
        return frozenset((*found, *planned))

    def hire(self, role: str, step: int) -> None:
        """Plan to hire somebody with a role in a step of the plan."""
        account = f"{PLANNED}{role} {1 + sum(role in person.roles for person in self._hired)}"
        self._hired[Person(account, account, frozenset({role}))] = step

    def count(self, role: str) -> int:
        """Return how many people have a role now or are planned to have it."""
        return sum(role in person.roles for person in (*self.people, *self._hired))

    def designate(self, group: str, account: str, step: int) -> None:
        """Plan to designate an account to a group in a step of the plan."""
        self._designated[group, account] = step

    def hired_by(self, account: str, groups: Iterable[str] = ()) -> list[int]:
        """Return the planned steps that hire an account and designate it to these groups."""
        hired = [step for person, step in self._hired.items() if person.account == account]
        if account in self.accounts(groups):
            return hired
        return hired + [self._designated[group, account] for group in groups if (group, account) in self._designated]

    def people_to_designate(self, groups: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield (group, account) where somebody already has a role of a group and only has to be designated."""
        rules, state = self._scene.rules, self._scene.state
        for group in groups:
            known = self.accounts([group], is_planned=True)
            people = (person for person in (*self.people, *self._hired) if person.account not in known)
            fit = [person.account for person in people if rules.has_role(group, person, state)]
            if rules.group(group).designated and fit:
                yield group, fit[0]

    def kept_to_sign(self, act: Act) -> tuple[str, ...]:
        """Return who may do an act but should not, since nobody would be left to sign it."""
        if act.on_paper:
            return ()
        signs = [self.accounts(sign.by) for sign in act.signs.values() if _is_always_signed(sign, is_paper=False)]
        doers = sorted(self.accounts(act.by))
        return tuple(who for who in doers if not can_differ([frozenset({who}), *signs]))

    def asked_groups(self, act: Act) -> list[tuple[str, ...]]:
        """Return, for each different person whom an act needs, the groups to choose from; who does it comes last."""
        is_paper = act.on_paper and any(self._scene.rules.group(group).body for group in act.by)
        doers = KEEPERS if is_paper else act.by
        signs = [sign for sign in act.signs.values() if _is_always_signed(sign, is_paper=is_paper)]
        others = {key for need in act.needs.values() for key in need.apart}  # whoever did these does not do this, too
        before = [acts[key].by for key in sorted(others) if key in (acts := self._scene.rules.pages.acts)]
        return [*before, *(sign.by for sign in signs), doers]

    def choose(self, wanted: Sequence[Iterable[str]], *, but: Iterable[str] = ()) -> tuple[str, ...] | None:
        """Return a different person for each of these groups, leaving out `but`; None: there are not enough people.

        People who are there already are chosen before those who are still to be hired.
        """
        return choose_apart([self.accounts(groups, is_planned=True).difference(but) for groups in wanted])


def _is_always_signed(sign: Signature, *, is_paper: bool) -> bool:
    """Return whether somebody signs so each time, and not only in some cases."""
    is_rare = sign.only or sign.nobodys or sign.above or sign.standard or sign.later or sign.beyond
    return not is_rare and (is_paper or not sign.of_papers)


def can_differ(sets: Sequence[frozenset[str]]) -> bool:
    """Return whether a different person can be chosen from each set.

    >>> can_differ([frozenset("ab"), frozenset("a")]), can_differ([frozenset("a"), frozenset("a")])
    (True, False)
    """
    return choose_apart(sets) is not None


def choose_apart(sets: Sequence[frozenset[str]]) -> tuple[str, ...] | None:
    """Return a different person from each set, preferring those who need not be hired; None: it is not possible.

    >>> choose_apart([frozenset({"a", "?dealer 1"}), frozenset({"a", "?dealer 1"})])
    ('a', '?dealer 1')
    """
    if not sets:
        return ()
    for account in sorted(sets[0], key=lambda account: (account.startswith(PLANNED), account)):
        rest = choose_apart([other - {account} for other in sets[1:]])
        if rest is not None:
            return (account, *rest)
    return None
