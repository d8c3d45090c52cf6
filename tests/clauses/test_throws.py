"""Throws: void by how the dice lie or by a call, cocked dice, the call, the settlement, and the dice passed back."""

from __future__ import annotations

from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import cites_of
from tests.clauses.crew import ROLES, Crew, cited, every_game, listed, regulation_of, row

_CREW = ("dealer", "stickperson", "boxperson", "floorperson")
_REASONS = {
    "not_simultaneous": "not_together",
    **dict.fromkeys(("no_end_hit", "missed_end"), "short_throw"),
    **dict.fromkeys(("on_bank_chips", "rest_on_bank"), "on_bank"),
    **dict.fromkeys(("in_dice_cup", "rest_in_cup"), "in_cup"),
    "rest_on_rail": "on_rail",
    "other_improper": "improper",
    "die_off_table": "off_table",
    "die_on_die": "stacked",
    "resting_sides>1": "two_faces",
    "multi_side_rest": "two_faces",
}


def _games(clause: str) -> list[str]:
    named = row(clause).values.get("game", "")
    if named:
        return [named]
    if clause == "MD-8.C.3":
        return ["craps"]  # the bank in front of the boxperson, whom mini-craps has not
    return ["craps", "mini_craps"] if regulation_of(clause) in {"section2", "maryland"} else ["craps"]


def _each(*clauses: str) -> list[Any]:
    return [
        pytest.param(clause, game, marks=pytest.mark.clause(clause), id=f"{clause}-{game}")
        for clause in clauses
        for game in _games(clause)
    ]


def _in_the_air(clause: str, game: str, **house: object) -> Crew:
    """Throw on a point, with wagers of many kinds up."""
    crew = Crew(regulation_of(clause), game=game, house=house).point()
    crew.make("place_win", seat=2, number=8, cents=12_00)
    crew.make("field", seat=2, cents=5_00)
    return crew.throw()


def _stands_as_before(crew: Crew, before: Crew) -> None:
    """Check that nothing was decided: wagers, point and money are unchanged, and the shooter has the dice."""
    assert crew.table.position.layout == before.table.position.layout
    assert crew.table.money == before.table.money
    assert (crew.table.position.puck, crew.table.position.dice, crew.table.position.shooter) == (6, "held", 1)
    crew.throw()


# ---- void by themselves


@pytest.mark.parametrize(
    ("clause", "game"),
    _each(
        "CO-2311-1-off", "CO-2311-1-stack", "CO-2312-2-void",
        "S2-i1.off", "S2-i1.stack", "S2-j1i.void", "S2-i1.effect",
        "MD-8.B.off", "MD-8.B.stack", "MD-9.D",
    ),
)  # fmt: skip
def test_a_throw_is_void_by_itself(clause: str, game: str) -> None:
    """CO-2311-1-off, CO-2311-1-stack, CO-2312-2-void, S2-i1.off, S2-j1i.void, S2-i1.effect, MD-8.B.off, MD-9.D."""
    values = row(clause).values
    said = values.get("invalid") or values.get("void_if") or values.get("void") or "two_faces"
    for lies in ({"first_lie": ""}, {"second_lie": ""}, {"first_lie": "", "second_lie": "cocked"}):
        crew, before = _in_the_air(clause, game), _in_the_air(clause, game)
        lie = _REASONS.get(said, said)
        happened = crew.land(3, 4, **{key: value or lie for key, value in lies.items()})  # a 7, had it counted
        voided = [one for one in happened if isinstance(one, e.RollVoided)]
        assert [(one.by, one.is_late, cited(one.clause, clause)) for one in voided] == [("", False, True)]
        _stands_as_before(crew, before)


@pytest.mark.parametrize(("clause", "game"), _each("S2-i1.effect"))
def test_S2_i1_effect__after_a_void_throw_the_come_out_roll_is_still_to_come(clause: str, game: str) -> None:
    """S2-i1.effect: an invalid roll and a no roll leave one-roll wagers and the come-out as they were."""
    crew = Crew("section2", game=game).come_out()
    crew.make("field", seat=2, cents=5_00)
    crew.throw()
    crew.land(2, 2, first_lie="off_table")
    crew.throw()
    crew.land(2, 2)
    voided = crew.one(c.CallNoRoll(by="stickperson", reason="cheating"), e.RollVoided)
    assert cited(voided.clause, clause)
    assert (crew.table.position.phase, crew.layout) == ("come_out", {(1, "pass", 0): 10_00, (2, "field", 0): 5_00})


# ---- void by a call


@pytest.mark.parametrize(
    ("clause", "game"),
    _each(
        "CO-2311-2-a", "CO-2311-2-b", "CO-2311-2-c", "CO-2311-2-d-cup", "CO-2311-2-d-rail", "CO-2311-2-e",
        "CO-2311-2-f", "S2-i2i", "S2-i2ii", "S2-i2iii", "S2-i2iv.cup", "S2-i2iv.rail", "S2-i2v", "S2-i2vi",
        "MD-8.C.1", "MD-8.C.2", "MD-8.C.3", "MD-8.C.4", "MD-8.C.5", "MD-8.C.6",
    ),
)  # fmt: skip
def test_no_roll_is_called_for_a_listed_reason(clause: str, game: str) -> None:
    """CO-2311-2-a to -f, S2-i2i to S2-i2vi, MD-8.C.1 to MD-8.C.6: in the air, at rest or called, not once settled."""
    values = row(clause).values
    for said in values.get("reason", values.get("cause", "")).split("|"):
        reason = _REASONS.get(said, said)
        for steps in (0, 1, 2):
            crew, before = _in_the_air(clause, game), _in_the_air(clause, game)
            if steps:
                crew.land(3, 4)
            if steps == 2:
                crew.call()
            voided = crew.one(c.CallNoRoll(by="stickperson", reason=reason), e.RollVoided)
            assert (voided.reason, voided.by, cited(voided.clause, clause)) == (reason, "stickperson", True)
            _stands_as_before(crew, before)
        crew = _in_the_air(clause, game)
        crew.land(3, 2)
        crew.call()
        crew.settle()
        crew.refused(c.CallNoRoll(by="stickperson", reason=reason))


@pytest.mark.clause("MD-8.C.3", "MD-8.D", "S2-i2iii", "S2-i4")
@pytest.mark.parametrize(("name", "clause"), [("maryland", "MD-8.D"), ("section2", "S2-i4")])
def test_dice_on_the_bank_are_no_reason_where_no_boxperson_sits(name: str, clause: str) -> None:
    """MD-8.C.3, MD-8.D, S2-i2iii, S2-i4: two texts in the same words, so mini-craps answers alike in both."""
    crew = Crew(name, game="mini_craps").point().throw()
    for by in ("dealer", "stickperson", "floorperson"):
        crew.only(c.CallNoRoll(by=by, reason="on_bank"), clause)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2311-2", "S2-i2", "MD-8.C"))
def test_without_a_call_the_roll_stands(clause: str, game: str) -> None:
    """CO-2311-2, S2-i2, MD-8.C: the call is discretionary, for a listed reason, between throw and settlement."""
    crew = Crew(regulation_of(clause), game=game).point()
    crew.only(c.CallNoRoll(by="stickperson", reason="short_throw"), clause)  # nothing is thrown
    crew.throw()
    crew.only(c.CallNoRoll(by="stickperson", reason="bad luck"), clause)
    crew.land(3, 3)
    crew.call()
    crew.settle()
    assert crew.rack(1) == 5_010_00
    crew.only(c.CallNoRoll(by="stickperson", reason="short_throw"), clause)
    if clause == "MD-8.C":
        reasons = crew.rules.procedures.no_roll.reasons.values()
        bank = game == "mini_craps"  # where no bank is in front of a boxperson
        said = int(row(clause).values["reasons"]) - bank
        assert len({one for reason in reasons for one in cites_of(reason.cite)}) == said


@pytest.mark.parametrize(("clause", "game"), _each("MD-8.E.1", "MD-8.E.2"))
def test_no_roll_is_called_by_those_who_may(clause: str, game: str) -> None:
    """MD-8.E.1, MD-8.E.2: boxperson and stickperson at craps; dealer, stickperson and floorperson at mini-craps."""
    callers = set(listed(clause, "callers"))
    for by in ROLES:
        crew = _in_the_air(clause, game)
        command = c.CallNoRoll(by=by, reason="short_throw")  # type: ignore[arg-type]
        if by in callers:
            assert crew.one(command, e.RollVoided).by == by
        else:
            crew.only(command, clause)


@pytest.mark.parametrize(
    ("clause", "game", "judges", "callers"),
    [
        pytest.param("CO-2311-2-f", "craps", listed("CO-2311-2-f", "judge"), ("boxperson", "stickperson", "dealer"),
                     marks=pytest.mark.clause("CO-2311-2-f"), id="colorado"),
        pytest.param("S2-i2vi", "craps", listed("S2-i2vi", "craps"), ("boxperson", "stickperson"),
                     marks=pytest.mark.clause("S2-i2vi"), id="section2"),
        pytest.param("S2-i2vi", "mini_craps", listed("S2-i2vi", "mini"), ("dealer", "stickperson", "floorperson"),
                     marks=pytest.mark.clause("S2-i2vi"), id="section2-mini"),
        pytest.param("MD-8.C.6", "craps", ("boxperson", "stickperson"), ("boxperson", "stickperson"),
                     marks=pytest.mark.clause("MD-8.C.6"), id="maryland"),
        pytest.param("MD-8.C.6", "mini_craps", ("dealer", "stickperson"), ("dealer", "stickperson", "floorperson"),
                     marks=pytest.mark.clause("MD-8.C.6"), id="maryland-mini"),
    ],
)  # fmt: skip
def test_fewer_roles_may_call_no_roll_for_the_catch_all_reason(
    clause: str, game: str, judges: tuple[str, ...], callers: tuple[str, ...]
) -> None:
    """CO-2311-2-f, S2-i2vi, MD-8.C.6: others who may call no roll do so for the other reasons only."""
    house = {"no_roll_callers": callers} if clause.startswith("CO") else {}
    for by in callers:
        crew = _in_the_air(clause, game, **house)
        command = c.CallNoRoll(by=by, reason="improper")  # type: ignore[arg-type]
        if by in judges:
            crew.one(command, e.RollVoided)
            continue
        crew.only(command, clause)
        crew.do(c.CallNoRoll(by=by, reason="short_throw"))  # type: ignore[arg-type]


@pytest.mark.parametrize(("clause", "game"), _each("CO-2311-3", "S2-i3"))
def test_a_late_call_is_flagged_and_stands(clause: str, game: str) -> None:
    """CO-2311-3, S2-i3: three reasons should be called before both dice rest; a later call is recorded as late."""
    causes = {
        "a": "not_together",
        "b": "short_throw",
        "f": "improper",
        "i": "not_together",
        "ii": "short_throw",
        "vi": "improper",
    }
    said = row(clause).values.get("causes", row(clause).values.get("reasons", "")).split("|")
    timely = {causes[one] for one in said}
    reasons = Crew(regulation_of(clause), game=game).rules.procedures.no_roll.reasons
    assert timely < set(reasons)
    for reason in reasons:
        crew = _in_the_air(clause, game)
        early = crew.one(c.CallNoRoll(by="stickperson", reason=reason), e.RollVoided)
        assert (early.is_late, cited(early.clause, clause)) == (False, False)
        crew = _in_the_air(clause, game)
        crew.land(3, 4)
        late = crew.one(c.CallNoRoll(by="stickperson", reason=reason), e.RollVoided)
        assert (late.is_late, cited(late.clause, clause)) == (reason in timely, reason in timely)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2311-4", "S2-i4", "MD-8.D"))
def test_touching_chips_is_no_reason(clause: str, game: str) -> None:
    """CO-2311-4, S2-i4, MD-8.D: nobody's call makes it one; on Section 2's mini-craps table nor does the bank."""
    crew = _in_the_air(clause, game)
    none = ["touched_chips"]
    if clause == "S2-i4":
        none += ["touched_coupons"] + (["on_bank"] if game == "mini_craps" else [])
    for by in ROLES:
        for reason in none:
            crew.refused(c.CallNoRoll(by=by, reason=reason), clause)  # type: ignore[arg-type]
    crew.only(c.CallNoRoll(by="stickperson", reason="touched_chips"), clause)
    assert crew.table.position.dice == "air"


@pytest.mark.parametrize(("clause", "game"), _each("S2-i2iii"))
def test_S2_i2iii__the_bank_is_the_boxpersons(clause: str, game: str) -> None:
    """S2-i2iii: a reason at craps, where there is a boxperson, and none at mini-craps."""
    assert game == "craps"
    crew = _in_the_air(clause, "craps")
    assert cited(crew.one(c.CallNoRoll(by="boxperson", reason="on_bank"), e.RollVoided).clause, clause)
    mini = _in_the_air(clause, "mini_craps")
    mini.only(c.CallNoRoll(by="dealer", reason="on_bank"), "S2-i4")


# ---- throwing and reading


@pytest.mark.parametrize(("clause", "game"), _each("CO-2310-simul", "S2-h1.simul", "MD-8.A.throw"))
def test_the_shooter_throws_both_dice_together(clause: str, game: str) -> None:
    """CO-2310-simul, S2-h1.simul, MD-8.A.throw: the shooter, once; dice that part may be called no roll."""
    assert row(clause).values["release"] == "simultaneous"
    crew = Crew(regulation_of(clause), game=game)
    crew.only(c.ThrowDice(seat=1), clause)  # in the cup
    crew.point()
    crew.only(c.ThrowDice(seat=2), clause)
    for by in _CREW:
        crew.only(c.ThrowDice(seat=1, by=by), clause)  # type: ignore[arg-type]
    crew.throw()
    crew.only(c.ThrowDice(seat=1), clause)  # in the air already
    assert crew.one(c.CallNoRoll(by="stickperson", reason="not_together"), e.RollVoided).reason == "not_together"


@pytest.mark.parametrize(("clause", "game"), _each("CO-2312-1-oneface", "S2-j1.face", "MD-9.B"))
def test_one_face_of_each_die_is_up(clause: str, game: str) -> None:
    """CO-2312-1-oneface, S2-j1.face, MD-9.B: a face is 1 to 6, read by the crew, of dice that were in the air."""
    assert row(clause).values["faces_per_die"] == "1"
    crew = Crew(regulation_of(clause), game=game).point()
    crew.only(c.LandDice(by="dealer", first=1, second=2), clause)
    crew.throw()
    for first, second in ((0, 3), (3, 7), (-1, 6), (6, 8)):
        crew.only(c.LandDice(by="dealer", first=first, second=second), clause)
    crew.only(c.LandDice(by="dealer", first=3, second=4, first_lie="upside down"), clause)
    crew.only(c.LandDice(by="player", first=3, second=4), clause)
    crew.only(c.LandDice(by="shooter", first=3, second=4), clause)
    landed = crew.one(c.LandDice(by="dealer", first=6, second=1), e.DiceLanded)
    assert (landed.first, landed.second, cited(landed.clause, clause)) == (6, 1, True)
    crew.only(c.LandDice(by="dealer", first=6, second=1), clause)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2312-2-cocked", "S2-j1i.face", "MD-9.C"))
def test_a_cocked_die_shows_the_face_opposite_the_resting_one(clause: str, game: str) -> None:
    """CO-2312-2-cocked, S2-j1i.face, MD-9.C: each die by itself; no call is needed."""
    assert "opposite_of_resting_face" in row(clause).values.values()
    for face in range(1, 7):
        crew = _in_the_air(clause, game)
        landed = crew.one(c.LandDice(by="dealer", first=face, second=2, first_lie="cocked"), e.DiceLanded)
        assert (landed.first, landed.second, cited(landed.clause, clause)) == (7 - face, 2, True)
        crew = _in_the_air(clause, game)
        landed = crew.one(c.LandDice(by="dealer", first=3, second=face, second_lie="cocked"), e.DiceLanded)
        assert (landed.first, landed.second) == (3, 7 - face)
    crew = _in_the_air(clause, game)
    flat = crew.one(c.LandDice(by="dealer", first=5, second=2), e.DiceLanded)
    assert not cited(flat.clause, clause)


# ---- called, settled, passed


@pytest.mark.parametrize(
    ("clause", "game"),
    _each("CO-2312-1-call", "S2-j1.call.craps", "S2-j1.call.mini", "AZ-I.6-b", "MD-9.A"),
)
def test_the_total_is_called(clause: str, game: str) -> None:
    """CO-2312-1-call, S2-j1.call.craps, S2-j1.call.mini, AZ-I.6-b, MD-9.A: the sum of the faces, by the caller."""
    said = row(clause).values.get("caller", "dealer|stickperson" if "mini" in game else "stickperson")
    callers = set(said.split("|"))
    for caller in callers:
        crew = Crew(regulation_of(clause), game=game).point()
        crew.only(c.CallRoll(by=caller, total=6), clause)  # type: ignore[arg-type]
        crew.throw()
        crew.only(c.CallRoll(by=caller, total=6), clause)  # type: ignore[arg-type]
        crew.land(5, 3)
        for by in set(ROLES) - callers:
            crew.only(c.CallRoll(by=by, total=8), clause)  # type: ignore[arg-type]
        for total in (7, 9, 53, 0):
            crew.only(c.CallRoll(by=caller, total=total), clause)  # type: ignore[arg-type]
        called = crew.one(c.CallRoll(by=caller, total=8), e.RollCalled)  # type: ignore[arg-type]
        assert (called.total, cited(called.clause, clause)) == (8, True)
        assert crew.table.position.faces == (5, 3)  # hops and hardways need both
        crew.only(c.CallRoll(by=caller, total=8), clause)  # type: ignore[arg-type]


@pytest.mark.clause("AZ-I.6-b")
@pytest.mark.parametrize("by", [["dealer"], ["boxperson", "stickperson"]])
def test_AZ_I_6_b__a_house_of_its_own_procedures_leaves_the_call_to_the_stickperson(by: list[str]) -> None:
    """AZ-I.6-b: the appendix has no procedures, but this duty it has."""
    procedures = rulebook_of("arizona").default_house["procedures"]
    throw = {**procedures["throw"], "called_by": {"by": by, "cite": "AZ-II.G.2.d.iii"}}
    _house, breaches = house_of(rulebook_of("arizona"), {"procedures": {**procedures, "throw": throw}})
    assert [(one.key, one.clause) for one in breaches] == [("procedures.throw.called_by.by", "AZ-I.6-b")]


@pytest.mark.parametrize(
    ("clause", "game"), _each("MD-9.F.1", "MD-9.G.1", "S2-j2.settle", "S2-j3.settle", "S2-j2.pass", "S2-j3.pass")
)
def test_wagers_are_settled_before_the_dice_go_back(clause: str, game: str) -> None:
    """MD-9.F.1, MD-9.G.1, S2-j2.settle, S2-j3.settle, S2-j2.pass, S2-j3.pass: call, settle, pass, in order."""
    settles = {"S2-j2.pass": "S2-j2.settle", "S2-j3.pass": "S2-j3.settle"}.get(clause, clause)
    passes = {"S2-j2.settle": "S2-j2.pass", "S2-j3.settle": "S2-j3.pass"}.get(clause, clause)
    passers = set(row(passes).values.get("by", "dealer|stickperson" if "mini" in game else "stickperson").split("|"))
    for passer in passers:
        crew = Crew(regulation_of(clause), game=game).point()
        back: Any = c.PassDice(by=passer)  # type: ignore[arg-type]
        crew.throw()
        crew.land(5, 3)
        for command in (back, c.Settle(by="dealer"), c.ThrowDice(seat=1)):
            crew.only(command, settles)
        crew.call()
        for command in (back, c.ThrowDice(seat=1)):
            crew.only(command, settles)
        for by in set(ROLES) - {"dealer"}:
            crew.only(c.Settle(by=by), settles)  # type: ignore[arg-type]
        settled = crew.one(c.Settle(by="dealer"), e.RollSettled)
        assert cited(settled.clause, settles)
        crew.only(c.ThrowDice(seat=1), settles)
        crew.only(c.Settle(by="dealer"), settles)
        for by in set(ROLES) - passers:
            crew.only(c.PassDice(by=by), passes)  # type: ignore[arg-type]
        passed = crew.one(back, e.DicePassed)
        assert (passed.seat, cited(passed.clause, passes)) == (1, True)
        crew.throw()


@pytest.mark.parametrize(("name", "game"), every_game())
def test_a_whole_roll_at_once_says_the_same(name: str, game: str) -> None:
    """MD-9.F.1, S2-j2.settle, CO-2312-1-call: automated, a roll brings about what its steps do by hand."""
    by_hand = Crew(name, game=game).point()
    automated = Crew(name, game=game, automate=frozenset({"call", "settle", "pass"})).point_at_once()
    assert automated.table == by_hand.table
    assert tuple(by_hand.roll(5, 3)) == automated.do(c.RollDice(first=5, second=3))
    by_hand.refused(c.RollDice(first=5, second=3))  # not where the crew deals
    for dice in ((0, 3), (3, 7)):
        automated.refused(c.RollDice(first=dice[0], second=dice[1]))


@pytest.mark.parametrize(
    ("clause", "of"),
    [
        pytest.param(clause, of, marks=pytest.mark.clause(clause), id=clause)
        for clause, of in (("CO-2312-2-void", "leaning"), ("S2-i1.effect", "every"), ("MD-9.D", "leaning"))
    ],
)
def test_a_void_throw_cites_its_own_reason_and_what_is_said_of_every_one(clause: str, of: str) -> None:
    """CO-2312-2-void, S2-i1.effect, MD-9.D: throwing again is said of every void throw, or of a leaning die alone."""
    crew = _in_the_air(clause, "craps")
    voided = crew.one(c.CallNoRoll(by="boxperson", reason="cheating"), e.RollVoided)
    assert cited(voided.clause, clause) is (of == "every")
    for lie in ("off_table", "stacked", "two_faces"):
        crew = _in_the_air(clause, "craps")
        voided = next(one for one in crew.land(1, 1, first_lie=lie) if isinstance(one, e.RollVoided))
        assert cited(voided.clause, clause) is (of == "every" or lie == "two_faces")
