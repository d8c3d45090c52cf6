"""A second attack through the API, on one house: what goes through the server is refused as the engine refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.acts.rules import SECOND
from passline.tournament.verify import log_faults
from tests.people.house import PIN
from tests.tournament.engine_cases import one_event
from tests.web.fraud import CORA, KEY, OSKAR, Fraud, why_refused
from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long

_UNSEEN = "\u200b"


@pytest.fixture(scope="module")
def fraud() -> Iterator[Fraud]:
    """A house for all of them: none is done."""
    with serving() as server:
        fraud = Fraud(House(server))
        yield fraud
        assert not list(log_faults(server.log.read()))


def test_a_letter_of_the_tgo_sets_one_figure(fraud: Fraud) -> None:
    letter = fraud.paper()
    limit = {"command": "set-value", "key": "table_limit", "value": 9, **letter}
    assert fraud.send(limit, sign_off=OSKAR).status_code == 201
    notice = {"command": "set-value", "key": "installation_notice", "value": {"count": 1, "unit": "hours"}, **letter}
    assert "has served for a setting" in why_refused(fraud.send(notice, sign_off=OSKAR))
    unseen = {**fraud.paper(), "reference": _UNSEEN}
    assert "signs that nobody sees" in why_refused(fraud.send({**limit, **unseen}, sign_off=OSKAR))
    to_come = {**fraud.paper(), "received": "2027-01-01"}
    assert "is not a day until" in why_refused(fraud.send({**limit, **to_come}, sign_off=OSKAR))


def test_a_moment_of_another_writing_is_refused(fraud: Fraud) -> None:
    for moment in ("2026-11-15 23:00:00.000000Z", "0001-01-01T00:00:00.000000Z"):
        told = fraud.act("collect_tips", "t1", fields={"collected": "TIP-1"}, occurred=moment)
        assert "is not a moment such as" in why_refused(fraud.send(told, "Cass")), moment


def test_a_box_whose_number_differs_in_capitals_is_the_same_box(fraud: Fraud) -> None:
    assert fraud.send(fraud.act("enter_drop_box", "D1", fields={"number": "t1"}), "Cora").status_code == 201
    again = fraud.act("enter_drop_box", "d1", fields={"number": "t1"})
    assert "d1 is read as the same" in why_refused(fraud.send(again, "Cora"))


def test_a_revoked_key_does_not_come_back(fraud: Fraud) -> None:
    fraud.give_key()
    key = KEY.public.hex()
    revoke = {"command": "revoke-body-key", "body": "TGO", "key": key, "reason": "stolen"}
    assert fraud.send(revoke, sign_off=OSKAR).status_code == 201
    for body in ("TGO", "SGA"):
        give = {"command": "give-body-key", "body": body, "key": key}
        assert "was revoked" in why_refused(fraud.send(give, sign_off=OSKAR)), body


def test_an_owner_who_is_suspended_sets_nothing_and_signs_for_nobody(fraud: Fraud) -> None:
    licensed = {"post": "owner", "licence_until": "2026-12-31", "certificate_until": "2026-12-31"}
    oskar = fraud.accounts["Oskar"]
    entered = fraud.act("enter_employee", oskar, fields=licensed, signs=SECOND)
    own = why_refused(fraud.send(entered, "Cora", OSKAR))
    assert "it is about Oskar: somebody else signs it" in own
    assert fraud.send(entered, "Cora", {"name": "Abe", "pin": PIN}).status_code == 201
    suspended = fraud.act("suspend_employee", oskar, fields={"reason": "under investigation"})
    assert fraud.send(suspended, "Cora").status_code == 201
    setting = {"command": "set-value", "key": "cash_report", "value": 1_000_000_00}
    assert "is suspended or has left" in why_refused(fraud.send(setting, sign_off=OSKAR))
    returned = fraud.act("return_employee", oskar, signs=SECOND)
    assert fraud.send(returned, "Cora", {"name": "Abe", "pin": PIN}).status_code == 201
    assert fraud.send(setting, sign_off=OSKAR).status_code == 201


def test_of_two_signatures_at_once_one_is_taken(fraud: Fraud) -> None:
    told = fraud.act(
        "submit_drop_times", fields={"drop_times": ["06:00"], "count_times": ["07:00"]},
        paper={"document": fraud.letter()},
    )  # fmt: skip
    assert fraud.send(told, "Cora").status_code == 201
    number = fraud.acts
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda who: fraud.send(fraud.second(number), who), ("Oskar", "Abe")))
    assert sorted(answer.status_code for answer in found) == [201, 409], [answer.text for answer in found]


def test_nobody_signs_after_the_account_was_disabled(fraud: Fraud) -> None:
    key = fraud.act("enter_key", "K1", fields={"opens": "the boxes"})
    assert fraud.send(key, "Cora").status_code == 201
    out = fraud.act("issue_key", "K1", fields={"purpose": "count"})
    assert fraud.send(out, "Cass").status_code == 201
    gone = fraud.owner.post(f"/api/people/{fraud.accounts['Abe']}/disable", {"reason": "gone"})
    assert gone.status_code == 200, gone.text
    sign = {"command": "sign-act", "number": fraud.acts, "part": "holder"}
    assert fraud.send(sign, "Abe").status_code == 401
    assert fraud.send(sign, "Cass", {"name": "Abe", "pin": PIN}).status_code == 403
    assert fraud.send(sign, "Cass", CORA).status_code == 201


def test_a_player_has_no_name_that_is_read_as_another(fraud: Fraud) -> None:
    """Attack: one player enters twice, the second time with a letter of another alphabet that looks the same."""
    plan = to_builtins(replace(one_event(), id="evening", dice="electronic"))
    planned = fraud.owner.post("/api/tournaments/commands", {"command": {"command": "plan-tournament", "plan": plan}})
    assert planned.status_code == 201, planned.text
    entry = {"command": "enter-player", "event": plan["events"][0]["name"]}
    for name, status in (("Ann Lee", 201), ("\u0410nn Lee", 422)):
        answer = fraud.owner.post("/api/tournaments/evening/commands", {"command": {**entry, "name": name}})
        assert answer.status_code == status, answer.text
    assert "letters of one alphabet" in answer.text
