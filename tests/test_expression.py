"""Expressions of strategy files: their values, and the errors for everything that is not allowed."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.expression import expression_of
from passline.expression_words import ExpressionError, Function, Vocabulary


def _price(_scope: int, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
    return len(wagers[0]) + sum(numbers)


WORDS: Vocabulary[int] = Vocabulary(
    names={"x": lambda scope: scope, "one": lambda _scope: 1},
    lists={"steps": (1, 3, 2, 6), "faces": lambda scope: (scope, 2)},
    functions={"price": Function("price('come') or price('come', 6)", 1, 0, 1, _price)},
    wagers={"come": 1, "dont_come": 2},
    wagers_of="maryland",
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + x * 2", 11),
        ("-x // 2", -3),
        ("x % 3 - 7", -5),
        ("x if x > 5 else -x", -5),
        ("1 < x <= 5", 1),
        ("5 < x < 9", 0),
        ("x == 5 and one != 2", 1),
        ("x and 7", 7),
        ("0 or x", 5),
        ("x or 7", 5),
        ("x - 5 and 7", 0),
        ("not x or x >= 6", 0),
        ("x in (4, 5, x)", 1),
        ("sum(steps) + sum([x, 1])", 18),
        ("max(steps) - min((4, x))", 2),
        ("2 in faces and sum(faces)", 7),
        ("x not in [5]", 0),
        ("10 * times(5, [x, 5, 1]) + times(2, steps)", 21),
        ("3 in (steps if x > 9 else [one, 3])", 1),
        ("'3-1' + 0", 113),
        ("3 * 2 ** (x - 3) - x ** 2 + 0 ** 99", -13),
        ("3 in steps", 1),
        ("steps[x - 4]", 3),
        ("[10, 20, 30][one + 1]", 30),
        ("len(steps) + len([1, 2])", 6),
        ("min(x, 3, 4) + max(x, 9)", 12),
        ("price('come') + price('dont_come', x)", 4 + 9 + 5),
        ("  1 +\n  x ", 6),
        ("True + False", 1),
    ],
)
def test_an_expression_evaluates_to(text: str, value: int) -> None:
    assert expression_of(text, WORDS, "demo.toml: when").evaluate(5) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x << 2", "at 1: this operator is not allowed"),
        ("x / 2", "this operator is not allowed"),
        ("1 + y", "at 5: no name 'y'"),
        ("on", r"no name 'on'; did you mean one\?"),
        ("steps", r"steps is a list; use steps\[0\]"),
        ("price", r"price is a function; call it as price\('come'\)"),
        ("price('com')", r"at 7: maryland has no wager 'com'; did you mean come or dont_come\?"),
        ("price(6)", "call it as price"),
        ("price('come', 1, 2)", "call it as price"),
        ("price(wager='come')", "price takes no keyword or starred arguments"),
        ("price(*steps)", "price takes no keyword or starred arguments"),
        ("'come'", "a wager is named only in a call"),
        ("1.5", "this is not allowed; allowed are whole numbers"),
        ("+x", "this is not allowed"),
        ("~x", "this is not allowed"),
        ("x is one", "numbers are compared with =="),
        ("x in one", "a list is expected"),
        ("x[0]", "a list is expected"),
        ("len(x)", "a list is expected"),
        ("max(x)", "a list is expected"),
        ("__import__('os')", "__import__ cannot be called like this; the functions are min"),
        ("().__class__", "this is not allowed"),
        ("x.real", "this is not allowed"),
        ("price.__globals__('come')", "only a function can be called"),
        ("(lambda: 1)()", "only a function can be called"),
        ("[y for y in steps]", "this is not allowed"),
        ("(x := 3)", "this is not allowed"),
        ("f'{x}'", "this is not allowed"),
        ("x; x", "invalid syntax"),
        ("1 # + 2", "# and"),
        ("'\\x41'", "# and"),
        ("", "invalid syntax"),
        ("x\0", "allowed are"),
        ("1" + "0" * 16, "a number is at most"),
        ("1" * 2000, "an expression has at most 1000 characters; this one has 2000"),
        ("x" + " + x" * 60, "nested more than 50 levels deep"),
        ("-" * 900 + "x", "nested more than 50 levels deep"),
        ("(" * 300 + "x" + ")" * 300, "too many nested parentheses"),
        ("not " * 200 + "x", "nested more than 50 levels deep"),
        ("steps[" * 90 + "0" + "]" * 90, "nested more than 50 levels deep"),
    ],
)
def test_anything_else_is_refused_when_it_is_parsed(text: str, problem: str) -> None:
    with pytest.raises(ExpressionError, match=problem) as error:
        expression_of(text, WORDS, "demo.toml: when")
    assert str(error.value).startswith("demo.toml: when: ")
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("9 // (x - 5)", "at 1: this divides by 0"),
        ("9 % (x - 5)", "this divides by 0"),
        ("max([])", "this list is empty"),
        ("steps[x]", "there is no item 5 in a list of 4"),
        ("steps[-x]", "there is no item -5 in a list of 4"),
        ("2 ** (x - 6)", r"at 1: 2 \*\* -1 is not a whole number"),
        ("10 ** 16 + x", r"10 \*\* 16 is too large"),
        ("999999999999999 ** 999999999999999 * x", r"999999999999999 \*\* 999999999999999 is too large"),
        ("99999999 * 99999999 * x", "9999999800000001 is too large"),
    ],
)
def test_an_evaluation_that_fails_is_an_error(text: str, problem: str) -> None:
    expression = expression_of(text, WORDS, "demo.toml: when")
    with pytest.raises(ExpressionError, match=f"^demo.toml: when: .*{problem}"):
        expression.evaluate(5)


def test_an_expression_lists_the_names_and_wagers_it_reads() -> None:
    expression = expression_of("x + steps[0] if price('come', one) else 0", WORDS, "demo.toml: when")
    assert expression.reads == {"x", "one", "steps", "price()"}
    assert expression.wagers == {"come"}


def test_only_the_branch_that_counts_is_evaluated() -> None:
    assert expression_of("0 if x == 5 else 1 // 0", WORDS, "").evaluate(5) == 0
    assert expression_of("x == 5 or 1 // 0", WORDS, "").evaluate(5) == 1
    assert expression_of("x != 5 and 1 // 0", WORDS, "").evaluate(5) == 0


@given(st.text(max_size=60) | st.text(alphabet="x1+-*/%()[]<>=!, 'steps.price_come:if else and or not in", max_size=60))
def test_any_text_is_evaluated_to_a_number_or_refused(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        assert isinstance(expression_of(text, WORDS, "demo.toml: when").evaluate(5), int)


def test_a_deep_chain_of_comparisons_parses_each_operand_once() -> None:
    """Parsing each operand twice would take a million steps for twenty levels of parentheses."""
    text = "x"
    for _ in range(20):
        text = f"0 < ({text}) < 2"
    assert expression_of(text, WORDS, "deep").evaluate(1) == 1
