"""Logging in and out, and everything that ends a session."""

from passline.people import commands as c
from passline.people.sessions import IDLE_SECONDS, PLAYER_IDLE_SECONDS, Welcome
from passline.refusal import Refused
from passline.streams.course import Answer
from tests.people.house import NEW, PASSWORD, WRONG, House, who


def test_logging_in_and_out(house: House) -> None:
    house.owner()
    first = house.desk.log_in(name="OLGA", password=PASSWORD)
    second = house.another_desk().log_in(name="Olga", password=PASSWORD)
    assert isinstance(first, Welcome)
    assert isinstance(second, Welcome)
    assert first.token != second.token
    assert first.session.csrf != second.session.csrf
    assert first.token not in first.session.csrf
    assert who(house.desk, first) == who(house.desk, second) == "Olga"
    house.another_desk().log_out(first.token)
    assert who(house.desk, first) == "nobody"
    assert who(house.desk, second) == "Olga"
    assert house.desk.session_of("") is None
    assert house.desk.session_of("\ud800") is None


def test_a_session_ends_after_twelve_hours_however_much_it_is_used(house: House) -> None:
    owner = house.owner()
    for _ in range(12 * 3):
        assert who(house.desk, owner) == "Olga"
        house.clock.move(20 * 60)
    assert who(house.desk, owner) == "nobody"


def test_a_session_that_nobody_uses_ends_early_and_a_players_later(house: House) -> None:
    """Attack: somebody sits down at a console that its holder left unlocked."""
    owner, pat = house.owner(), house.desk.register(name="Pat", password=PASSWORD)
    assert isinstance(pat, Welcome)
    house.clock.move(IDLE_SECONDS - 1)
    assert who(house.desk, owner) == "Olga"
    house.clock.move(IDLE_SECONDS - 1)
    assert who(house.another_desk(), owner) == "Olga", "another process hears when it was used"
    house.clock.move(IDLE_SECONDS)
    assert who(house.desk, owner) == "nobody"
    assert who(house.another_desk(), owner) == "nobody", "and it does not come back"
    assert who(house.desk, pat) == "Pat"
    house.clock.move(PLAYER_IDLE_SECONDS)
    assert who(house.desk, pat) == "nobody"


def test_an_open_screen_keeps_a_session_in_use(house: House) -> None:
    owner = house.owner()
    for _ in range(5):
        house.clock.move(IDLE_SECONDS - 1)
        assert house.desk.sessions_of([owner.token])[owner.token] is not None


def test_a_token_that_this_house_did_not_make_is_known_without_the_database(house: House) -> None:
    owner = house.owner()
    assert house.desk.is_token(owner.token)
    for token in (
        "",
        "x",
        "\ud800",
        "A" * 75,
        owner.token[:-1],
        owner.token + "0",
        ("y" if owner.token[0] == "x" else "x") + owner.token[1:],
    ):
        assert not house.desk.is_token(token)
        assert house.desk.session_of(token) is None


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(house: House) -> None:
    house.owner()
    wrong = [
        house.desk.log_in(name="Olga", password=WRONG),
        house.desk.log_in(name="Nobody", password=PASSWORD),
        house.desk.log_in(name="\ud800", password="\ud800"),  # noqa: S106 - nobody could type it
    ]
    assert {str(one) for one in wrong} == {"the name or the password is wrong [people]"}


def test_changing_the_password_ends_every_session_but_the_new_one(house: House) -> None:
    old = house.owner()
    account = old.session.account.id
    for password, new in [(WRONG, NEW), (PASSWORD, "short"), (PASSWORD, "Olga"), (PASSWORD, "a" * 12)]:
        assert isinstance(house.desk.set_password(by=account, password=password, new=new), Refused)
    assert who(house.desk, old) == "Olga"
    renewed = house.desk.set_password(by=account, password=PASSWORD, new=NEW)
    assert isinstance(renewed, Welcome)
    assert who(house.another_desk(), old) == "nobody"
    assert who(house.desk, renewed) == "Olga"
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=NEW), Welcome)


def test_disabling_an_account_ends_its_sessions_and_enabling_it_restores_none(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner)
    account = dan.session.account.id
    assert isinstance(house.desk.do(c.DisableAccount(account=account, reason="left"), by=owner), Answer)
    assert who(house.another_desk(), dan) == "nobody"
    assert str(house.desk.log_in(name="Dan", password=PASSWORD)) == "the name or the password is wrong [people]"
    assert isinstance(house.desk.do(c.EnableAccount(account=account), by=owner), Answer)
    assert who(house.desk, dan) == "nobody"
    assert isinstance(house.desk.log_in(name="Dan", password=PASSWORD), Welcome)


def test_a_change_of_roles_applies_at_once_to_open_sessions(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", "stickperson", by=owner)
    done = house.another_desk().do(c.ChangeRoles(account=dan.session.account.id, revoke=("dealer",)), by=owner)
    assert isinstance(done, Answer)
    session = house.desk.session_of(dan.token)
    assert session is not None
    assert session.account.roles == {"stickperson"}
