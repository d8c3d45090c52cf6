"""Who may send which request. A route looks its row up by its own name, so a route without one answers nobody.

What a request then asks of a table, an office or a tournament is judged there, by the rows of that part.
"""

from __future__ import annotations

import re
from functools import cache

from starlette.routing import compile_path

from passline.authority import roles as r
from passline.authority.duties import Duty
from passline.tables.commands import OpenTable
from passline.tables.duties import DUTIES
from passline.tournament.commands import CountFees
from passline.tournament.decide import TOURNAMENT_DUTIES

LOGGED_IN = "anybody logged in"
"""Who has an account, with whatever roles, or none."""
STAFF_READERS = tuple(role for role in r.ROLES if role != r.PLAYER)
"""Who sees an office, and the desk and the floor of a tournament: everybody but players."""
TABLE_KEEPERS = r.in_order(DUTIES[OpenTable].by)[::-1]
"""Who opens and closes tables, the highest role first."""
_ELECTORS = (*TABLE_KEEPERS, r.COMPLIANCE)
_PLAY_READERS = (r.REGULATOR, *r.KEEPERS)
_RESULT_READERS = (r.REGULATOR, r.ACCOUNTANT, r.AUDITOR, r.SUPERVISOR, *r.KEEPERS)
_ACCOUNT_READERS = (r.REGULATOR, r.SURVEILLANCE, r.AUDITOR, *r.KEEPERS)
_DICE_READERS = (*_ACCOUNT_READERS, r.SUPERVISOR, r.FLOORPERSON, r.BOXPERSON, r.CUSTODIAN)
FEED_READERS = {"players": (*_PLAY_READERS, r.SURVEILLANCE), "surveillance": r.LOG_READERS}
"""Who may follow which feed of what happens in the house."""
_TOURNAMENT_DESK = (*r.DIRECTORS, r.CASHIER)
_TOURNAMENT_MONEY = (*TOURNAMENT_DUTIES[CountFees].by, r.AUDITOR, r.COMPLIANCE, r.REGULATOR)

_OPEN_TO: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (r.VISITOR, LOGGED_IN),
        """
        GET / GET /log-in GET /log-in/provider GET /log-in/provider/return GET /register
        GET /invitations/{token} GET /clauses/{id}
        GET /tables/{table} GET /tables/{table}/rules GET /tables/{table}/par-sheet
        GET /health GET /health/live GET /health/ready
        POST /api/log-in POST /api/register GET /api/invitations/{token} POST /api/invitations/{token}
        GET /api/clauses/{id} POST /api/demo/sit GET /screens/{token} GET /api/screens/{token}
        GET /api/tables GET /api/tables/{id} GET /api/tables/{id}/live GET /api/tables/{id}/layout
        GET /api/tables/{id}/rules GET /api/tables/{id}/par-sheet GET /api/tables/{id}/costs
        GET /lab GET /api/lab POST /api/lab/laws POST /api/lab/check POST /api/lab/hands
        POST /api/lab/best
        """,
    ),
    (
        (LOGGED_IN,),
        """
        GET /account GET /invite GET /tournaments
        POST /api/log-out GET /api/me GET /api/me/hands GET /api/me/tables/{id}/hands/{number}
        GET /api/me/tables/{id}/at/{sequence} GET /api/me/entries/{sequence}/hash
        GET /api/log/head GET /api/tables/{id}/notices GET /api/tables/{id}/areas
        POST /api/tables/{id}/commands POST /api/tables/{id}/nonce GET /api/tables/{id}/commands/{command_id}
        POST /api/approvals POST /api/approvals/withdraw POST /api/reports POST /api/shift/close
        POST /api/dual-control POST /api/password-age POST /api/retention
        POST /api/people POST /api/people/{account}/invite POST /api/people/{account}/roles
        POST /api/people/{account}/disable POST /api/people/{account}/enable
        POST /api/people/{account}/password POST /api/people/{account}/pin POST /api/second-factor
        GET /api/people/{account}/authenticators POST /api/people/{account}/authenticators
        POST /api/people/{account}/authenticators/options POST /api/people/{account}/authenticators/remove
        """,
    ),
    ((r.PLAYER,), "GET /me"),
    (
        r.ROLES,
        """
        GET /tournaments/{id} GET /tournaments/{id}/board GET /tournaments/{id}/agreement
        GET /api/tournaments GET /api/tournaments/{id} POST /api/tournaments/{id}/commands
        GET /api/tournaments/{id}/split GET /api/tournaments/{id}/papers/{paper}
        """,
    ),
    (
        STAFF_READERS,
        """
        POST /api/office/documents GET /api/office/documents/{digest}
        GET /office GET /office/{name} GET /office/{name}/set-up GET /office/{name}/opening-list/{table}
        GET /office/{name}/history/{kind}/{thing} GET /office/{name}/papers/{paper:path} GET /office/{name}/{subject}
        GET /office/{name}/count GET /office/{name}/drop-round GET /office/{name}/count-room GET /office/{name}/window
        GET /office/{name}/forms
        GET /api/office GET /api/office/{name} POST /api/office/{name}/commands POST /api/office/{name}/stamp-requests
        GET /api/office/{name}/rota.{kind}
        GET /api/office/{name}/today GET /api/office/{name}/path
        GET /api/office/{name}/opening-day/{value} GET /api/office/{name}/signers/{number}/{part}
        GET /api/office/{name}/served/{digest}
        GET /api/office/{name}/people
        GET /api/office/{name}/gates/{gate}/{thing}
        GET /api/office/{name}/things/{kind} GET /api/office/{name}/things/{kind}/{thing}
        GET /api/office/{name}/stocks GET /api/office/{name}/counts GET /api/office/{name}/acts
        GET /api/office/{name}/papers/{paper} GET /api/office/{name}/papers/{paper}/{thing}
        GET /api/office/{name}/checklists/{checklist}/{thing}
        GET /api/office/{name}/forms GET /api/office/{name}/forms/{form}/{number}
        """,
    ),
    ((r.OWNER,), "POST /api/office GET /api/provider POST /api/provider POST /api/people/{account}/provider"),
    (TABLE_KEEPERS, "GET /people POST /api/tables"),
    ((*TABLE_KEEPERS, r.BOXPERSON), "GET /house"),
    (
        _ELECTORS,
        """
        GET /house/elections POST /house/check GET /elections GET /elections/form GET /elections/of-table/{id}
        POST /elections/check POST /elections/read
        """,
    ),
    ((*r.CREW, r.OWNER), "GET /tables/{id}/crew"),
    (
        r.TABLE_READERS,
        """
        GET /tables/{id}/recall GET /api/tables/{id}/hands GET /api/tables/{id}/hands/{number}
        GET /api/tables/{id}/at/{sequence} GET /api/tables/{id}/ledger
        """,
    ),
    (
        r.LOG_READERS,
        """
        GET /regulator GET /search GET /api/log GET /api/log/event-kinds GET /api/log/streams POST /api/log/verify
        GET /api/log/export GET /api/matters
        """,
    ),
    ((r.SURVEILLANCE,), "GET /surveillance"),
    (tuple(dict.fromkeys(role for readers in FEED_READERS.values() for role in readers)), "GET /api/feed/{name}"),
    (r.RECORD_READERS, "GET /api/records GET /api/people"),
    ((r.AUDITOR, r.COMPLIANCE, *r.LOG_READERS), "GET /api/people/report.{kind}"),
    ((r.BOXPERSON, *r.RECORD_READERS), "GET /api/shift"),
    (
        _RESULT_READERS,
        """
        GET /api/office/{name}/results GET /office/{name}/accounts/counted GET /office/{name}/standards
        GET /api/office/{name}/standards GET /api/office/{name}/standards/{standard}
        """,
    ),
    (tuple(dict.fromkeys((*_RESULT_READERS, *_ACCOUNT_READERS))), "GET /office/{name}/accounts"),
    (
        _ACCOUNT_READERS,
        """
        GET /office/{name}/accounts/statistics GET /api/office/{name}/statistics
        GET /office/{name}/accounts/hands GET /office/{name}/accounts/entries
        GET /api/office/{name}/accounts/hands GET /api/office/{name}/accounts/entries
        GET /api/office/{name}/accounts/{scope} GET /api/office/{name}/accounts/{scope}/course
        """,
    ),
    (
        _PLAY_READERS,
        """
        GET /office/{name}/accounts/players GET /office/{name}/accounts/player GET /api/office/{name}/cash
        GET /office/{name}/accounts/comps GET /api/office/{name}/comps GET /api/office/{name}/statement
        GET /api/office/{name}/cash/log GET /api/office/{name}/markers
        GET /api/office/{name}/folders/{day}
        GET /api/office/{name}/ratings GET /api/office/{name}/ratings/visits GET /api/office/{name}/ratings/course
        """,
    ),
    (
        tuple(dict.fromkeys((*_PLAY_READERS, r.FLOORPERSON, r.SUPERVISOR, r.CASHIER, r.SURVEILLANCE, r.DIRECTOR))),
        "GET /api/office/{name}/exclusions",
    ),
    (
        (r.COMPLIANCE, r.REGULATOR),
        "GET /api/office/{name}/compliance GET /api/office/{name}/compliance/check",
    ),
    (
        (r.COMPLIANCE,),
        "POST /api/office/{name}/compliance POST /api/office/{name}/compliance/examiners",
    ),
    (
        _ACCOUNT_READERS,
        """
        GET /office/{name}/accounts/theft GET /api/office/{name}/theft
        GET /office/{name}/accounts/investigations GET /api/office/{name}/investigations
        GET /api/office/{name}/investigations/{incident} GET /api/office/{name}/tax
        """,
    ),
    (_DICE_READERS, "GET /office/{name}/accounts/dice GET /api/office/{name}/dice-evidence"),
    (
        r.DIRECTORS,
        """
        POST /api/tournaments/check POST /api/tournaments/commands
        POST /api/tournaments/{id}/screen POST /api/tournaments/{id}/screen/revoke
        POST /api/tournaments/{id}/tables/{table}/finish
        """,
    ),
    (_TOURNAMENT_DESK, "GET /tournaments/{id}/desk GET /api/tournaments/{id}/accounts"),
    ((*r.DIRECTORS, *r.CREW, r.SUPERVISOR), "GET /tournaments/{id}/floor"),
    (_TOURNAMENT_MONEY, "GET /tournaments/{id}/money"),
)
ROUTES: dict[str, Duty] = {
    f"{method} {path}": Duty(roles)
    for roles, routes in _OPEN_TO
    for method, path in zip(routes.split()[::2], routes.split()[1::2], strict=True)
}
"""The duty behind every request, by its method and the path of its route."""


def readers_of(path: str) -> tuple[str, ...]:
    """Return who may read a page or a part of the API.

    >>> readers_of("/surveillance")
    ('surveillance',)
    """
    return ROUTES[f"GET {path}"].by


def readers_at(method: str, path: str) -> tuple[str, ...]:
    """Return who may send a request to an address, by the row of its route; nobody if there is none.

    >>> readers_at("POST", "/api/office/maryland/compliance"), readers_at("POST", "/nowhere")
    (('compliance',), ())
    """
    routes = (duty for pattern, duty in _patterns(method.replace("HEAD", "GET")) if pattern.match(path))
    duty = next(routes, None)
    return duty.by if duty else ()


@cache
def _patterns(method: str) -> tuple[tuple[re.Pattern[str], Duty], ...]:
    """Return the routes of a method as patterns of their addresses, those with fewer parameters first."""
    paths = {key.partition(" ")[2]: duty for key, duty in ROUTES.items() if key.partition(" ")[0] == method}
    return tuple((compile_path(path)[0], paths[path]) for path in sorted(paths, key=lambda path: path.count("{")))
