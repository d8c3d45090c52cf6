"""The citations of pages: every entry with its clauses, and those that cite what is not a clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from msgspec import Struct

from passline.rules.pages.clause_matrix import clauses_of
from passline.rules.pages.structure import KeyFault, nearest_words
from passline.rules.schema import Cite, cites_of


def citation_faults(
    cited: Iterable[tuple[str, Cite]], regulation: str, is_other: Callable[[str], bool] = lambda _clause: False
) -> Iterator[KeyFault]:
    """Yield every citation that is empty, doubled, or not of a clause; `is_other` knows what is cited beside clauses.

    A regulation without a clause matrix may cite what it likes.

    >>> [str(fault) for fault in citation_faults([("pass", "MD-99"), ("come", ())], "maryland")]
    ['pass: cites MD-99, which is not a clause of maryland; did you mean MD-9.G or MD-9.F?', 'come: has no citation']
    """
    known = clauses_of(regulation)
    for path, cite in cited:
        clauses = cites_of(cite)
        some = cite.values() if isinstance(cite, dict) else (cite,)
        if not clauses or not all(clauses) or not all(some):
            yield KeyFault(path, "has no citation")
        for clause in dict.fromkeys(clauses):
            if clauses.count(clause) > 1 and not isinstance(cite, dict):
                yield KeyFault(path, f"cites {clause} twice")
            if known and clause not in known and not is_other(clause):
                what = f"cites {clause}, which is not a clause of {regulation}"
                yield KeyFault(path, what + nearest_words(clause, known))


def cited_paths(node: object) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield (path, clauses) for every entry below a node of pages that is reached by names alone."""
    for path, cite, _entry in cited_nodes(node):
        yield tuple(path.split(".")), cites_of(cite)


def cited_entries(node: object, path: str = "") -> list[tuple[str, Cite]]:
    """Return the path and the citation of every entry below a node of pages."""
    return [(at, cite) for at, cite, _entry in cited_nodes(node, path)]


def cited_nodes(node: object, path: str = "") -> list[tuple[str, Cite, Struct]]:
    """Return the path and the citation of every entry below a node of pages, and the entry."""
    found: list[tuple[str, Cite, Struct]] = []
    _gather(node, path, found)
    return found


def _gather(node: object, path: str, found: list[tuple[str, Cite, Struct]]) -> None:
    below: Iterable[tuple[object, object]] = ()
    if isinstance(node, Struct):
        cites, others = _fields_of(type(node))
        for name in cites:
            if (cite := getattr(node, name)) != "" or name == "cite":
                at = path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"
                found.append((at, cite, node))
        below = [(name, getattr(node, name)) for name in others]
    elif isinstance(node, dict):
        below = node.items()
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            if isinstance(value, _NODES):
                _gather(value, f"{path}[{index}]", found)
    for key, value in below:
        if isinstance(value, _NODES):
            _gather(value, f"{path}.{key}" if path else str(key), found)


_NODES = (Struct, dict, tuple)


@cache
def _fields_of(kind: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a model that are citations, and the others."""
    cites = tuple(name for name in kind.__struct_fields__ if name == "cite" or name.endswith("_cite"))
    return cites, tuple(name for name in kind.__struct_fields__ if name not in cites)
