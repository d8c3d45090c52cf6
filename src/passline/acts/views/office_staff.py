"""Who of a house can do and sign the acts of an office, and of which groups too few people are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.schema import Act, Signature
from passline.authority.roles import CLERKS


class OfficeStaff:
    """The people of a house, as an office counts them by its groups."""

    def __init__(self, scene: Scene, people: Sequence[Person]) -> None:
        self._scene, self.people = scene, people

    def accounts(self, groups: Iterable[str]) -> frozenset[str]:
        """Return the accounts that belong to one of these groups."""
        rules, state, wanted = self._scene.rules, self._scene.state, tuple(groups)
        return frozenset(
            person.account for person in self.people if any(rules.is_of(group, person, state) for group in wanted)
        )

    def people_to_designate(self, groups: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the groups among these for which somebody only has to be designated, with that account."""
        rules, state = self._scene.rules, self._scene.state
        for group in groups:
            fit = [
                person.account
                for person in self.people
                if rules.has_role(group, person, state) and not rules.is_of(group, person, state)
            ]
            if rules.group(group).designated and fit:
                yield group, fit[0]

    def kept_to_sign(self, act: Act) -> tuple[str, ...]:
        """Return who may do an act and must not be the one who does: nobody would be left to sign it."""
        if act.on_paper:
            return ()
        signs = [self.accounts(sign.by) for sign in act.signs.values() if _is_always_signed(sign, is_paper=False)]
        doers = sorted(self.accounts(act.by))
        return tuple(who for who in doers if not can_differ([frozenset({who}), *signs]))

    def missing_people(self, act: Act) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield the groups of which somebody is missing to do or sign an act, and how many it takes of each."""
        is_paper = act.on_paper and any(self._scene.rules.group(group).body for group in act.by)
        doers = CLERKS if is_paper else act.by
        signs = [sign for sign in act.signs.values() if _is_always_signed(sign, is_paper=is_paper)]
        others = {key for need in act.needs.values() for key in need.apart}  # whoever did these does not do this, too
        before = [acts[key].by for key in sorted(others) if key in (acts := self._scene.rules.pages.acts)]
        wanted = [*before, *(sign.by for sign in signs), doers]
        lacking = [groups for groups in wanted if not self.accounts(groups)]
        yield from ((groups, 1) for groups in lacking)
        if not lacking and not can_differ([self.accounts(groups) for groups in wanted]):
            yield wanted[-1], len(self.accounts(wanted[-1])) + 1


def _is_always_signed(sign: Signature, *, is_paper: bool) -> bool:
    """Return whether somebody signs so each time, and not only in some cases."""
    is_rare = sign.only or sign.nobodys or sign.standard or sign.later or sign.beyond
    return not is_rare and (is_paper or not sign.of_papers)


def can_differ(sets: Sequence[frozenset[str]]) -> bool:
    """Return whether somebody can be chosen of each set, nobody twice.

    >>> can_differ([frozenset("ab"), frozenset("a")]), can_differ([frozenset("a"), frozenset("a")])
    (True, False)
    """
    if not sets:
        return True
    return any(can_differ([other - {account} for other in sets[1:]]) for account in sorted(sets[0]))
