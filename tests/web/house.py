"""A house for tests of the API: a server, a person of each role, and a player at an open table."""

from tests.people.house import PIN
from tests.web.server import Browser, Server

OPENING = {
    "name": "Craps 1",
    "house": {"rules": "maryland"},
    "automate": ["button", "call", "choose", "confirm", "offer", "pass", "settle"],
    "buy_in": "self",
    "bank_cents": 10_000_00,
    "sign_off": {"name": "Flo", "pin": PIN},
}


class House:
    """A server with a person of each role, and Ann at a table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        by = self.olga = olga.session.account.id
        self.owner = self.page(olga.token, olga.session.csrf)
        self.people = {"owner": self.owner, "nobody": server.browser()}
        for name, role in (
            ("Flo", "floorperson"),
            ("Reg", "regulator"),
            ("Sue", "surveillance"),
            ("Dan", "dealer"),
            ("Ann", "player"),
        ):
            welcome = server.hire(name, role, by=by)
            self.people[role] = self.page(welcome.token, welcome.session.csrf)
        assert self.owner.post("/api/tables", OPENING).status_code == 201
        for turn, command in enumerate(
            (
                {"command": "take-seat", "seat": 1},
                {"command": "buy-in", "seat": 1, "cents": 500_00},
                {"command": "accept-dice", "seat": 1},
                {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00},
                {"command": "roll", "seat": 1},  # the dice of this server always show 1-1
            )
        ):
            answer = self.people["player"].post("/api/tables/craps-1/commands", {"id": f"a{turn}", "command": command})
            assert answer.status_code == 200, answer.text

    def page(self, token: str, csrf: str) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page
