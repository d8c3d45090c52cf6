"""Journals for a general ledger: what the log moved and what tables won, checked by real ledgers and by hand."""

from __future__ import annotations

import subprocess
from collections import Counter
from datetime import timedelta
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from passline.bookkeeping.act_money import units_cents
from passline.bookkeeping.win import table_results
from passline.cli.main import app
from passline.journals.chart import ChartError, read_chart, standard_chart
from passline.journals.formats import as_csv
from passline.journals.office_entries import LedgerAccount, OfficeEntries
from passline.journals.posting import journals_of
from passline.office.folder import past_of
from passline.store.entry import Entry
from passline.store.export import write_jsonl
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.tournament import commands as c
from tests.external_programs import program_path
from tests.office.cage_story import count, opened_cage
from tests.office.corrected_story import (
    FIRST,
    ToldStory,
    is_of_day,
    random_mistakes,
    random_story,
    replace_until,
    within_day,
    wrong_tables,
)
from tests.tournament.director import Director
from tests.tournament.regulations import known_example

SECOND = FIRST + timedelta(days=1)
MAIN = "Main event"
_BEGUN = "2025-12-30T00:00:00.000000Z"


def _told(regulation: str, seed: int, *, closes: bool) -> tuple[ToldStory, list[Any], list[Any]]:
    """Two days of an office with mistakes; its steps, and the mistakes that are put right after the days are closed."""
    random = Random(f"journals {regulation} {seed}")
    story = random_story(regulation, random, days=2)
    mistakes = wrong_tables(story, random, 4) if seed % 2 and not closes else random_mistakes(story, random, 12)
    mistakes.sort(key=lambda mistake: mistake.step)
    if closes:
        of_day = [mistake for mistake in mistakes if is_of_day(story, mistake)]
        mistakes = [within_day(story, replace_until(mistake, len(story))) for mistake in of_day]
    told = ToldStory(regulation)
    told.tell_story(story, mistakes, closes=closes)
    return told, story, mistakes if closes else []


@pytest.mark.parametrize("regulation", ["maryland", "colorado"])
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(3, 40))])
def test_postings_are_the_stocks_and_results_of_the_office(regulation: str, seed: int) -> None:
    told, story, late = _told(regulation, seed, closes=seed % 4 > 1)
    for mistake in late:
        told.correct(story, mistake)
    entries, sums = OfficeEntries(standard_chart()), Counter[LedgerAccount]()
    for _, event in told.events:
        for posting in entries.take(event):
            assert not sum(cents for _, cents in posting.lines)
            for account, cents in posting.lines:
                sums[account] += cents
    for place, units in told.state.stocks["chips"].items():
        kind, _, thing = place.partition("/")
        if kind != "players":
            assert sums[LedgerAccount(f"chips.{kind}", thing)] == units_cents(units), place
    results = table_results(told.events, told.facility)
    for table in {result.table for result in results}:
        won = [one.closer + one.credits + one.drop - one.opener - one.fills for one in results if one.table == table]
        assert sums[LedgerAccount("win", table)] == -sum(won)
        assert not sums[LedgerAccount("clearing.play", table)]
    assert not sums[LedgerAccount("clearing.drop")]
    assert {account.key for account in sums} <= {*standard_chart().accounts}


def test_the_money_of_a_cage_by_drawer_is_posted_where_it_lies_and_clears_what_it_was_taken_for() -> None:
    office = opened_cage()
    second: dict[str, Any] = {"signs": "second", "signed_by": "sam"}
    answers = [
        office.do("cora", "enter_patron", "rex", name="Rex Harlow", identification="driving licence"),
        office.do("cy", "sell_chips", units={"2500": 40}),
        office.do(
            "cy", "sell_chips", units={"2500": 20}, not_cash=True, form="cheque", signs="second", signed_by="cal"
        ),
        office.do(
            "cy", "cash_instrument", signed=True, amount=300_00, form="cheque", reference="8812", patron="rex", **second
        ),
        office.do("cy", "pay_out", amount=20_00, signed=True, reason="a locksmith", **second),
    ]
    assert not [answer for answer in answers if answer.startswith("refused")], answers
    count(office, "close_drawer", "cy", "acc", "D1", notes={"10000": 109}, cheques=800_00)
    entries, sums = OfficeEntries(chart := standard_chart()), Counter[str]()
    for _, event in office.events:
        for posting in entries.take(event):
            sums.update({chart.account(*account): 0 for account, _ in posting.lines})
            for account, cents in posting.lines:
                sums[chart.account(*account)] += cents
    for stock, name in (("cash", "Cash"), ("cheque", "Cheques")):
        held = office.state.stocks[stock]
        assert sums[f"Assets:{name}:Drawers:D1"] == held["drawer/D1"]["1"] > 0
    assert sums["Assets:Cash:Vault"] == office.state.stocks["cash"]["vault"]["1"] > 0
    assert not sums["Assets:Cash:Cage"]
    assert not sums["Assets:Clearing:Cage"]
    assert sums["Expenses:Variances:Cage"] == office.state.stocks["cash"]["over_short"]["1"]
    assert not [name for name in sums if "Suspense" in name]


# --- As files ---------------------------------------------------------------------------------------------------------


def _log() -> tuple[MemoryLog, list[Entry]]:
    """A log of two closed days and a third with corrections of them; and its entries when the second was closed."""
    told, story, late = _told("colorado", 3, closes=True)
    log = MemoryLog(SigningKey(bytes(32)), at=_BEGUN)
    told.write(log)
    before = [stored.entry for stored in log.read()]
    done = len(told.done)
    for mistake in late:
        told.correct(story, mistake)
    told.end_day(FIRST + timedelta(days=2))
    told.write(log, done)
    return log, before


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journals of that log in each format, as the command writes them; the log itself lies beside them."""
    folder = tmp_path_factory.mktemp("ledger")
    log, _ = _log()
    write_jsonl(log.rows(), folder / "log.jsonl")
    outputs = [word for end in ("csv", "beancount", "journal") for word in ("--to", str(folder / f"all.{end}"))]
    result = CliRunner().invoke(app, ["ledger", str(folder / "log.jsonl"), *outputs])
    assert result.exit_code == 0, result.output
    return folder


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_beancount_accepts_journals_once(files: Path) -> None:
    check = program_path("bean-check", package="beancount")
    done = _run(check, str(files / "all.beancount"))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    twice = files / "twice.beancount"
    text = (files / "all.beancount").read_text(encoding="utf-8")
    twice.write_text(text + "\n".join(line for line in text.split("\n") if " open " not in line), encoding="utf-8")
    again = _run(check, str(twice))
    assert again.returncode
    assert "Duplicate entry" in again.stderr + again.stdout


def test_hledger_accepts_journals_once_and_adds_up_what_the_raw_log_says(files: Path) -> None:
    hledger = program_path("hledger", package="hledger")
    journal = files / "all.journal"
    assert _run(hledger, "-f", str(journal), "check", "--strict").returncode == 0
    twice = files / "twice.journal"
    twice.write_text(journal.read_text(encoding="utf-8") * 2, encoding="utf-8")
    again = _run(hledger, "-f", str(twice), "check")
    assert again.returncode
    assert "assertion" in again.stderr
    shown = _run(hledger, "-f", str(journal), "balance", "--flat", "--no-total", "-E", "--output-format=csv").stdout
    rows = [line.strip('"').split('","') for line in shown.splitlines()[1:]]
    balances = {account: cents for account, amount in rows if (cents := _cents(amount))}
    assert len(balances) > 10
    assert balances == {account: cents for account, cents in _by_hand(files / "log.jsonl").items() if cents}


def _cents(amount: str) -> int:
    return int(amount.removesuffix(" USD").replace(".", "")) if amount != "0" else 0


class _RawLog:
    """What the JSON of a log says by itself: movements of chips, and the figures of acts as they were said last."""

    def __init__(self, log: Path) -> None:
        self.acts: dict[int, dict[str, Any]] = {}
        self.places = Counter[str]()
        self._figures: dict[int, dict[str, Any]] = {}
        for line in log.read_text(encoding="utf-8").splitlines():
            for event in loads(line)["entry"]["events"]:
                if event["event"] == "act-done/1":
                    self.acts[event["number"]] = event
                elif event["event"] == "act-completed/1":
                    self._complete(event)

    def _complete(self, event: dict[str, Any]) -> None:
        number, corrects = event["number"], event.get("corrects") or {"first": event["number"], "now": {}}
        figures = self._figures.setdefault(corrects["first"], {**self.acts[number]["fields"]})
        figures.update(corrects["now"])
        for move in event.get("moves", ()):
            cents = sum(int(unit) * count for unit, count in move["units"].items())
            self.places[move["target"]] += cents
            self.places[move["source"]] -= cents

    def done(self, *names: str) -> list[tuple[int, dict[str, Any]]]:
        """The acts of these names that took effect and put no other right, in order."""
        return [(number, self.acts[number]) for number in sorted(self._figures) if self.acts[number]["act"] in names]

    def cents(self, number: int, *fields: str) -> int:
        """What fields of an act come to."""
        values = [self._figures[number].get(field) or 0 for field in fields]
        return sum(
            sum(int(unit) * count for unit, count in one.items()) if isinstance(one, dict) else int(one)
            for one in values
        )

    def wins(self) -> dict[str, int]:
        """What each table has won: closers, credits and drop less openers and fills."""
        won, slips, boxes, is_open = Counter[str](), dict[str, tuple[str, int]](), dict[str, str](), set[str]()
        for number, act in sorted(self.acts.items()):
            if number not in self._figures:
                continue
            name, thing = act["act"], (act["things"] or [""])[0]
            if name in {"count_opener", "count_closer"}:
                won[thing] += self.cents(number, "chips") * (1 if name == "count_closer" else -1)
                (is_open.add if name == "count_opener" else is_open.discard)(thing)
            elif name in {"request_fill", "request_credit"}:
                slips[thing] = act["fields"]["table"], number
            elif name in {"accept_fill", "prepare_credit", "return_credit"} and slips[thing][0] in is_open:
                table, request = slips[thing]
                came = number if act["fields"].get("units") else request
                won[table] += self.cents(came, "units") * (1 if name == "prepare_credit" else -1)
            elif name == "drop_table":
                boxes[act["fields"]["dropped"]] = thing
            elif name == "count_box":
                won[boxes[thing]] += self.cents(number, "cash", "chips", "tickets")
        return won


def _by_hand(log: Path) -> dict[str, int]:
    """The balances by another arithmetic, from the raw log alone."""
    raw = _RawLog(log)
    chips = {
        "reserve": "Reserve",
        "cage": "Cage",
        "transit": "Transit",
        "table/T1": "Tables:T1",
        "table/T2": "Tables:T2",
    }
    found = {f"Liabilities:Chips:{name}": raw.places[place] for place, name in chips.items()}
    found["Liabilities:Chips:Made"] = raw.places["maker"] + raw.places["destroyed"]
    found["Expenses:Variances:Chips"] = raw.places["unexplained"]
    sold, redeemed = (
        sum(raw.cents(number, "units") for number, _ in raw.done(act)) for act in ("sell_chips", "redeem_chips")
    )
    found["Assets:Cash:Cage"] = sold - redeemed
    boxes = raw.done("count_box")
    found["Assets:Cash:CountRoom"] = sum(raw.cents(number, "cash") for number, _ in boxes)
    found["Assets:Tickets"] = sum(raw.cents(number, "tickets") for number, _ in boxes)
    return found | {f"Income:Tables:{table}": -cents for table, cents in raw.wins().items()}


def test_journals_of_closed_days_say_what_their_folders_say_and_never_change() -> None:
    log, before = _log()
    now = journals_of((stored.entry for stored in log.read()), "colorado", standard_chart())
    then = journals_of(before, "colorado", standard_chart())
    for day in (FIRST, SECOND):
        assert as_csv(now.of_day(day)) == as_csv(then.of_day(day))
        posted = {
            (journal.shift, line.account.rpartition(":")[2]): -line.cents
            for journal in now.of_day(day).journals
            for entry in journal.transactions
            for line in entry.lines
            if line.account.startswith(("Income:Tables:", "Equity:Clearing:NotKnown:"))
        }
        shifts = past_of(log, "colorado", day).day.shifts
        won = {(one.shift, one.table): one.closer + one.credits + one.drop - one.opener - one.fills for one in shifts}
        assert {key: cents for key, cents in won.items() if cents} == posted
    numbers = [entry.number for journal in now.journals for entry in journal.transactions]
    assert len({*numbers}) == len(numbers)
    late = [entry for entry in now.journals[-1].transactions if entry.shift == "addendum"]
    assert late
    assert all(entry.refers.startswith("corrects act ") for entry in late)


def test_tournaments_are_posted_as_their_own_books_move_money() -> None:
    told, _, _ = _told("colorado", 2, closes=True)
    log = MemoryLog(SigningKey(bytes(32)), at=_BEGUN)
    told.write(log)
    office = [stored.entry for stored in log.read()]
    director = Director(known_example("colorado"))
    director.at = told.at
    for number in range(1, 5):
        director.enter(MAIN, f"Player {number}")
    director.ask(c.WithdrawEntry(entry=1, reason="cannot come"))
    chance, planned = Random(4), director.state.event(MAIN)
    assert planned is not None
    for _ in planned.rounds:
        director.seat(MAIN, "t-1")
        director.play(chance)
        director.ask(c.EndRound())
    director.ask(c.ConcludeEvent(event=MAIN))
    director.pay_all()
    entries, chart = [*office, *(stored.entry for stored in director.log.read())], standard_chart()
    held = journals_of(entries, "colorado", chart)
    assert held.unposted[-1] >= told.at[:10]
    done = len(told.done)
    told.end_day(told.facility.gaming_day(director.at))
    told.write(log, done)
    entries += [stored.entry for stored in log.read(after=len(office))]
    found = journals_of(entries, "colorado", chart)
    sums = Counter[str]()
    for journal in found.journals:
        for entry in journal.transactions:
            if "tournament" in entry.what:
                for line in entry.lines:
                    sums[line.account] += line.cents
    balances = director.state.balances
    assert sums["Assets:Cash:Cage"] == -balances["cash"] - balances["paid"]
    assert sums["Income:Tournaments:Fees"] == -balances["fees"]
    assert not sum(sums.values())


# --- The chart --------------------------------------------------------------------------------------------------------


def test_a_house_elects_its_accounts_and_a_fault_of_its_chart_is_named(files: Path) -> None:
    ours = files / "ours.toml"
    ours.write_text('commodity = "XTS"\n[accounts]\nwin = "Income:Craps"\n', encoding="utf-8")
    result = CliRunner().invoke(app, ["ledger", str(files / "log.jsonl"), "--chart", str(ours), "--to", "-"])
    assert result.exit_code == 1, "two tables would have one account"
    assert "give them names" in str(result.exception)
    ours.write_text('[accounts]\nwin = "Income:Craps:{of}"\n[names]\nT1 = "North"\n', encoding="utf-8")
    result = CliRunner().invoke(
        app, ["ledger", str(files / "log.jsonl"), "--chart", str(ours), "--day", str(FIRST), "--to", "-"]
    )
    assert "Income:Craps:North" in result.output
    with pytest.raises(ChartError) as fault:
        read_chart('commodity = "$"\n[names]\nT1 = "north"\n[acts.sell_chips]\nplayers = "till"', "ours.toml")
    assert [line.split(": ")[1] for line in str(fault.value).splitlines()] == [
        "commodity",
        "names.T1",
        "acts.sell_chips",
    ]
