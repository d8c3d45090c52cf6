"""Expressions of strategies and of wagers that are machines: a small subset of Python, never run as code.

Whole numbers, names, + - * // % **, comparisons, and, or, not, `x if c else y`, lists of numbers with subscripts, and
calls of the vocabulary's functions. Files come from anybody, so length, depth and numbers are bounded.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Generic

from passline.dice import NumberError, number_code
from passline.expression_words import (
    NUMBER_MAX,
    Evaluate,
    Evaluates,
    Expression,
    ExpressionError,
    Function,
    NumbersExpression,
    S,
    Vocabulary,
    nearest,
)

_LENGTH_MAX = 1000
_DEPTH_MAX = 50
SIZE_MAX = 2000
"""The most names, numbers and operators of an expression with the expressions that it names written out."""


def expression_of(text: str, vocabulary: Vocabulary[S], where: str) -> Expression[S]:
    """Parse an expression; an error names the file and key (`where`) and the column.

    >>> roll = Vocabulary(names={"total": lambda total: total})
    >>> expression_of("2 * total if total in (6, 8) else 0", roll, "demo.toml: cents").evaluate(6)
    12
    >>> expression_of("$10 if total > 6 else $2.50", roll, "demo.toml: cents").evaluate(6)
    250
    >>> expression_of("totl + 1", roll, "my.toml: cents")
    Traceback (most recent call last):
    passline.expression_words.ExpressionError: my.toml: cents: 'totl + 1', at 1: no name 'totl'; did you mean total?
    """
    return _Parser(" ".join(text.split()), vocabulary, where).expression()


def numbers_expression_of(text: str, vocabulary: Vocabulary[S], where: str) -> NumbersExpression[S]:
    """Parse an expression for several numbers: a list, the name of one, or a number, which is a list of one.

    >>> roll = Vocabulary(names={"total": lambda total: total}, lists={"inside": (5, 6, 8, 9)})
    >>> parsed = numbers_expression_of("inside if total == 7 else [total, 6]", roll, "demo.toml: on")
    >>> parsed.evaluate(7), parsed.evaluate(4), numbers_expression_of("total", roll, "demo.toml: on").evaluate(4)
    ((5, 6, 8, 9), (4, 6), (4,))
    """
    return _Parser(" ".join(text.split()), vocabulary, where).numbers_expression()


_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARE: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_DOLLARS = re.compile(r"\$(\d{1,13})(?:\.(\d\d))?(?![\d.])")
_OF_NUMBERS: dict[str, Callable[[tuple[int, ...]], int]] = {"min": min, "max": max}
_OF_ONE: dict[str, Callable[[int], int]] = {"abs": abs}
_OF_A_LIST: dict[str, Callable[[tuple[int, ...]], int]] = {"len": len, "sum": sum, **_OF_NUMBERS}
_ALLOWED = (
    "allowed are whole numbers, amounts such as $10, names, + - * // % **, comparisons, in, and, or, not, "
    "x if c else y, lists such as [1, 3, 2, 6][step], and calls"
)


def _cents(amount: re.Match[str]) -> str:
    """Return an amount of dollars in cents, in as many characters, so that columns stay."""
    return str(int(amount[1]) * 100 + int(amount[2] or 0)).ljust(len(amount[0]))


def _lazy_operator(parts: list[Evaluate[S]], *, goes_on: bool) -> Evaluate[S]:
    """Evaluate `and` (goes_on) or `or` as Python does: up to the first value that decides it."""

    def evaluate(scope: S) -> int:
        value = 0
        for part in parts:
            value = part(scope)
            if bool(value) is not goes_on:
                break
        return value

    return evaluate


class _Parser(Generic[S]):
    """Turns one expression into nested functions, node by node."""

    def __init__(self, text: str, vocabulary: Vocabulary[S], where: str, within: tuple[str, ...] = ()) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.where = where
        self.within = within  # the lets that this expression is part of
        self.parts: dict[str, Evaluate[S]] = {}
        self.size = 0
        self.reads: set[str] = set()
        self.named: set[tuple[str, str]] = set()

    def fault(self, column: int, problem: str) -> ExpressionError:
        """Return an error that names the file, the key, the expression, the column and the problem."""
        return self.vocabulary.error(f"{self.where}: {self.text[:80]!r}, at {column + 1}: {problem}")

    def expression(self) -> Expression[S]:
        evaluate = self._number(self._parse(), 0)
        return Expression(*self._fields(), evaluate=evaluate)

    def numbers_expression(self) -> NumbersExpression[S]:
        evaluate = self._one_or_many(self._parse(), 0)
        return NumbersExpression(*self._fields(), evaluate=evaluate)

    def _fields(self) -> tuple[str, frozenset[str], Mapping[str, Evaluate[S]], int, frozenset[tuple[str, str]]]:
        """Return the fields of what was parsed, but for its value."""
        return self.text, frozenset(self.reads), self.parts, max(self.size, 1), frozenset(self.named)

    def _parse(self) -> ast.expr:
        if len(self.text) > _LENGTH_MAX:
            raise self.fault(0, f"an expression has at most {_LENGTH_MAX} characters; this one has {len(self.text)}")
        if "#" in self.text or "\\" in self.text:
            raise self.fault(0, f"# and \\ are not allowed; {_ALLOWED}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(_DOLLARS.sub(_cents, self.text), mode="eval").body
        except SyntaxError as error:
            raise self.fault(max((error.offset or 1) - 1, 0), f"{error.msg}; {_ALLOWED}") from None
        except (ValueError, RecursionError, MemoryError):
            raise self.fault(0, f"this cannot be parsed; {_ALLOWED}") from None

    def _number(self, node: ast.expr, depth: int) -> Evaluate[S]:
        if depth > _DEPTH_MAX:
            raise self.fault(node.col_offset, f"this is nested more than {_DEPTH_MAX} levels deep")
        self._grow(node, 1)
        match node:
            case ast.Constant(value=int()):
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.BinOp():
                return self._arithmetic(node, depth + 1)
            case ast.Compare():
                return self._comparison(node, depth + 1)
            case ast.Subscript():
                return self._subscript(node, depth + 1)
            case ast.Call():
                return self._call(node, depth + 1)
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp():
                return self._logic(node, depth + 1)
            case ast.Constant(value=str(text)) if "-" in text:
                return self._argument(node, depth)
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        problem = "a wager is named only in a call, such as up('come')" if is_text else "this is not allowed"
        raise self.fault(node.col_offset, f"{problem}; {_ALLOWED}")

    def _constant(self, node: ast.Constant) -> Evaluate[S]:
        assert isinstance(node.value, int)
        value = int(node.value)
        if value > NUMBER_MAX:
            raise self.fault(node.col_offset, f"a number is at most {NUMBER_MAX}")
        return lambda _scope: value

    def _logic(self, node: ast.UnaryOp | ast.BoolOp | ast.IfExp, depth: int) -> Evaluate[S]:
        if isinstance(node, ast.IfExp):
            test, then, other = (self._number(part, depth) for part in (node.test, node.body, node.orelse))
            return lambda scope: then(scope) if test(scope) else other(scope)
        if isinstance(node, ast.BoolOp):
            parts = [self._number(part, depth) for part in node.values]
            return _lazy_operator(parts, goes_on=isinstance(node.op, ast.And))
        inner = self._number(node.operand, depth)
        if isinstance(node.op, ast.Not):
            return lambda scope: int(not inner(scope))
        if isinstance(node.op, ast.USub):
            return lambda scope: -inner(scope)
        raise self.fault(node.col_offset, f"this is not allowed; {_ALLOWED}")

    def _grow(self, node: ast.expr, size: int) -> None:
        self.size += size
        if self.size > SIZE_MAX:
            raise self.fault(node.col_offset, f"this is longer than {SIZE_MAX} names and numbers, written out")

    def _let(self, node: ast.Name) -> Evaluate[S]:
        """Return the value of a named expression, which is parsed with the words that may be used here."""
        name, vocabulary = node.id, self.vocabulary
        if name in self.within:
            circle = " -> ".join((*self.within[self.within.index(name) :], name))
            raise self.fault(node.col_offset, f"this never ends: {circle}")
        inner = _Parser(
            " ".join(vocabulary.lets[name].split()), vocabulary, f"{vocabulary.lets_where}.{name}", (*self.within, name)
        )
        found = inner.expression()
        self._grow(node, found.size)
        self.reads |= {name} | found.reads
        self.named |= found.named
        return found.evaluate

    def _name(self, node: ast.Name) -> Evaluate[S]:
        if node.id in self.vocabulary.lets:
            evaluate = self.parts[node.id] = self._let(node)
            return evaluate
        evaluate = self.vocabulary.names.get(node.id)  # type: ignore[assignment]
        if evaluate is None:
            if node.id in self.vocabulary.lists:
                uses = f"{node.id}[0], len({node.id}), sum({node.id}) or x in {node.id}"
                raise self.fault(node.col_offset, f"{node.id} is a list; use {uses}")
            if node.id in self.vocabulary.functions:
                usage = self.vocabulary.functions[node.id].usage
                raise self.fault(node.col_offset, f"{node.id} is a function; call it as {usage}")
            hint = self._hint(node.id) or nearest(node.id, self._words())
            raise self.fault(node.col_offset, f"no name {node.id!r}; {hint}")
        self.reads.add(node.id)
        self.parts[node.id] = evaluate
        return evaluate

    def _hint(self, word: str) -> str:
        """Return where else a word is known, or ""."""
        return f"{word} {self.vocabulary.elsewhere_hint}" if word in self.vocabulary.elsewhere else ""

    def _words(self) -> Mapping[str, object]:
        return {**self.vocabulary.names, **self.vocabulary.lists, **self.vocabulary.lets}

    def _arithmetic(self, node: ast.BinOp, depth: int) -> Evaluate[S]:
        apply = _BINARY.get(type(node.op))
        if apply is None:
            raise self.fault(node.col_offset, f"this operator is not allowed; {_ALLOWED}")
        if isinstance(node.op, ast.Pow):
            return self._power(node, depth)
        left, right = self._number(node.left, depth), self._number(node.right, depth)
        at, divides = node.col_offset, isinstance(node.op, ast.FloorDiv | ast.Mod)

        def evaluate(scope: S) -> int:
            a, b = left(scope), right(scope)
            if divides and not b:
                raise self.fault(at, "this divides by 0")
            value = apply(a, b)
            if abs(value) > NUMBER_MAX:
                raise self.fault(at, f"{value} is too large; a number is at most {NUMBER_MAX}")
            return value

        return evaluate

    def _power(self, node: ast.BinOp, depth: int) -> Evaluate[S]:
        """Return a power; one that is far too large is refused before it is worked out."""
        base, exponent, at = self._number(node.left, depth), self._number(node.right, depth), node.col_offset

        def evaluate(scope: S) -> int:
            a, b = int(base(scope)), int(exponent(scope))
            if b < 0:
                raise self.fault(at, f"{a} ** {b} is not a whole number; a power is not below 0")
            if b * (abs(a).bit_length() - 1) > NUMBER_MAX.bit_length() or abs(a**b) > NUMBER_MAX:
                raise self.fault(at, f"{a} ** {b} is too large; a number is at most {NUMBER_MAX}")
            return int(a**b)

        return evaluate

    def _comparison(self, node: ast.Compare, depth: int) -> Evaluate[S]:
        """Compare neighbours; each operand is evaluated once, even in a chain."""
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            if len(node.ops) > 1:
                raise self.fault(node.col_offset, f"`in` cannot be chained; {_ALLOWED}")
            number, numbers = self._number(node.left, depth), self._list(node.comparators[0], depth)
            wanted = isinstance(node.ops[0], ast.In)
            return lambda scope: int((number(scope) in numbers(scope)) is wanted)
        compares = [_COMPARE.get(type(op)) for op in node.ops]
        if None in compares:
            raise self.fault(node.col_offset, f"numbers are compared with == != < <= > >= and in; {_ALLOWED}")
        operands = [self._number(part, depth) for part in (node.left, *node.comparators)]
        if len(operands) == 2:  # noqa: PLR2004  # by far the most, and asked in every state of a strategy
            left, right = operands
            compare_two = _COMPARE[type(node.ops[0])]
            return lambda scope: int(compare_two(left(scope), right(scope)))

        def compare_all(scope: S) -> int:
            values = [operand(scope) for operand in operands]
            pairs = zip(compares, values, values[1:], strict=False)
            return int(all(compare(value, other) for compare, value, other in pairs))  # type: ignore[misc]

        return compare_all

    def _one_or_many(self, node: ast.expr, depth: int) -> Evaluates[S]:
        """Return the numbers of a list, or a number as a list of one."""
        if isinstance(node, ast.IfExp):
            return self._choice(node, depth + 1, self._one_or_many)
        if isinstance(node, ast.List | ast.Tuple) or self._names_list(node):
            return self._list(node, depth)
        number = self._number(node, depth)
        return lambda scope: (number(scope),)

    def _choice(self, node: ast.IfExp, depth: int, numbers_of: Callable[[ast.expr, int], Evaluates[S]]) -> Evaluates[S]:
        """Return the numbers of one list or of another."""
        if depth > _DEPTH_MAX:
            raise self.fault(node.col_offset, f"this is nested more than {_DEPTH_MAX} levels deep")
        test, then, other = self._number(node.test, depth), numbers_of(node.body, depth), numbers_of(node.orelse, depth)
        return lambda scope: then(scope) if test(scope) else other(scope)

    def _names_list(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.vocabulary.lists

    def _list(self, node: ast.expr, depth: int) -> Evaluates[S]:
        if isinstance(node, ast.IfExp):
            return self._choice(node, depth + 1, self._list)
        if isinstance(node, ast.Name) and self._names_list(node):
            self.reads.add(f"{node.id}[]" if node.id in self.vocabulary.indexed else node.id)
            values = self.vocabulary.lists[node.id]
            return values if callable(values) else lambda _scope: values
        if not isinstance(node, ast.List | ast.Tuple):
            lists = ", ".join(self.vocabulary.lists) or "none here"
            raise self.fault(node.col_offset, f"a list is expected, such as (6, 8), or the name of one: {lists}")
        parts = [self._number(part, depth + 1) for part in node.elts]
        if all(isinstance(part, ast.Constant) for part in node.elts):  # as most are, which are asked in every state
            fixed = tuple([part(None) for part in parts])  # type: ignore[arg-type]  # a constant reads nothing
            return lambda _scope: fixed
        return lambda scope: tuple([part(scope) for part in parts])

    def _subscript(self, node: ast.Subscript, depth: int) -> Evaluate[S]:
        evaluate = self._item(node, depth)
        self.parts[ast.unparse(node)] = evaluate
        return evaluate

    def _item(self, node: ast.Subscript, depth: int) -> Evaluate[S]:
        if isinstance(node.value, ast.Name) and node.value.id in self.vocabulary.indexed:
            self.reads.add(f"{node.value.id}[]")
            value_at, number = self.vocabulary.indexed[node.value.id], self._argument(node.slice, depth)
            return lambda scope: value_at(scope, number(scope))
        many, index, at = self._list(node.value, depth), self._number(node.slice, depth), node.col_offset

        def evaluate(scope: S) -> int:
            values, place = many(scope), index(scope)
            if not 0 <= place < len(values):
                raise self.fault(at, f"there is no item {place} in a list of {len(values)}; the first is item 0")
            return values[place]

        return evaluate

    def _call(self, node: ast.Call, depth: int) -> Evaluate[S]:
        functions = self.vocabulary.functions
        if not isinstance(node.func, ast.Name):
            raise self.fault(node.col_offset, f"only a function can be called; {_ALLOWED}")
        name = node.func.id
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.fault(node.col_offset, f"{name} takes no keyword or starred arguments")
        if name in _OF_ONE and len(node.args) == 1:
            of_one, part = _OF_ONE[name], self._number(node.args[0], depth)
            return lambda scope: of_one(part(scope))
        if name in _OF_A_LIST and len(node.args) == 1:
            return self._of_a_list(_OF_A_LIST[name], node.args[0], depth)
        if name == "times" and len(node.args) == 2:  # noqa: PLR2004  # a value and a list
            value, many = self._argument(node.args[0], depth), self._list(node.args[1], depth)
            return lambda scope: many(scope).count(value(scope))
        if name in _OF_NUMBERS and len(node.args) > 1:
            extreme, parts = _OF_NUMBERS[name], [self._number(argument, depth) for argument in node.args]
            return lambda scope: extreme(tuple(part(scope) for part in parts))
        function = functions.get(name)
        if function is None:
            usages = (function.usage for function in functions.values())
            of_lists = (f"{of}(list)" for of in _OF_A_LIST)
            known = ", ".join(["min(a, b)", "max(a, b)", "abs(a)", *of_lists, "times(a, list)", *usages])
            hint = self._hint(name) or f"the functions are {known}"
            raise self.fault(node.col_offset, f"{name} cannot be called like this; {hint}")
        return self._known_call(node, function, depth)

    def _of_a_list(self, of: Callable[[tuple[int, ...]], int], node: ast.expr, depth: int) -> Evaluate[S]:
        many, at = self._list(node, depth), node.col_offset

        def evaluate(scope: S) -> int:
            if not (values := many(scope)) and of in _OF_NUMBERS.values():
                raise self.fault(at, "this list is empty")
            return of(values)

        return evaluate

    def _known_call(self, node: ast.Call, function: Function[S], depth: int) -> Evaluate[S]:
        named, rest = node.args[: function.wagers], node.args[function.wagers :]
        texts = [name.value for name in named if isinstance(name, ast.Constant) and isinstance(name.value, str)]
        if len(texts) < function.wagers or not function.least <= len(rest) <= function.most:
            raise self.fault(node.col_offset, f"call it as {function.usage}")
        for text, argument in zip(texts, named, strict=True):
            if text not in self.vocabulary.wagers:
                hint = nearest(text, self.vocabulary.wagers)
                raise self.fault(argument.col_offset, f"{self.vocabulary.wagers_of} has no wager {text!r}; {hint}")
        self.named.update((text, "".join(map(ast.unparse, rest))) for text in texts)
        assert isinstance(node.func, ast.Name)
        self.reads.add(f"{node.func.id}()")
        call, wagers, numbers = function.call, tuple(texts), [self._argument(argument, depth) for argument in rest]
        for text in texts:
            self._check_numbers(node.func.id, text, rest)

        def evaluate(scope: S) -> int:
            return call(scope, wagers, tuple([number(scope) for number in numbers]))

        self.parts[ast.unparse(node)] = evaluate
        return evaluate

    def _check_numbers(self, function: str, wager: str, arguments: list[ast.expr]) -> None:
        """Raise an error for a number or pair of dice that a wager cannot have, where it is written out."""
        for argument in arguments:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, int | str):
                number = argument.value if isinstance(argument.value, int) else number_code(argument.value)
                if problem := self.vocabulary.fault_of_number(function, wager, number):
                    raise self.fault(argument.col_offset, problem)

    def _argument(self, node: ast.expr, depth: int) -> Evaluate[S]:
        """Return a number, which may also be a pair of dice such as '1-3'."""
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return self._number(node, depth)
        try:
            code = number_code(node.value or "-")
        except NumberError as error:
            raise self.fault(node.col_offset, str(error)) from None
        return lambda _scope: code
