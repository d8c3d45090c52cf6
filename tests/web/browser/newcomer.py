"""Somebody who knows nothing but what the pages say, and follows *Today* to a first open table.

A form is filled in by what stands on it: a choice takes its first option, a list all of them, a text whatever names
itself. What a form then marks as missing or wrong is put right where the mark is.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from passline.client import Client
from passline.store.timestamps import later
from tests.people.house import PASSWORD, PIN
from tests.web.browser.player import EXPECT_MS
from tests.web.server import Server

DESK = {"width": 1440, "height": 900}
_TEXTS = {  # what a reader of a label would write there
    r"table: (which|its name)": "craps-1",
    r"die: which": "A1 A2 A3 A4 A5",
    r"chip: (which|its name)": "$5",
    r"drop box: (which|its name)": "BOX-1",
    r"number (on|of) it|permanent number|number.*table": "craps-1",
    r"colour that predominates|colour": "red",
    r"13:45-14:15": "14:00-18:00",
    r"shortest edge": "752",
    r"longest edge": "756",
}
_ROW = """(row) => ({
  label: row.querySelector("legend, label")?.innerText ?? "",
  is_wrong: [...row.querySelectorAll(".field-fault")].some((fault) => !fault.hidden),
})"""
_BARE = """(form) => {
  const rows = [...form.querySelectorAll(".row.field")].slice(1);
  return rows.length > 0 && rows.every((row) => /optional/.test(row.querySelector("legend, label")?.innerText));
}"""  # whoever is sent to a form that asks for nothing fills in all of it
_DAY = timedelta(days=1).total_seconds()


class Newcomer:
    """A house of one owner, who makes the others' accounts when *Today* asks for them."""

    def __init__(self, browser: Browser, regulation: str, folder: Path) -> None:
        self.server, self.browser, self.regulation, self.address = Server(), browser, regulation, ""
        self.folder, self.papers, self.closing = folder, 0, ExitStack()
        self.server.owner()
        self.roles = {"Olga": "owner"}
        self.pages: dict[str, Page] = {}
        self.contexts: dict[str, BrowserContext] = {}
        self.done: list[str] = []

    # --- People and their pages ---------------------------------------------------------------------------------------

    def today(self, name: str) -> Page:
        """Return somebody's page of today, read again."""
        page = self.page_of(name)
        page.goto(f"{self.address}/office/{self.regulation}")
        expect(page.locator("#path, #due").first).to_be_visible()
        return page

    def page_of(self, name: str) -> Page:
        if name not in self.pages:
            with Client(self.address) as client:
                client.log_in(name, PASSWORD)
                context = self.browser.new_context(viewport=DESK)  # type: ignore[arg-type]
                context.set_default_timeout(EXPECT_MS * 4)
                context.add_cookies([{"name": "passline", "value": client.token, "url": self.address}])
            self.contexts[name] = context
            self.pages[name] = context.new_page()
            self.pages[name].on("pageerror", lambda error: pytest.fail(str(error)))
        return self.pages[name]

    def wait_a_day(self) -> None:
        """Let a day pass; everybody logs in again."""
        self.server.clock.now = later(self.server.clock.now, int(_DAY))
        for context in self.contexts.values():
            context.close()
        self.pages.clear()
        self.contexts.clear()

    def close(self) -> None:
        for context in self.contexts.values():
            context.close()
        self.closing.close()

    # --- Following the way --------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the office up as its first page asks for."""
        page = self.page_of("Olga")
        page.goto(f"{self.address}/office/{self.regulation}")
        page.get_by_role("link", name="Set up the office").click()
        page.get_by_label("Name of the house").fill("Mesa Hall")
        page.get_by_label("Time zone").fill("America/Phoenix")
        page.get_by_label("State").fill("Arizonia")
        page.get_by_role("button", name="Set up the office").click()
        expect(page.locator("#fac-state + .field-fault")).to_contain_text("ARIZONIA")  # where it was typed
        page.get_by_label("State").fill("Arizona")
        page.get_by_role("button", name="Set up the office").click()
        expect(page.locator("#path-title")).to_be_visible()

    def follow(self, steps_max: int, *, is_whole: bool = True) -> None:
        """Do what *Today* says can be done now, until it says that the table can be opened, or only so many steps."""
        for _ in range(steps_max):
            page = self.today("Olga")
            if page.get_by_role("heading", name="The first table can be opened").count():
                return
            step = page.locator(".steps > li.is-now").first
            if not step.count():
                waits = page.locator(".steps > li.is-later").all_inner_texts()
                assert any("time must pass" in text for text in waits), waits
                self.wait_a_day()
                continue
            self._do(step, page)
        assert not is_whole, f"{steps_max} steps did not lead to an open table: {self.done}"

    def keep_the_office_here(self) -> None:
        """Have tables open by the office's list only, as *Today* offers to."""
        page = self.today("Olga")
        page.get_by_role("link", name="Keep the office here").click()
        form = page.get_by_role("form", name="Where the office is kept")
        signs = form.get_by_text("Another ").inner_text()
        form.get_by_label("Signed off by").fill(self.somebody_of(signs))
        form.get_by_label("PIN").fill(PIN)
        form.get_by_role("button").click()
        expect(page.get_by_text("Here: a table for money opens only when its opening list is green.")).to_be_visible()

    def somebody_of(self, roles: str) -> str:
        """Return somebody else than Olga who has one of the roles that a text names, hired first where nobody has."""
        found = [name for name, role in self.roles.items() if role in roles and name != "Olga"]
        if not found:
            page = self.contexts["Olga"].new_page()
            page.goto(f"{self.address}/people?role=floorperson#create")
            self._hire(page, "floorperson")
            page.close()
        return found[0] if found else [*self.roles][-1]

    def _do(self, step: Locator, page: Page) -> None:
        """Do a step; where somebody may not who has had it in hand, somebody else does."""
        key, what = step.get_attribute("data-step") or "", step.inner_text()
        by = next((text for text in step.locator(".hint").all_inner_texts() if text.startswith("Done by: ")), "")
        self.done.append(key)
        assert self.done.count(key) < 9, f"{what} comes again and again: {self.done}"
        wrong: list[str] = []
        for name in self._people_for(by) if by else ["Olga"]:
            page = self.today(name) if by else page
            step = page.locator(f'.steps > li.is-now[data-step="{key}"]').first
            if not step.locator("button, a.button").count():
                continue  # has the role, and is not designated
            wrong = self._begin(step, page, key)
            if not any("same person" in text for text in wrong):
                break
        assert not wrong, f"{what}: {wrong}"

    def _begin(self, step: Locator, page: Page, key: str) -> list[str]:
        """Do what the button of a step leads to; return what the page then says is wrong."""
        act = step.locator("button, a.button").first
        name = act.inner_text()
        act.click()
        if name == "Make the account":
            self._hire(page, key)
        elif name == "File the approval":
            page.get_by_label("Reference").fill("L-7")
            page.get_by_label("Date").fill("2026-01-02")
            page.get_by_role("button", name="File", exact=True).first.click()
            expect(page.get_by_text("Filed.").first).to_be_visible()
        else:
            page.wait_for_selector("#sheet[open] form, #flow form, #flow button")
            return self._fill_in(page)
        return []

    def _people_for(self, by: str) -> list[str]:
        """Return everybody who has one of the roles that a step names."""
        if named := [name for name in self.roles if name in by.partition("; here: ")[2].split(", ")]:
            return named
        found = [name for name, role in self.roles.items() if role in by or (role == "owner" and "operator" in by)]
        found = found or list(self.roles)  # a group that people of any role are designated to
        return sorted(found, key=lambda name: by.find(self.roles[name]))  # who is named first does it

    def _hire(self, page: Page, role: str) -> None:
        name = f"{role.capitalize()} {sum(other == role for other in self.roles.values()) + 1}"
        form = page.get_by_role("form", name="New account")
        expect(form.get_by_label(role.capitalize(), exact=True)).to_be_checked()  # as the step has it
        form.get_by_label("Name").fill(name)
        form.get_by_role("button").click()
        link = page.locator("#link-text").inner_text()
        with Client(self.address) as client:
            client.accept(link, name="", password=PASSWORD, pin=PIN)
        self.roles[name] = role

    # --- Forms --------------------------------------------------------------------------------------------------------

    def _fill_in(self, page: Page) -> list[str]:
        """Fill in what is open and record it; whoever must sign signs on the spot. Return what stays wrong."""
        is_flow = bool(page.locator("#flow").count())
        seen = dict[str, int]()
        for _ in range(8):
            if is_flow and not page.locator("#flow form").count() and not seen:
                page.locator("#flow button").first.click()
            form = page.locator("#flow form" if is_flow else "#sheet[open] form").first
            if not form.count():
                return []
            title = form.get_attribute("aria-label") or ""
            seen[title] = seen.get(title, 0) + 1
            if seen[title] > 3:
                break
            self._fill_rows(form, is_again=seen[title] > 1)
            if form.count():
                form.locator('button[type="submit"]').click()
            expect(page.locator("form[data-busy]")).to_have_count(0)
        return page.locator(".refused:visible, .field-fault:visible").all_inner_texts() or ["the form stays open"]

    def _fill_rows(self, form: Locator, *, is_again: bool) -> None:
        is_bare = form.evaluate(_BARE)
        rows, at = form.locator(".row.field:visible, .row.paper:visible, .row:visible"), 0
        while at < rows.count():  # a choice can show further rows, or hide some
            row = rows.nth(at)
            told = row.evaluate(_ROW)
            label, is_wrong = told["label"].lower(), told["is_wrong"] or is_bare
            _Control(row, label, is_wrong=is_wrong).fill_in(self, is_again=is_again or is_bare)
            at += 1
        signers = form.locator("input[type=radio]")
        if signers.count() and not form.locator("input[type=radio]:checked").count():
            _tick(signers.first)
        for box in form.locator("input[type=password]:visible").all():
            box.fill(PIN)

    def paper(self) -> Path:
        """Return a new paper: each serves one act."""
        self.papers += 1
        path = self.folder / f"paper-{self.papers}.pdf"
        path.write_bytes(f"paper {self.papers}".encode())
        return path

    def day(self, label: str) -> str:
        """Return a day: of what must last the end of the year, else today."""
        return "2026-12-31" if "last day" in label else self.server.clock.now[:10]


def _text_for(words: str) -> str:
    return next((text for pattern, text in _TEXTS.items() if re.search(pattern, words)), "")


def _figure_for(box: Locator) -> str:
    """Return a figure where a box takes only figures."""
    return "10" if box.get_attribute("inputmode") in {"numeric", "decimal"} else ""


def _tick(box: Locator) -> None:
    """Tick a box or choose it by its label, where a finger would."""
    if not box.is_checked():
        box.locator("xpath=ancestor::label[1]").click()
    expect(box).to_be_checked()


class _Control:
    """A row of a form."""

    def __init__(self, row: Locator, label: str, *, is_wrong: bool) -> None:
        self.row, self.label, self.is_wrong = row, label, is_wrong

    def fill_in(self, who: Newcomer, *, is_again: bool) -> None:
        row = self.row
        if self._is_left_out():
            return
        if row.locator("textarea.elections").count():
            expect(row.locator("textarea.elections")).not_to_have_value("")  # the defaults come by themselves
            return
        self._choose(is_again=is_again)
        for box in row.locator("input[type=file]:not([accept]):visible").all():
            if not box.evaluate("(one) => one.files.length"):
                box.set_input_files(who.paper())
                expect(row.get_by_text(re.compile("goes on record")).first).to_be_visible()
        for box in row.locator("input[type=date]:visible").all():
            if not box.input_value():
                box.fill(who.day(self.label))
        for box in row.locator("input[type=password]:visible").all():
            box.fill(PIN)
        for look in row.get_by_role("button", name=re.compile("^(Look|Show|Read)")).all():
            look.click()
        for box in row.locator('label.box:has-text("This is the paper") input:visible').all():
            box.check()
        self._write(who)

    def _is_left_out(self) -> bool:
        if "unless" in self.label and self.row.locator("input[type=file]").count():
            return True  # its box says that there is none
        return "optional" in self.label and not self.is_wrong

    def _choose(self, *, is_again: bool) -> None:
        row = self.row
        radios = row.locator("input[type=radio]")
        if radios.count() and not row.locator("input[type=radio]:checked").count():
            _tick(radios.first)
        many = row.locator("fieldset input[type=checkbox], .pills.many input, .checklist input")
        form = row.locator("xpath=ancestor::form[1]")
        spared = "Olga" if form.get_by_text("and is not named here").count() else ""  # somebody must be left to sign
        for box in many.all():
            if not spared or box.locator("xpath=ancestor::label[1]").inner_text() != spared:
                _tick(box)
        if "needed for" in self.label or (is_again and self.is_wrong):
            for box in row.locator("label.box input[type=checkbox]").all():
                _tick(box)
        for choice in row.locator("select:visible").all():
            if not choice.input_value():
                choice.select_option(index=1)

    def _write(self, who: Newcomer) -> None:
        known = _text_for(self.label)
        for box in self.row.locator(
            "textarea:visible, input:not([type]):visible, input[type=text]:visible, input[type=number]:visible,"
            " input[inputmode]:visible"
        ).all():
            name, example = (box.get_attribute("aria-label") or "").lower(), box.get_attribute("placeholder") or ""
            if name.startswith("how many of"):
                box.fill("40" if name == "how many of $5" else "")  # the chip that was specified
            elif not box.input_value() and box.get_attribute("type") != "password":
                text = known or _text_for(name) or _text_for(example) or _figure_for(box)
                who.papers += 1
                box.fill(text or f"No-{who.papers}")
                if "for the next" in example:
                    box.press("Enter")
