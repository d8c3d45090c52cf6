"""Mutation operators: the small changes to a module that a test should notice."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}
_SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CHANGING = {"append", "extend", "update", "add", "clear", "pop", "insert", "setdefault"}
_LOOKING = {"get", "pop", "split", "partition", "startswith", "endswith", "removesuffix", "count"}
_ALONE = {"__all__", "_MEMO_MAX"}  # names whose values no rule depends on
_WORD = re.compile(r"[\w?|/+*.-]+")
_MESSAGES = re.compile(r"(refusal|Refusal|Breach|_wrong|\w*Error|print|wrap)$")  # calls whose texts are for people
_TEXT_NAMES = {"why", "message", "problem"}
_TYPES = {"Literal", "Callable", "TypeVar", "NewType"}
_BARE = (ast.List, ast.Set, ast.Tuple)
_NOT_ARITHMETIC = (ast.List, ast.ListComp, ast.Tuple, ast.Set, ast.JoinedStr)


@dataclass(frozen=True)
class Site:
    """One change: where it is, what it does, and the lines of its statement."""

    path: str
    index: int
    line: int
    first: int
    last: int
    before: str
    after: str
    name: str  # what the statement binds, if it runs at import

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  ->  {self.after}"


@dataclass
class _Change:
    node: ast.AST
    statement: ast.stmt
    name: str
    before: str
    after: str
    apply: Callable[[], None]


def sites_of(root: Path, path: str) -> list[Site]:
    """List every change to one module, in the order of its text."""
    source = (root / path).read_text(encoding="utf-8")
    lines = source.splitlines()
    found = []
    for index, change in enumerate(_changes(ast.parse(source), Path(path))):
        line = getattr(change.node, "lineno", change.statement.lineno)
        if re.search(r"# (noqa|pragma|type:)", lines[line - 1]):
            continue
        first, last = _lines(change.statement)
        found.append(Site(path, index, line, first, last, change.before, change.after, change.name))
    return found


def mutated(root: Path, site: Site) -> ast.Module:
    """Return the module with one change made."""
    tree = ast.parse((root / site.path).read_text(encoding="utf-8"))
    change = _changes(tree, Path(site.path))[site.index]
    assert (change.before, change.after) == (site.before, site.after)
    change.apply()
    return ast.fix_missing_locations(tree)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement; of a compound statement, those of its head."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not body:
        return statement.lineno, statement.end_lineno or statement.lineno
    at = body[0].lineno if isinstance(body[0], ast.stmt) else body[0].pattern.lineno
    return statement.lineno, max(statement.lineno, at - 1)


def _changes(tree: ast.Module, path: Path) -> list[_Change]:
    has_prose = path.name == "wording.py" or path.parent.name == "explain"  # texts for people, held by golden files
    return list(_Walk(has_prose=has_prose).body(tree, tree.body, in_function=False))


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def _put(holder: ast.AST, field: str, index: int | None, value: object) -> None:
    if index is None:
        setattr(holder, field, value)
    else:
        getattr(holder, field)[index] = value


class _Walk:
    """Walks a module statement by statement and yields the changes to each."""

    def __init__(self, *, has_prose: bool) -> None:
        self.has_prose = has_prose
        self.statement: ast.stmt = ast.Pass(lineno=1, end_lineno=1)
        self.name = ""

    def body(self, holder: ast.AST, statements: list[ast.stmt], *, in_function: bool) -> Iterator[_Change]:
        for index, statement in enumerate(statements):
            yield from self.one(holder, statements, index, statement, in_function=in_function)

    def one(
        self, holder: ast.AST, among: list[ast.stmt], index: int, statement: ast.stmt, *, in_function: bool
    ) -> Iterator[_Change]:
        if _is_left_alone(statement):
            return
        self.statement, self.name = statement, "" if in_function else _bound(statement)
        is_last = isinstance(holder, ast.FunctionDef) and among is holder.body and index == len(among) - 1
        if _is_removable(statement, is_last=is_last):
            yield self.change(statement, "(removed)", lambda: among.__setitem__(index, _nothing(statement)))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            self.name = statement.name
            yield from self.fields(statement.args, ("defaults", "kw_defaults"))
            yield from self.body(statement, statement.body, in_function=True)
        elif isinstance(statement, ast.ClassDef):
            yield from self.body(statement, statement.body, in_function=in_function)
        elif isinstance(statement, ast.Match):
            yield from self.fields(statement, ("subject",))
            for case in statement.cases:
                self.statement = statement
                yield from self.pattern(case.pattern)
                yield from self.body(case, case.body, in_function=in_function)
        else:
            heads = [name for name in statement._fields if name not in {"body", "orelse", "finalbody", "handlers"}]
            yield from self.fields(statement, tuple(heads))
            for part in ("body", "orelse", "finalbody"):
                yield from self.body(statement, getattr(statement, part, []), in_function=in_function)
            for handler in getattr(statement, "handlers", ()):
                yield from self.body(handler, handler.body, in_function=in_function)

    def change(self, node: ast.AST, after: str, apply: Callable[[], None], *, shown: ast.AST | None = None) -> _Change:
        before = _text(shown or node)
        return _Change(node, self.statement, self.name, before, after, apply)

    def swap(self, holder: ast.AST, field: str, index: int | None, node: ast.AST, other: ast.expr) -> _Change:
        return self.change(node, _text(other), lambda: _put(holder, field, index, other))

    def pattern(self, pattern: ast.pattern) -> Iterator[_Change]:
        if isinstance(pattern, ast.MatchValue):
            yield from self.expression(pattern, "value", None, pattern.value, is_used=True)
        for part in getattr(pattern, "patterns", ()):
            yield from self.pattern(part)

    def fields(self, holder: ast.AST, names: tuple[str, ...], *, is_used: bool = False) -> Iterator[_Change]:
        """Yield the changes below some fields of a node; `is_used` if a text there is looked up or compared."""
        for name in names:
            value = getattr(holder, name, None)
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.expr):
                    yield from self.expression(holder, name, index, node, is_used=is_used)
                elif isinstance(node, ast.keyword):
                    yield from self.expression(node, "value", None, node.value, is_used=False)
                elif isinstance(node, ast.comprehension):
                    yield from self.conditions(node)
                    yield from self.fields(node, ("iter", "ifs"))
                elif isinstance(node, ast.withitem):
                    yield from self.fields(node, ("context_expr",))

    def conditions(self, node: ast.comprehension) -> Iterator[_Change]:
        for index, test in enumerate(node.ifs):
            yield self.swap(node, "ifs", index, test, ast.Constant(value=True))

    def expression(
        self, holder: ast.AST, field: str, index: int | None, node: ast.expr, *, is_used: bool
    ) -> Iterator[_Change]:
        if field in {"annotation", "returns"} or _is_type(node) or isinstance(node, ast.JoinedStr):
            return
        if field == "test" and not isinstance(node, ast.Constant):
            values = (False,) if isinstance(holder, ast.While) else (True, False)
            yield from (self.swap(holder, field, index, node, _always(node, value=value)) for value in values)
        if isinstance(node, ast.Constant):
            yield from (self.swap(holder, field, index, node, other) for other in self.constants(node, is_used=is_used))
            return
        yield from self.operators(holder, field, index, node)
        if isinstance(node, _BARE) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield from self.elements(node, holder)
        if isinstance(node, ast.Set) and all(map(_is_text, node.elts)):
            return  # changing a text in a set is the same as dropping it
        if isinstance(node, ast.Dict):
            yield from self.entries(node)
        yield from self.below(node)

    def below(self, node: ast.expr) -> Iterator[_Change]:
        if isinstance(node, ast.Call):
            named = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if _MESSAGES.match(named):
                calls = [one for one in (*node.args, *(word.value for word in node.keywords)) if _is_call(one)]
                yield from (change for one in calls for change in self.below(one))
                return
            yield from self.fields(node, ("func",))
            if named in {"strip", "lstrip", "rstrip"}:
                return  # their argument is a set of characters
            yield from self.fields(node, ("args", "keywords"), is_used=named in _LOOKING)
        elif isinstance(node, ast.Lambda):
            yield from self.fields(node.args, ("defaults", "kw_defaults"))
            yield from self.fields(node, ("body",))
        elif isinstance(node, ast.Dict):
            yield from self.fields(node, ("keys",), is_used=True)
            yield from self.fields(node, ("values",))
        else:
            used = isinstance(node, ast.Compare | ast.Subscript)
            yield from self.fields(node, node._fields, is_used=used)

    def constants(self, node: ast.Constant, *, is_used: bool) -> Iterator[ast.expr]:
        value = node.value
        if isinstance(value, bool):
            yield ast.Constant(value=not value)
        elif isinstance(value, int):
            yield ast.Constant(value=value + 1)
            yield ast.Constant(value=value - 1)
        elif isinstance(value, str) and not self.has_prose and (is_used or _WORD.fullmatch(value)):
            yield ast.Constant(value=f"{value}_" if value else "other")

    def operators(self, holder: ast.AST, field: str, index: int | None, node: ast.expr) -> Iterator[_Change]:
        match node:
            case ast.Compare():
                for at, op in enumerate(node.ops):
                    ops = [*node.ops[:at], _COMPARISONS[type(op)](), *node.ops[at + 1 :]]
                    yield self.swap(holder, field, index, node, ast.Compare(node.left, ops, node.comparators))
            case ast.BoolOp():
                other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield self.swap(holder, field, index, node, ast.BoolOp(other, node.values))
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield self.swap(holder, field, index, node, node.operand)
            case ast.BinOp() if type(node.op) in _ARITHMETIC and not _is_joining(node):
                other_op = _ARITHMETIC[type(node.op)]()
                yield self.swap(holder, field, index, node, ast.BinOp(node.left, other_op, node.right))
            case ast.Call(func=ast.Name(id=name)) if name in _SWAPPED:
                called = ast.Call(ast.Name(_SWAPPED[name], ast.Load()), node.args, node.keywords)
                yield self.swap(holder, field, index, node, called)
            case _:
                return

    def elements(self, node: ast.List | ast.Set | ast.Tuple, holder: ast.AST) -> Iterator[_Change]:
        """Yield the collection without each element; a tuple only if its length may vary."""
        varies = isinstance(holder, ast.Compare | ast.For | ast.comprehension) or self.name.isupper()
        if isinstance(node, ast.Tuple) and not varies:
            return
        for at in range(len(node.elts)):
            kept = [*node.elts[:at], *node.elts[at + 1 :]]
            if isinstance(node, ast.Set) and not kept:
                continue
            after = _text(type(node)(kept) if isinstance(node, ast.Set) else type(node)(kept, ast.Load()))
            yield self.change(node.elts[at], after, lambda kept=kept: setattr(node, "elts", kept), shown=node)  # type: ignore[misc]

    def entries(self, node: ast.Dict) -> Iterator[_Change]:
        for at in range(len(node.keys)):
            keys = [*node.keys[:at], *node.keys[at + 1 :]]
            values = [*node.values[:at], *node.values[at + 1 :]]

            def apply(keys: list[ast.expr | None] = keys, values: list[ast.expr] = values) -> None:
                node.keys, node.values = keys, values

            key = node.keys[at]
            yield self.change(node.values[at], "(dropped)", apply, shown=key or node.values[at])


def _always(test: ast.expr, *, value: bool) -> ast.expr:
    """Return a condition that is always true or false; a name bound in it stays bound."""
    constant = ast.Constant(value=value)
    if not any(isinstance(node, ast.NamedExpr) for node in ast.walk(test)):
        return constant
    return ast.BoolOp(ast.Or() if value else ast.And(), [test, constant])


def _is_left_alone(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Global() | ast.Nonlocal():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name in _ALONE or (name in _TEXT_NAMES and isinstance(value, ast.Constant | ast.JoinedStr))
        case _:
            return False


def _is_removable(statement: ast.stmt, *, is_last: bool) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name in _CHANGING
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            return True
        case ast.Continue() | ast.Break():
            return True
        case ast.Assign(targets=[ast.Subscript()]):
            return True
        case ast.Return():
            return not is_last
        case _:
            return False


def _nothing(statement: ast.stmt) -> ast.stmt:
    """Return the replacement of a removed statement; a generator stays one."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield | ast.YieldFrom):
        empty = ast.YieldFrom(value=ast.Tuple(elts=[], ctx=ast.Load()))
        return ast.copy_location(ast.Expr(value=empty), statement)
    return ast.copy_location(ast.Pass(), statement)


def _bound(statement: ast.stmt) -> str:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.ClassDef(name=name):
            return name
        case _:
            return ""


def _is_type(node: ast.expr) -> bool:
    named = node.value if isinstance(node, ast.Subscript) else node.func if isinstance(node, ast.Call) else None
    return isinstance(named, ast.Name) and named.id in _TYPES


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call)


def _is_joining(node: ast.BinOp) -> bool:
    """Return whether an addition joins texts or lists, where a subtraction would only crash."""
    sides = (node.left, node.right)
    return any(isinstance(side, _NOT_ARITHMETIC) or _is_text(side) for side in sides)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
