"""The page of the HTTP API and the websocket, from the description that every server gives of itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from handbook.struct_tables import fields_table, first_line
from passline.people.credentials import SignOff
from passline.tables.runtime import table_stream
from passline.web.api import websocket
from passline.web.api.openapi import describe
from passline.web.api.websocket import SocketMessage
from passline.web.app import create_app
from passline.web.server.services import Services

_KIND = re.compile(r'(?:"kind": |tag_field="kind", tag=)"([\w-]+)"')
_TOLD = {
    "table": "The whole table as this person may see it: when the screen connects, asks for it, or has fallen behind.",
    "news": "What changed since the last message: what was said and decided, chips, wagers, limits, the newest head.",
    "done": "The command with this `id` is in the log: its `sequence`, its `hash`, the `head`, and `lines` in words.",
    "refused": "The command was not done: `refusals`, each with its `clause` and `why`.",
    "in-doubt": "The database did not answer: `why`. Ask for the outcome, or send the command again with the same id.",
    "areas": "The answer to `ask: areas`: where this seat may make a wager now and how much, or why not.",
}


def http_page() -> str:
    """Return the page."""
    app = create_app(cast("Services", _NoServices()))
    description = describe(app)
    lines = ["# HTTP and websocket", "", description["info"]["description"], ""]
    lines += ["A server describes all of this itself, for programs, at `/openapi.json`.", ""]
    lines += _statuses(description["paths"])
    tags: dict[str, list[str]] = {}
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            tag = (route.get("tags") or ["other"])[0]
            tags.setdefault(tag, []).extend(_route(method, path, route, description["components"]["schemas"]))
    for tag, routes in sorted(tags.items()):
        lines += [f"## {tag.capitalize()}", "", *routes]
    return "\n".join([*lines, *_socket()])


class _NoServices:
    """Stands where a server's parts would be: describing the routes uses none of them."""

    def __getattr__(self, name: str) -> _NoServices:
        return self


def _route(method: str, path: str, route: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield ""
    yield str(route.get("description") or route.get("summary"))
    yield ""
    given = route.get("parameters", ())
    if given:
        yield "| parameter | in | |"
        yield "| --- | --- | --- |"
        for one in given:
            choices = one["schema"].get("enum") or [one["schema"].get("type", "text")]
            yield f"| `{one['name']}` | {one['in']} | {', '.join(map(str, choices))} |"
        yield ""
    if body := route.get("requestBody"):
        yield from _body(next(iter(body["content"].values()))["schema"], schemas)
    yield f"Answers: {', '.join(route['responses'])}."
    yield ""


def _body(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    keys = schemas.get(name, {}).get("properties", {})
    if not keys:
        yield "Body: the document itself."
    else:
        needed = schemas[name].get("required", ())
        words = ", ".join(f"`{key}`" + ("" if key in needed else " (may be left out)") for key in keys)
        yield f"Body: JSON with {words}."
    yield ""


def _statuses(paths: Mapping[str, Any]) -> Iterator[str]:
    """Yield the meaning of every status that a route answers with, as a table."""
    routes = [route for methods in paths.values() for route in methods.values()]
    found = {status: one["description"] for route in routes for status, one in route["responses"].items()}
    yield from ("## Answers", "", "| status | means |", "| --- | --- |")
    for status, words in sorted(found.items()):
        yield f"| {status} | {words.replace('Successful Response', 'done').replace('Validation Error', 'not valid')} |"
    yield ""


def _socket() -> list[str]:
    told = set(_KIND.findall(inspect.getsource(websocket) + inspect.getsource(table_stream)))
    if told != _TOLD.keys():
        raise AssertionError(f"the page must say what these messages of the websocket mean: {told ^ _TOLD.keys()}")
    return [
        "## The websocket",
        "",
        "`/api/tables/{id}/live?role=player` (or `spectator`, or a role of the crew) sends the table and then every",
        "change of it, and takes commands. Messages are JSON texts. Log in first: the cookie or the token opens it.",
        "",
        "### From a screen",
        "",
        first_line(SocketMessage),
        "",
        fields_table(SocketMessage, links=(SignOff,), without=("command",)),
        "`command` is one of the [commands of a table](api-commands.md).",
        "",
        f"### SignOff {{ #{SignOff.__name__.lower()} }}",
        "",
        first_line(SignOff),
        "",
        fields_table(SignOff),
        "### To a screen",
        "",
        "| `kind` | means |",
        "| --- | --- |",
        *(f"| `{kind}` | {words} |" for kind, words in _TOLD.items()),
        "",
    ]
