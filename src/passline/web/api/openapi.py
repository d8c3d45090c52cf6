"""The OpenAPI description: the routes from FastAPI, and the bodies from the msgspec types that decode them."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

_bodies: dict[str, Any] = {}
_REFUSALS = {
    "type": "object",
    "required": ["refusals"],
    "properties": {
        "refusals": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["clause", "why"],
                "properties": {"clause": {"type": "string"}, "why": {"type": "string"}},
            },
        }
    },
}
_STATUS = {
    400: "not JSON",
    401: "not logged in",
    403: "not allowed for this role",
    404: "not found",
    409: "refused by the rules, with every clause",
    413: "too long",
    415: "a body that is not JSON",
    422: "not valid",
    429: "too many attempts",
    503: "the log cannot be written now; send it again with the same id (`in_doubt`: it may have been done)",
}


def body(type_: Any) -> dict[str, Any]:  # noqa: ANN401 - any type that msgspec decodes
    """Describe the body of a route: `openapi_extra=body(CommandBody)`."""
    _bodies[type_.__name__] = type_
    schema = {"$ref": f"#/components/schemas/{type_.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def query(**parameters: str | tuple[str, ...]) -> dict[str, Any]:
    """Describe the query of a route, each parameter by its type or choices: `openapi_extra=query(after="integer")`."""
    return {
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": _schema(kind)}
            for name, kind in parameters.items()
        ]
    }


def _schema(kind: str | tuple[str, ...]) -> dict[str, Any]:
    if isinstance(kind, tuple):
        return {"type": "string", "enum": list(kind)}
    return {"type": kind, "minimum": 0, "maximum": 2**53} if kind == "integer" else {"type": kind}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of a route: `responses=refusals(401, 409)`."""
    return {
        status: {"description": _STATUS[status], "content": {"application/json": {"schema": _REFUSALS}}}
        for status in statuses
    }


READ_REFUSALS = refusals(401, 403, 404, 422, 503)
"""The refusals of a route that reads something which a path names."""
SET_UP_REFUSALS = refusals(401, 403, 404, 409, 422, 503)
"""Those of a route that reads of an office, which must be set up."""


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the whole description, with every command and its fields among the components."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        _, components = msgspec.json.schema_components(
            list(_bodies.values()), ref_template="#/components/schemas/{name}"
        )
        schema.setdefault("components", {}).setdefault("schemas", {}).update(components)
        app.openapi_schema = schema
    return app.openapi_schema
