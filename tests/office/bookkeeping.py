"""An office that is kept by tests: acts are done in a word, and must not be refused."""

from __future__ import annotations

from passline.game.refusal import Refused
from passline.office import commands as c
from passline.office.trial import TrialOffice

__all__ = ["KeptOffice"]


class KeptOffice(TrialOffice):
    """An office with its people, its clock and its events, decision by decision."""

    def tries(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> bool:
        """Try an act, with somebody who signs it as a part; return whether it was done."""
        signer, part = signs
        command = c.DoAct(act=act, things=things, fields=fields, signs=part)
        return not isinstance(self.send(command, by, signer), Refused)

    def does(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> None:
        """Do an act that must not be refused."""
        signer, part = signs
        answer = self.send(c.DoAct(act=act, things=things, fields=fields, signs=part), by, signer)
        assert not isinstance(answer, Refused), answer

    def signs(self, by: str, part: str, **fields: object) -> None:
        """Sign the act that was recorded last."""
        number = max(map(int, self.state.pending))
        answer = self.send(c.SignAct(number=number, part=part, fields=fields), by, by)
        assert not isinstance(answer, Refused), answer
