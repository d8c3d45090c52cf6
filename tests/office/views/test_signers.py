"""A form offers nobody to sign who would be refused, and says of others why."""

from __future__ import annotations

from typing import Any

from passline.acts.views.signers import possible_signers
from passline.office.trial import TrialOffice
from tests.office.views.hall import HALL, STAFF

_NOTICE: dict[str, Any] = {"work": "install", "notice": "a" * 64, "paper": {"document": "b" * 64}}


def test_whoever_has_recorded_an_act_or_does_not_work_now_is_not_offered_to_sign_it() -> None:
    office = TrialOffice("arizona", HALL, {**STAFF, "ivy": "compliance"})
    office.do("olga", "register_table", "craps-1", area="pit-1")
    office.do("olga", "notify_installation", "craps-1", **_NOTICE)
    [pending] = office.scene.state.pending.values()
    [part] = pending.done.waits

    def offered() -> dict[str, str]:
        found = possible_signers(office.scene, pending.done.number, part, office.people.values())
        assert found is not None
        return {signer.account: signer.why for signer in found}

    assert {account for account, why in offered().items() if not why} >= {"cora", "ivy"}
    assert "it must be signed by somebody other than" in offered()["olga"]
    assert "dan" not in offered(), "a dealer has no role that signs it"
    assert possible_signers(office.scene, pending.done.number, "third", office.people.values()) is None
    office.sign("cora", part)
    assert possible_signers(office.scene, pending.done.number, part, office.people.values()) is None
