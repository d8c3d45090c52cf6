"""Fields that an act may leave out, and a paper that is made from them later may not."""

from __future__ import annotations

from collections.abc import Iterator

from passline.acts.schema import ActPages

_WRITTEN = {"document", "fact"}  # sources that are what somebody has written in a field


def needed_fields(pages: ActPages) -> dict[str, dict[str, str]]:
    """Return, by act and field, what an optional field is needed for: the paper, and what makes it needless.

    >>> from passline.acts.rules import office_of
    >>> needed = needed_fields(office_of("arizona").pages)["add_to_package"]
    >>> needed["dice_described"]
    'needed for Rules and procedures of play'
    >>> needed["progressive_described"]
    'needed for Rules and procedures of play, unless no progressive is offered'
    >>> needed["no_progressive"]
    'needed for Rules and procedures of play, unless you add: the progressive'
    """
    found: dict[str, dict[str, str]] = {}
    for act, field, says in _fields_of_papers(pages):
        found.setdefault(act, {}).setdefault(field, says)
    return found


def _fields_of_papers(pages: ActPages) -> Iterator[tuple[str, str, str]]:
    for paper in pages.papers.values():
        for part in paper.parts.values():
            kind, _, name = part.source.partition(".")
            for key, act in pages.acts.items() if kind in _WRITTEN else ():
                field = act.fields.get(name) if act.thing == paper.thing and not act.corrects else None
                if field is not None and field.optional and not part.offered:
                    says, unless = f"needed for {paper.name}", act.fields.get(part.unless)
                    yield key, name, f"{says}, unless {unless.name}" if unless else says
                    if unless:
                        yield key, part.unless, f"{says}, unless you add: {field.name}"
