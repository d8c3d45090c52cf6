"""What could be purged: only what is over the time that two owners chose, oldest first, and held by nothing open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.cli.main import main
from passline.errors import CrapsError
from passline.office.purging import PurgePlan, plan_purge
from passline.people import commands as c
from passline.people.credentials import SignOff
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.genesis import HOUSE
from passline.store.sqlite import SqliteLog
from passline.store.timestamps import later
from passline.store.upkeep.archiving import archive_entries
from passline.streams.course import Answer
from tests.office.busy_house import log_story
from tests.people.house import PIN, House
from tests.store.drafts import draft

BEGUN = "2020-01-14T08:00:00.000000Z"
NOW = "2033-05-20T08:00:00.000000Z"
_DAY = 24 * 60 * 60


class OldHouse(House):
    """A house with two owners, and entries of three days of 2020 and one of 2026 in archived segments."""

    def __init__(self, log: SqliteLog) -> None:
        super().__init__(log)
        self.sqlite = log
        self.clock.now = BEGUN
        self.olga = self.owner("Olga").session.account.id
        self.oskar = self.hire("Oskar", "owner", by=self.olga).session.account.id

    def elect(self, years: int, at: str, signer: str = "Oskar") -> Answer | Refused:
        self.clock.now = at
        done = self.desk.do(c.ElectRetention(years=years), by=self.olga, sign_off=SignOff(signer, PIN))
        assert isinstance(done, Answer | Refused)
        return done

    def invent(self, at: str) -> None:
        self.log.append([replace(draft(0, stream=f"invented {at}"), at=at)])

    def archive(self, at: str = NOW) -> None:
        self.invent(at)
        archive_entries(self.log, at, by="ann", at=at)

    def plan(self, at: str = NOW) -> dict[str, str]:
        """Return why each day's segment stays."""
        return {one.day: one.why for one in plan_purge(self.log, at).segments}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[OldHouse]:
    log = open_log(tmp_path / "house", at=BEGUN)
    assert isinstance(log, SqliteLog)
    house = OldHouse(log)
    yield house
    log.close()


def test_only_two_owners_choose_how_long_records_are_kept_and_never_less_than_five_years(house: OldHouse) -> None:
    assert isinstance(house.desk.do(c.ElectRetention(years=7), by=house.olga), Refused)
    assert isinstance(house.elect(7, BEGUN, signer="Olga"), Refused), "nobody signs for herself"
    for years in (-1, 1, 4, 101):
        refused = house.elect(years, BEGUN)
        assert isinstance(refused, Refused)
        assert f"records are kept for 5 to 100 years, or for ever (0), not for {years}" in str(refused)
    assert isinstance(house.elect(0, BEGUN), Refused), "they are kept for ever without a choice"
    assert isinstance(house.elect(5, BEGUN), Answer)
    assert house.desk.people().safeguards.retention == ((BEGUN, 5),)


def test_a_day_goes_when_its_years_are_over_and_none_before_those_that_are_older(house: OldHouse) -> None:
    house.elect(6, BEGUN)
    for day in (1, 2):
        house.invent(later(BEGUN, day * _DAY))
    house.archive()
    over = {"2020-01-14": "", "2020-01-15": "", "2020-01-16": "stays, its time is not over"}
    assert house.plan("2026-01-16T23:59:59.000000Z") == over
    assert house.plan("2026-01-17T00:00:00.000000Z") == dict.fromkeys(over, "")


def test_without_a_choice_everything_stays_for_ever(house: OldHouse) -> None:
    house.archive()
    assert house.plan() == {"2020-01-14": "stays for ever"}


def test_a_shorter_time_counts_only_when_others_had_time_to_find_it(house: OldHouse) -> None:
    """Attack: the time is shortened, and the same night everything goes."""
    house.elect(20, BEGUN)
    shortened = "2033-01-01T08:00:00.000000Z"
    house.elect(5, shortened)
    house.archive()
    assert house.plan(later(shortened, 89 * _DAY))["2020-01-14"] == "stays, its time is not over"
    assert house.plan(later(shortened, 90 * _DAY))["2020-01-14"] == ""
    house.elect(0, NOW)
    assert house.plan(later(NOW, _DAY))["2020-01-14"] == "stays for ever"


def test_a_clock_that_runs_ahead_makes_nothing_old(house: OldHouse) -> None:
    """Attack: the clock of the machine is set forward for one command."""
    house.elect(5, BEGUN)
    house.archive("2024-06-01T08:00:00.000000Z")
    assert house.plan("2099-01-01T08:00:00.000000Z")["2020-01-14"] == "stays, its time is not over"


def test_entries_that_were_dated_back_make_nothing_old(house: OldHouse) -> None:
    """Attack: the clock is set back, so that the last entries of a segment look old."""
    house.elect(5, BEGUN)
    house.invent("2031-01-01T08:00:00.000000Z")
    for day in (20, 30):
        house.invent(later(BEGUN, day * _DAY))
    house.archive()
    assert house.plan() == {"2020-01-14": "", "2031-01-01": "stays, its time is not over"}


def test_a_clock_that_nobody_keeps_makes_nothing_old(house: OldHouse) -> None:
    house.elect(5, BEGUN)
    told = b'[{"event":"clock-sync-changed/1","state":"not synchronised","milliseconds":0}]'
    sync = draft(0, stream=HOUSE)
    house.log.append([replace(sync, expected=house.log.streams()[HOUSE], at=NOW, events=type(sync.events)(told))])
    with pytest.raises(CrapsError, match="no time service keeps the clock"):
        house.plan()


STORY = (
    "office section2",
    'facility name="Harbour Lights" zone="UTC" subdivision="NJ" day_begins="06:00" areas=["pit-1"]',
    "people cora=compliance flo=floorperson fay=floorperson",
    "at 2026-03-02 09:00",
    'flo report_incident {what = "a die left the table"}',
)


def test_what_is_open_holds_everything_from_a_year_before_it_on(house: OldHouse) -> None:
    house.elect(5, BEGUN)
    for at in ("2025-02-28T08:00:00.000000Z", "2025-03-01T08:00:00.000000Z"):
        house.invent(at)
    log_story(house.log, STORY)
    house.archive()
    plan = plan_purge(house.log, NOW)
    assert [str(hold) for hold in plan.holds] == ["incident I-1 of the office of section2, open since 2026-03-02"]
    assert {one.day: one.why for one in plan.segments} == {
        "2020-01-14": "",
        "2025-02-28": "",
        "2025-03-01": "stays, held by what is open",
        "2025-12-31": "stays, held by what is open",
        "2026-03-02": "stays, held by what is open",
    }
    assert _said(plan)[-1].startswith("2 of 5 files could go, ")


def test_the_command_lists_and_removes_nothing(
    house: OldHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house.elect(5, BEGUN)
    house.archive("2026-11-01T08:00:00.000000Z")
    folder = tmp_path / "house"
    files = sorted((folder / "archive").iterdir())
    assert main(["purge", "--data", str(folder)]) == 2
    assert "nothing was purged" in capsys.readouterr().err
    assert main(["purge", "--dry-run", "--data", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "records are kept for 5 years: the time of gaming days before 2021-11-01 is over" in told
    assert "to the gaming day 2020-01-14: could go" in told
    assert sorted((folder / "archive").iterdir()) == files


def _said(plan: PurgePlan) -> list[str]:
    return list(plan.lines())
