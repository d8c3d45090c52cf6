"""The things and fields of an act as words of the command line."""

from __future__ import annotations

from typing import Any

from passline.cli.options.server import whole_number, yes_or_no
from passline.errors import CrapsError


def act_arguments(arguments: list[str], fields: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the things and the fields that words of the command line name."""
    things, given = list[str](), dict[str, Any]()
    for word in arguments:
        key, is_field, value = word.partition("=")
        if not is_field:
            things.append(word)
        elif key not in fields:
            raise CrapsError(f"{key!r} is not a field of this act; its fields are {', '.join(fields) or 'none'}")
        else:
            given[key] = _value(key, fields[key]["type"], value)
    return things, given


def _value(key: str, kind: str, text: str) -> Any:  # noqa: ANN401 - as JSON
    match kind:
        case "yes" | "flag":
            return yes_or_no(key, text)
        case "number" | "cents" | "act":
            return whole_number(key, text)
        case "some" | "things" | "people" | "ids" | "codes":
            return [part.strip() for part in text.split(",") if part.strip()]
        case "units" | "per_thing":
            pairs = (part.partition(":") for part in text.split(",") if part.strip())
            return {name.strip(): whole_number(key, count) for name, _, count in pairs}
        case "checklist":
            return {part.strip(): True for part in text.split(",") if part.strip()}
        case _:
            return text
