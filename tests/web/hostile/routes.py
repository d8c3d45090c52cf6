"""Every route that takes a body, found in the application itself, with the schema of what it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from fastapi import FastAPI
from msgspec import Struct

from passline.web.uploads.questions import FilledIn, HouseText, TypedHouse

_PAGES: dict[str, Any] = {"/house/check": TypedHouse, "/elections/check": FilledIn, "/elections/read": HouseText}
"""What routes of pages take, which are not in the description of the API."""
_NO_BODY = {
    "/api/office/documents",
    "/api/log-out",
    "/api/tournaments/{id}/screen",
    "/api/tournaments/{id}/screen/revoke",
    "/api/tournaments/{id}/tables/{table}/finish",
}
"""Routes that take none, or one that nobody reads: it is kept as it is."""


class Taking(Struct, frozen=True):
    """A route, the schema of its body, and what that refers to."""

    path: str
    schema: dict[str, Any]
    named: dict[str, Any]


def routes_taking_bodies(app: FastAPI) -> list[Taking]:
    """Return every route that changes something or reads a body. A new one is found, or the test says what to add."""
    named: dict[str, Any] = app.openapi()["components"]["schemas"]
    found = []
    for route in walk_routes(app.routes):
        if not getattr(route, "methods", None) or "POST" not in route.methods:
            continue
        content = (route.openapi_extra or {}).get("requestBody", {}).get("content", {})
        if route.path in _PAGES:
            [schema], own = msgspec.json.schema_components([_PAGES[route.path]], ref_template="#/{name}")
            found.append(Taking(route.path, schema, own))
        elif "application/json" in content:
            found.append(Taking(route.path, content["application/json"]["schema"], named))
        else:
            assert route.path in _NO_BODY, f"{route.path}: say in tests/web/hostile/routes.py what it takes"
            found.append(Taking(route.path, {}, {}))
    return found


def walk_routes(routes: Iterable[Any]) -> Iterator[Any]:
    """Yield every route of an application, those of its included routers too."""
    for route in routes:
        yield route
        below = getattr(route, "original_router", None)
        yield from walk_routes(below.routes if below is not None else ())
