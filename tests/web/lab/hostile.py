"""More than 200 questions that nobody means well by: strategies, houses, sessions and bodies made to hurt."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

HOUSE: dict[str, Any] = {"regulation": "maryland"}
SESSION: dict[str, Any] = {"bankroll_cents": 500_00, "rolls": 50}
_HEAD = 'name = "evil"\ndescription = "d"\nsource = "s"\n'
_LINE = '[[wish]]\nmake = "pass"\ncents = "1000"\n'
_SCRIPT = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


class Hostile(Struct, frozen=True):
    """One question: what it is, where it is sent, its body, and whether only a process of its own can bear it."""

    name: str
    path: str
    body: Any
    is_heavy: bool = False


def _laws(played: Any, *, house: Any = None, session: Any = None) -> dict[str, Any]:  # noqa: ANN401 - of any kind
    return {
        "house": HOUSE if house is None else house,
        "session": SESSION if session is None else session,
        "strategies": [played],
    }


def _wish(cents: str = "1000", when: str = "1", make: str = "pass", more: str = "") -> str:
    return f'{_HEAD}{more}[[wish]]\nmake = "{make}"\nwhen = "{when}"\ncents = "{cents}"\n'


def _memory(next_: str, most: int = 1000, more: str = "") -> str:
    return f'{_HEAD}[memory]\nm = {{ next = "{next_}", max = {most}{more} }}\n{_LINE}'


FILES: dict[str, str] = {
    "empty": " ",
    "no toml": "]]]][[[",
    "nul": "name = '\0'",
    "long line": _HEAD + "x = '" + "a" * 19_000 + "'",
    "ten thousand keys": _HEAD + "\n".join(f"k{at} = 1" for at in range(1_900)),
    "dotted keys": _HEAD + ".".join("a" * 1 for _ in range(4_000)) + " = 1",
    "nested lists": _HEAD + "x = " + "[" * 5_000 + "]" * 5_000,
    "nested tables": _HEAD + "x = " + "{a = " * 3_000 + "1" + "}" * 3_000,
    "many digits": _HEAD + "x = " + "9" * 15_000,
    "float": _HEAD + "x = 1e999999",
    "nan": _HEAD + "x = nan\n" + _LINE,
    "infinite": _HEAD + "x = -inf\n" + _LINE,
    "huge exponent": _wish("10 ** 10 ** 10"),
    "power": _wish("9 ** 9 ** 9 ** 9"),
    "shift": _wish("1 << 1000000000"),
    "product": _wish("1000000 * 1000000 * 1000000"),
    "division by zero": _wish("1000 // 0"),
    "remainder of zero": _wish("1000 % (puck - puck)"),
    "negative": _wish("-1000"),
    "nothing": _wish("0"),
    "a cent": _wish("1"),
    "over the limit": _wish("100000000000000"),
    "fraction": _wish("1.5"),
    "call": _wish("__import__('os').system('id')"),
    "attribute": _wish("puck.__class__.__mro__"),
    "lambda": _wish("(lambda: 1000)()"),
    "comprehension": _wish("sum([1 for x in range(10)])"),
    "walrus": _wish("(x := 1000)"),
    "f-string": _wish("f'{puck}'"),
    "open": _wish("open('/etc/passwd')"),
    "eval": _wish("eval('1000')"),
    "dunder": _wish("__builtins__"),
    "await": _wish("await puck"),
    "yield": _wish("(yield)"),
    "star": _wish("max(*numbers)"),
    "deep parentheses": _wish("(" * 450 + "1000" + ")" * 450),
    "deep minus": _wish("-" * 990 + "1"),
    "deep not": _wish("1000", when="not " * 240 + "1"),
    "long sum": _wish("+".join(["1"] * 480)),
    "deep conditional": _wish("1 if 1 else " * 80 + "1"),
    "many comparisons": _wish("1000", when="1 < 2 < 3 " * 60),
    "unicode name": _wish("1000", when="\N{FULLWIDTH LATIN SMALL LETTER P}uck"),
    "right to left": _HEAD.replace('"d"', '"\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe"') + _LINE,
    "emoji": _HEAD.replace('"d"', '"\N{GAME DIE}' + "\N{ZERO WIDTH JOINER}" * 500 + '"') + _LINE,
    "surrogate": _HEAD.replace('"d"', '"\\ud800"') + _LINE,
    "line breaks": _HEAD.replace('"d"', '"a\\nb\\u2028c"') + _LINE,
    "terminal": _HEAD.replace('"d"', '"\\u001b[2J\\u001b]0;pwned\\u0007"') + _LINE,
    "script in the name": _HEAD.replace('"evil"', f"'{_SCRIPT}'") + _LINE,
    "script in the description": _HEAD.replace('"d"', f"'{_SCRIPT}'") + _LINE,
    "script in a parameter": f'{_HEAD}[parameters]\n"{_SCRIPT}" = 1\n{_LINE}',
    "script as a wager": _wish(make=_SCRIPT.replace('"', "'")),
    "path as a name": _HEAD.replace('"evil"', '"../../etc/passwd"') + _LINE,
    "long name": _HEAD.replace('"evil"', '"' + "a" * 5_000 + '"') + _LINE,
    "reserved parameter": f"{_HEAD}[parameters]\npuck = 1\n{_LINE}",
    "keyword": f"{_HEAD}[parameters]\nlambda = 1\n{_LINE}",
    "dunder parameter": f"{_HEAD}[parameters]\n__class__ = 1\n{_LINE}",
    "hidden key": f'{_HEAD}path = "/etc/passwd"\ntext = "x"\n{_LINE}',
    "twice": _HEAD + _HEAD + _LINE,
    "number as a list": f"{_HEAD}[parameters]\nunit = [[1], [2]]\n{_LINE}",
    "parameter without end": f"{_HEAD}[parameters]\nunit = 99999999999999999\n{_LINE}",
    "wishes without end": _HEAD + _LINE * 101,
    "wishes of many numbers": _HEAD + '[[wish]]\nmake = "place_win"\non = [4, 5, 6, 8, 9, 10]\ncents = "600"\n' * 99,
    "let that names itself": f'{_HEAD}[let]\na = "a"\n{_LINE}',
    "lets in a circle": f'{_HEAD}[let]\na = "b"\nb = "a"\n{_LINE}',
    "lets that double": _HEAD
    + "[let]\n"
    + "\n".join([f'a{at} = "a{at - 1} + a{at - 1}"' if at else 'a0 = "1"' for at in range(45)])
    + '\n[[wish]]\nmake = "pass"\ncents = "a44"\n',
    "memory that grows": _memory("m + 1", 1_000_000_000),
    "memory that falls": _memory("m - 1"),
    "memory that multiplies": _memory("m * 31 + 7", 1_000_000_000),
    "memory past its end": _memory("m + 1", 3),
    "memory of all numbers": _memory("m[number] + 1", 1_000, ", each = [4, 5, 6, 8, 9, 10]"),
    "memories without end": _HEAD
    + "[memory]\n"
    + "\n".join(f'm{at} = {{ next = "(m{at} + {at}) % 7", max = 7 }}' for at in range(50))
    + f"\n{_LINE}",
    "memory of a billion": _memory("(m * 1103515245 + 12345) % 1000000000", 1_000_000_000),
    "memory by the dice": _memory("(m * 12 + total) % 100000000", 100_000_000),
    "wins remembered": _memory("m + won('pass')", 1_000_000_000),
    "start beyond": _memory("m", 10, ", start = 11"),
    "start that divides": _memory("m", 10, ', start = "1 // 0"'),
    "max that is negative": _memory("m", -1),
    "wager that is none": _wish(make="nothing"),
    "wager of another": _wish(make="fire"),
    "odds alone": _wish("100000", make="pass_odds"),
    "everything at once": _HEAD
    + "".join(
        f'[[wish]]\nmake = "{kind}"\ncents = "500"\n' for kind in ("pass", "dont_pass", "come", "dont_come", "field")
    ),
    "money that is read": _wish("equity // 2"),
    "number out of range": _HEAD + '[[wish]]\nmake = "place_win"\non = [7, 999999]\ncents = "600"\n',
    "numbers without end": _HEAD + f'[[wish]]\nmake = "place_win"\non = {[6] * 3000}\ncents = "600"\n',
    "boolean": _HEAD.replace('"evil"', "true") + _LINE,
    "date": _HEAD.replace('"evil"', "2026-01-01") + _LINE,
    "take down what is not up": _HEAD + '[[wish]]\ntake_down = "come"\n',
    "two in a wish": _HEAD + '[[wish]]\nmake = "pass"\ntake_down = "pass"\ncents = "500"\n',
    "quotes": _HEAD + '[[wish]]\nmake = """' + '"' * 40 + "\n",
    "comments": "#" * 15_000 + "\n" + _HEAD + _LINE,
    "backslashes": _HEAD + "x = '" + "\\" * 9_000 + "'",
    "byte order marks": "\N{BYTE ORDER MARK}" * 3_000 + _HEAD + _LINE,
}
HEAVY = {"memory that grows", "memory that multiplies", "memory of a billion", "memory by the dice",
         "memories without end", "memory of all numbers", "wins remembered"}  # fmt: skip

PLAYED = (
    *("", " ", "+", " + ", "+" * 300, "molly" * 60, "molly + " * 40 + "molly", "/etc/passwd", "../../etc/passwd.toml"),
    *("mine.toml", "C:\\mine.toml", "file:///etc/passwd", "molly.toml:unit=500", "/dev/zero.toml"),
    *("/proc/self/mem.toml", "molly:=", ":", "molly:unit=1e999", "molly:unit=nan", "molly:unit=-5"),
    *("molly:unit=" + "9" * 300, "molly:unit=$$$"),
    *("molly:unit", "molly:__class__=1", "molly:unit=500,unit=600", "molly:odds=1/2/3", "molly:points=99999999"),
    *(_SCRIPT, "\0", "\ud7ff\N{GAME DIE}", "mo\nlly", "' OR 1=1 --", "${jndi:ldap://x}", "{{7*7}}", "%s%s%s%n", "`id`"),
    *("$(id)", "; rm -rf /", "molly;iron_cross", "MOLLY", "molly#", "molly?x", "molly:unit=0", "molly:unit=1"),
    *("martingale:steps=" + "/".join(["1"] * 150), "press_regress:steps=" + "/".join(["9"] * 90)),
)  # fmt: skip

SESSIONS: tuple[Any, ...] = (
    *({}, [], "x", 0, None, {"bankroll_cents": "500"}, {"bankroll_cents": -1}, {"bankroll_cents": 1.5}),
    *({"bankroll_cents": 10**30}, {"bankroll_cents": 0, "rolls": 1}, {"bankroll_cents": 1, "rolls": 1}),
    *({**SESSION, "rolls": value} for value in (0, -1, 10**9, 2**70, "1", True, 1.0, 1e400, [1])),
    *({**SESSION, "goal_cents": value} for value in (0, -5, 500_00, 500_01, 10**13, "x")),
    *({**SESSION, "shooter_loss_cents": value} for value in (0, -1, 1, 10**12)),
    *({**SESSION, "short": value} for value in ("", "drop", "STOP", None, 1)),
    *({**SESSION, "hands": 3, "decisions": 4}, {"bankroll_cents": 500_00}),
    *({**SESSION, "evil": 1}, {**SESSION, "__proto__": {"x": 1}}, {"bankroll_cents": 500_00, "hands": 0}),
)
HEAVY_SESSIONS: tuple[Any, ...] = (
    {**SESSION, "hands": 1_000_000},
    *({"bankroll_cents": 10_000_000_00, "rolls": 1_000_000}, {"bankroll_cents": 99_999_999_00, "hands": 1_000_000}),
    *({"bankroll_cents": 1_000_000_00, "decisions": 100_000, "goal_cents": 2_000_000_00, "short": "reduce"},),
    *({"bankroll_cents": 50_000_00, "rolls": 100_000, "shooter_loss_cents": 1_000_00, "short": "ride"},),
)

HOUSES: tuple[Any, ...] = (
    *({}, [], None, "maryland", {"regulation": ""}, {"regulation": "nevada"}, {"regulation": "../maryland"}),
    *({"regulation": "/etc"}, {"regulation": "maryland\0"}, {"regulation": "x" * 5_000}, {"regulation": ["maryland"]}),
    *({**HOUSE, "game": value} for value in ("poker", "../craps", _SCRIPT, 1)),
    *({**HOUSE, "elections": value} for value in (
        "]", "rules = 'arizona'", "game = 'x'", "seats = -1", "seats = 1e99", "seat = 3", "x" * 19_999,
        f"name = '{_SCRIPT}'",
        "wager_cents_min = 99999999999999999999", "a." * 3_000 + "b = 1", "wager_cents_min = nan", "limits = 3",
        "odds = { multiples = { '4' = 1000000 } }", "procedures = []", "elections = { x = 1 }", "seats = " + "[" * 900,
    )),
    *({**HOUSE, "file": "/etc/passwd"}, {**HOUSE, "elections": 5}),
)  # fmt: skip

RAW: tuple[bytes, ...] = (
    *(b"", b"{", b"null", b"[]", b"\xff\xfe", b"[" * 30_000, b'{"house":' * 5_000, b"1" * 50_000, b'"' + b"x" * 60_000),
    *(b'{"house":{"regulation":"maryland"},"session":' + b"9" * 400 + b"}", b"NaN", b"{}" * 9_000, b'{"a":1e999999}'),
    *(b"x" * 70_000, b"x" * 10_000_000),
)


def hostile_questions(seed: int = 37) -> Iterator[Hostile]:
    """Yield every question, and mixtures of them by the dice of a seed."""
    for name, file in FILES.items():
        is_heavy = name in HEAVY
        yield Hostile(f"file: {name}", "/api/lab/laws", _laws({"file": file}), is_heavy)
        yield Hostile(f"checked: {name}", "/api/lab/check", {"house": HOUSE, "strategy": {"file": file}}, is_heavy)
    for played in PLAYED:
        yield Hostile(f"played: {played[:40]}", "/api/lab/laws", _laws({"played": played}))
    for session in SESSIONS:
        yield Hostile(f"session: {session}", "/api/lab/laws", _laws({"played": "pass"}, session=session))
    for session in HEAVY_SESSIONS:
        yield Hostile(f"heavy: {session}", "/api/lab/laws", _laws({"played": "pass"}, session=session), is_heavy=True)
    for house in HOUSES:
        yield Hostile(f"house: {str(house)[:60]}", "/api/lab/laws", _laws({"played": "pass"}, house=house))
    for raw in RAW:
        yield Hostile(f"raw: {raw[:20]!r}", "/api/lab/laws", raw)
    wrong: tuple[dict[str, Any], ...] = ({"strategies": []}, {"strategies": [{"played": "pass"}] * 7})
    for changed in (*wrong, {"pace": 0}, {"pace": -1}, {"pace": 1e9}):
        yield Hostile(f"laws: {changed}", "/api/lab/laws", {**_laws({"played": "pass"}), **changed})
    asked: dict[str, Any] = {"house": HOUSE, "session": SESSION}
    for more in ({"seed": -1}, {"seed": 2**60}, {"rolls": 0}, {"rolls": 10**6}, {"seed": 1.5}, {"seed": "7"}):
        yield Hostile(f"hands: {more}", "/api/lab/hands", {**asked, "strategy": {"played": "molly"}, **more})
    dice = Random(seed)
    for number in range(30):
        file = _chopped(dice, dice.choice([*FILES.values()]))
        yield Hostile(f"chopped {number}", "/api/lab/hands", {**asked, "strategy": {"file": file}}, is_heavy=True)


def _chopped(dice: Random, text: str) -> str:
    """Return a text with pieces of it cut out, doubled and swapped."""
    for _ in range(dice.randrange(1, 6)):
        at, until = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        piece = text[at:until]
        text = dice.choice([text[:at] + text[until:], text[:until] + piece + text[until:], piece + text])[:19_000]
    return text
