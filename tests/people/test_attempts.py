"""Too many wrong tries have to wait."""

from threading import Barrier, Thread

from passline.people.attempts import NAME_TRIES, WAIT_SECONDS, Wait
from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.refusal import Refused
from tests.people.house import NEW, PASSWORD, PIN, QUICK, WRONG, House, forget_counters


def test_after_five_wrong_tries_waits_grow_across_processes_and_restarts(house: House) -> None:
    house.owner()
    for _ in range(5):
        assert isinstance(house.another_desk().log_in(name="Olga", password=WRONG), Refused)
    waits = []
    for _ in range(8):
        wait = house.another_desk().log_in(name="olga", password=PASSWORD)  # even with the right password
        assert isinstance(wait, Wait)
        waits.append(wait.seconds)
        house.clock.move(wait.seconds)
        assert isinstance(house.desk.log_in(name="Olga", password=WRONG), Refused)
    assert waits == [30, 60, 120, 240, 480, 900, 900, 900]
    assert str(Wait(480)) == "too many tries; wait 8 minutes and try again"
    house.clock.move(900)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert isinstance(house.desk.log_in(name="Olga", password=WRONG), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome), "a right password restarts the count"


def test_one_address_may_not_try_many_names(house: House) -> None:
    house.owner()
    for number in range(30):
        assert isinstance(house.desk.log_in(name=f"N{number}", password=WRONG, address="a"), Refused)
    wait = house.desk.log_in(name="Olga", password=PASSWORD, address="a")
    assert isinstance(wait, Wait)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="b"), Welcome)
    house.clock.move(wait.seconds)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="a"), Welcome)


def test_a_stranger_cannot_lock_out_a_name(house: House) -> None:
    """Attack: wrong passwords for the owner's name, from one address until it waits, then from two hundred others."""
    house.owner()
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.1"), Welcome)
    for _ in range(5):
        assert isinstance(house.desk.log_in(name="Olga", password=WRONG, address="203.0.113.9"), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=WRONG, address="203.0.113.9"), Wait)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="198.51.100.7"), Welcome), "any other"
    many = [house.desk.log_in(name="Olga", password=WRONG, address=f"203.0.113.{number}") for number in range(200)]
    assert sum(isinstance(one, Refused) for one in many) <= NAME_TRIES
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99"), Wait), "never seen here"
    known = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.1")
    assert isinstance(known, Welcome), "an address that was right before"
    moved = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99", device=known.device)
    assert isinstance(moved, Welcome), "a device that was right before, at an address that never was"


def test_wrong_passwords_from_many_addresses_wait_whoever_they_are_for(house: House) -> None:
    """Attack: one wrong password from each of 24 addresses, as behind a proxy; nobody's name tells that it is none."""
    house.owner()
    waits = {}
    for name in ("Olga", "Nobody"):
        many = [house.desk.log_in(name=name, password=WRONG, address=f"203.0.113.{number}") for number in range(24)]
        waits[name] = [one.seconds if isinstance(one, Wait) else 0 for one in many]
    assert sum(one == 0 for one in waits["Olga"]) == NAME_TRIES < 24
    assert waits["Olga"] == waits["Nobody"]


def test_strangers_delay_a_new_place_once_and_never_lock_it_out(house: House) -> None:
    """Attack: wrong passwords from more and more addresses, at every moment at which a try is let through."""
    house.owner()
    for number in range(NAME_TRIES):
        house.desk.log_in(name="Olga", password=WRONG, address=f"203.0.113.{number}")
    wait = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99")
    assert isinstance(wait, Wait)
    assert wait.seconds == WAIT_SECONDS
    for number in range(wait.seconds):
        house.clock.move(1)
        if number == wait.seconds - 2:
            again = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99")
            assert again == Wait(1), "asking again makes it no longer"
        for other in (number, number + 100):
            house.desk.log_in(name="Olga", password=WRONG, address=f"198.51.100.{other}")
    tried = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99")
    assert isinstance(tried, Welcome), "it waited for its own turn, which nobody else can take"


def test_a_turn_is_one_try(house: House) -> None:
    house.owner()
    for number in range(NAME_TRIES):
        house.desk.log_in(name="Olga", password=WRONG, address=f"203.0.113.{number}")
    wait = house.desk.log_in(name="Olga", password=WRONG, address="192.0.2.99")
    assert isinstance(wait, Wait)
    house.clock.move(wait.seconds - 1)
    house.desk.log_in(name="Olga", password=WRONG, address="203.0.113.200")
    house.clock.move(1)
    house.desk.log_in(name="Olga", password=WRONG, address="203.0.113.201")
    assert isinstance(house.desk.log_in(name="Olga", password=WRONG, address="192.0.2.99"), Refused)
    second = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.99")
    assert isinstance(second, Wait)
    assert second.seconds > wait.seconds


def test_pins_are_counted_by_name_too_but_not_where_they_were_right(house: House) -> None:
    """Attack: ten colleagues each try one PIN of the boxperson's."""
    owner = house.owner().session.account.id
    house.hire("Bob", "boxperson", by=owner)

    def sign(pin: str, requester: str) -> object:
        return house.desk.sign_off(name="Bob", pin=pin, may_sign=lambda _one: True, requester=requester)

    assert not isinstance(sign(PIN, owner), Refused | Wait)
    for number in range(NAME_TRIES):
        assert isinstance(sign("9999", f"id-{number}"), Refused)
    wait = sign(PIN, "id-another")
    assert isinstance(wait, Wait)
    assert not isinstance(sign(PIN, owner), Refused | Wait), "the two have signed together before"
    house.clock.move(wait.seconds)
    assert not isinstance(sign(PIN, "id-another"), Refused | Wait)


def test_a_device_has_tries_of_its_own_even_where_its_address_must_wait(house: House) -> None:
    owner = house.owner()
    for number in range(30):
        house.desk.log_in(name=f"N{number}", password=WRONG, address="192.0.2.1")
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.1"), Wait)
    for _ in range(4):
        wrong = house.desk.log_in(name="Olga", password=WRONG, address="192.0.2.1", device=owner.device)
        assert isinstance(wrong, Refused)
    right = house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.1", device=owner.device)
    assert isinstance(right, Welcome)
    for _ in range(5):
        house.desk.log_in(name="Olga", password=WRONG, address="192.0.2.1", device=owner.device)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, device=owner.device), Wait)
    forged = owner.device[:-1] + ("0" if owner.device[-1] != "0" else "1")
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="192.0.2.1", device=forged), Wait)


def test_a_whole_ipv6_network_is_one_address(house: House) -> None:
    house.owner()
    for number in range(5):
        assert isinstance(house.desk.log_in(name="Olga", password=WRONG, address=f"2001:db8::{number:x}"), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="2001:db8::ffff"), Wait)


def test_deleting_the_rows_that_make_a_guesser_wait_does_not_help(house: House) -> None:
    """Attack: somebody with the database deletes waits and counters after each wrong try."""
    house.owner()
    tried = 0
    for _ in range(40):
        tried += isinstance(house.desk.log_in(name="Olga", password=WRONG, address="a"), Refused)
        for row in list(house.log.vault.all()):
            if row.kind.startswith("log-in-"):
                house.log.vault.forget(row.kind, row.key)
        forget_counters(house)
    assert tried == 5


def test_an_unknown_address_never_waits(house: House) -> None:
    house.owner()
    for number in range(40):
        assert isinstance(house.desk.log_in(name=f"N{number}", password=WRONG), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)


def test_simultaneous_tries_are_all_counted(house: House) -> None:
    house.owner()
    outcomes: list[object] = []
    start = Barrier(12)

    def attempt() -> None:
        desk = house.another_desk()
        start.wait()
        outcomes.append(desk.log_in(name="Olga", password=WRONG))

    threads = [Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 5


def test_tries_at_a_pin_are_limited_separately_from_log_ins(house: House) -> None:
    owner = house.owner().session.account.id
    house.hire("Bob", "boxperson", by=owner)
    for _ in range(5):
        assert isinstance(
            house.desk.sign_off(name="Bob", pin="9999", may_sign=lambda _one: True, requester=owner), Refused
        )
    assert isinstance(house.desk.sign_off(name="Bob", pin=PIN, may_sign=lambda _one: True, requester=owner), Wait)
    assert isinstance(house.desk.log_in(name="Bob", password=PASSWORD), Welcome)


def test_changing_a_secret_is_limited_like_a_log_in(house: House) -> None:
    owner = house.owner().session.account.id
    for _ in range(5):
        assert isinstance(house.desk.set_pin(by=owner, password=WRONG, pin="8361"), Refused)
    assert isinstance(house.desk.set_password(by=owner, password=PASSWORD, new=NEW), Wait)


def test_one_address_may_not_open_any_number_of_accounts() -> None:
    house = House()
    desk = FrontDesk(house.log, house.clock, registrations=3, hasher=QUICK)
    for number in range(3):
        assert isinstance(desk.register(name=f"P{number}", password=PASSWORD, address="a"), Welcome)
    wait = desk.register(name="Pat", password=PASSWORD, address="a")
    assert isinstance(wait, Wait)
    assert isinstance(desk.register(name="Pia", password=PASSWORD, address="b"), Welcome)
    house.clock.move(wait.seconds)
    assert isinstance(desk.register(name="Pat", password=PASSWORD, address="a"), Welcome)
