"""Acts and their fields in plain words: no codes, no full digests, no amounts in cents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.events import Variance
from passline.acts.papers.form_codes import read_code
from passline.acts.rules import ActRules
from passline.acts.schema import PRACTICE, Field
from passline.acts.state import CASH_REPORT, ActState
from passline.money import dollars, with_dollar_sign

Names = Mapping[str, str]
"""What people are called, by their accounts."""
NOBODY: Names = {}
"""Where nobody's name is known."""
_DIGEST = 64
_LONG = 200
_MANY = 20
_NAMES_KEPT = 2_048  # of fields and amounts, as they stand on pages
_PERSON, _CHIP = "person", "chip"
_NUMBERED = re.compile(r"([A-Z][A-Za-z-]*)(\d{1,9})")
_ACCOUNT = re.compile(r"\b[0-9a-f]{16}\b")
_KEY = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_UNITS = re.compile(r"\b(\d+) of (\d+)(?: cents)?(?=[,;]|\s|$)")
_LEDGER = re.compile(r"counted (\d+\.\d\d); ledger (\d+\.\d\d); (\d+\.\d\d) (short|over)")
_REPORT = re.compile(r"(\d{4}-\d\d-\d\d)\.([a-z]+)-(.+)")  # which report of cash: the gaming day, and of whom
_FIELD_UNITS = re.compile(r"\b(\d+) of ([a-z]+) (\d+)(?=[,;]|$)")  # of a field with units by denomination
_FIELD_CENTS = re.compile(r"\b(\d+) of (tickets|coupons|cash|chips)(?=[,;]|$)")  # of a field with cents
_LISTED = re.compile(r"\b(\d+) of ([A-Za-z][\w.:/-]*)")


@lru_cache(_NAMES_KEPT)
def money_in_words(cents: int) -> str:
    """Return cents as dollars.

    >>> money_in_words(13_500_00), money_in_words(-5)
    ('$13,500.00', '-$0.05')
    """
    whole, _, rest = dollars(abs(cents)).partition(".")
    return with_dollar_sign(f"{'-' * (cents < 0)}{int(whole):,}.{rest}")


class Wording(Struct, frozen=True, kw_only=True):
    """What the words of acts depend on: the pages, what people and things are called, and the time of the house."""

    rules: ActRules | None = None
    names: Names = NOBODY
    facility: Facility | None = None
    state: ActState | None = None

    def local(self, at: str) -> str:
        """Return a moment as local time."""
        return self.facility.minute(at) if self.facility and at else at

    def kind_name(self, kind: str) -> str:
        """Return what the pages call a kind of thing."""
        known = self.rules.pages.things.get(kind) if self.rules else None
        return known.name if known else kind.replace("_", " ")

    def thing_name(self, kind: str, id_: str) -> str:
        """Return what a thing is called: people and patrons by their names."""
        if kind == _PERSON:
            return self.names.get(id_, id_)
        if kind == _CHIP and id_.isdecimal():
            return money_in_words(int(id_))
        if kind == CASH_REPORT and (report := _REPORT.fullmatch(id_)):
            return f"of {report[1]}, {self.subject(f'{report[2]}/{report[3]}')}"
        known = self.state.thing(kind, id_) if self.state else None
        name = known.facts.get("name") if known else None
        return f"{name} ({id_})" if isinstance(name, str) and name else id_

    def thing_names(self, kind: str, ids: Sequence[str]) -> str:
        """Return what things are called, several that follow each other by the first and the last.

        >>> Wording().thing_names("die", ["A01", "A02", "A03", "A05"])
        'A01 to A03, A05'
        """
        runs: list[list[str]] = []
        for id_ in ids:
            if runs and _follows(runs[-1][-1], id_):
                runs[-1].append(id_)
            else:
                runs.append([id_])
        said = ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run for run in runs)  # noqa: PLR2004 - as long as a list
        return ", ".join(self.thing_name(kind, name) for names in said for name in names)

    def subject(self, subject: str) -> str:
        """Return what is kept as kind/id in words: a kind as the pages call it, and which.

        >>> Wording().subject("fill_slip/F-000001"), Wording().subject("the office")
        ('fill slip F-000001', 'the office')
        """
        kind, slash, id_ = subject.partition("/")
        return f"{self.kind_name(kind)} {self.thing_name(kind, id_)}" if slash else subject

    def reason(self, text: str) -> str:
        """Return what an incident says is wrong, as people read it: amounts in dollars, kinds and people by name.

        >>> Wording().reason("the cage differs: counted 40 of 500, 2 of 2500; on record nothing [practice]")
        'the cage differs: counted 40 x $5.00, 2 x $25.00; on record nothing'
        >>> Wording().reason("a corrected count: counted 118 of chips 10000; on record 100 of chips 10000")
        'a corrected count: counted 118 x $100.00 in chips; on record 100 x $100.00 in chips'
        >>> Wording().reason("a slip is not in its box: counted 0 of F-000001; on record 1 of F-000001")
        'a slip is not in its box: F-000001 is missing'
        """
        text = _ACCOUNT.sub(lambda found: self.names.get(found[0], found[0]), text.replace(f" [{PRACTICE}]", ""))
        text = _KEY.sub(lambda found: self.kind_name(found[0]), text)
        text = _LEDGER.sub(
            lambda found: "counted {}; ledger {}; {} {}".format(*map(with_dollar_sign, found.groups()[:3]), found[4]),
            text,
        )
        text = _FIELD_UNITS.sub(lambda found: f"{found[1]} of {found[3]} in {found[2]}", text)
        text = _UNITS.sub(lambda found: f"{int(found[1]):,} x {money_in_words(int(found[2]))}", text)
        text = _FIELD_CENTS.sub(lambda found: f"{money_in_words(int(found[1]))} in {found[2]}", text)
        what, told, figures = text.partition(": counted ")
        counted, _, expected = figures.partition("; on record ")
        if not told or not (_LISTED.search(counted) or _LISTED.search(expected)):
            return text
        differ = _difference(dict(_things_in(counted)), dict(_things_in(expected)))
        return f"{what}: {differ}"

    def variance(self, variance: Variance) -> str:
        """Return how a count differs from the record."""
        counted, expected = (
            ", ".join(f"{count} of {name}" for name, count in found.items()) or "nothing"
            for found in (variance.counted, variance.expected)
        )
        return self.reason(f"{variance.what}: counted {counted}; on record {expected}")

    def field(self, field: Field | None, value: Any) -> str:  # noqa: ANN401 - of any kind
        """Return what was written in a field of an act, whole.

        >>> found = [
        ...     (Field(name="chips", type="units", cite="practice"), {"500": 40, "2500": 2}),
        ...     (Field(name="edge", type="per_thing", unit="mil", cite="practice"), {"A1": 752, "A2": 752}),
        ...     (Field(name="tickets in cents", type="cents", cite="practice"), 12_50),
        ... ]
        >>> [Wording().field(field, value) for field, value in found]
        ['40 x $5.00, 2 x $25.00: $250.00', 'A1, A2: 752 mil', '$12.50']
        """
        kinds, write = _WRITTEN.get(field.type if field else "", ((), None))
        if field is None or write is None or not isinstance(value, kinds):
            return value_in_words(value, self.names)
        return write(self, field, value)

    def items_seen(self, field: Field, value: Mapping[str, bool]) -> str:
        """Return what was seen of a checklist: all of it, or what was not."""
        pages = self.rules.pages if self.rules else None
        known = pages.checklists.get(field.of[0]) if pages and field.of else None
        items = known.items if known else {}
        missing = [
            items[key].says if key in items else key.replace("_", " ") for key, seen in value.items() if not seen
        ]
        if not missing:
            return "seen" if len(value) == 1 else f"all {len(value)} items seen"
        return f"{len(value) - len(missing)} of {len(value)} items seen; not: {', '.join(missing)}"

    def fields(self, act: str, values: Mapping[str, Any]) -> str:
        """Return all that an act says, each field by the name that the page gives it."""
        rule = self.rules.act(act) if self.rules else None
        fields = rule.fields if rule else {}
        return "; ".join(
            f"{name_beside_dollars(fields[key].name) if key in fields else key.replace('_', ' ')}: "
            f"{self.field(fields.get(key), value)}"
            for key, value in values.items()
        )


_Write = Callable[[Wording, Field, Any], str]


def _things_written(words: Wording, field: Field, value: list[str]) -> str:
    return words.thing_names(field.of[0] if field.of else "", [str(id_) for id_ in value])


def _shares_written(words: Wording, _field: Field, value: dict[str, int]) -> str:
    return ", ".join(f"{words.names.get(who, who)} {money_in_words(cents)}" for who, cents in value.items())


def _document_written(_words: Wording, _field: Field, value: str) -> str:
    return f"document {value[:12]}" if len(value) == _DIGEST else value


def _lines_written(_words: Wording, _field: Field, value: list[dict[str, Any]]) -> str:
    slips = dict.fromkeys(str(line["slip"]) for line in value if line.get("slip"))
    return f"{len(value)} {'line' if len(value) == 1 else 'lines'}: {_cut(', '.join(slips))}"


def _units_written(_words: Wording, _field: Field, value: dict[str, int]) -> str:
    return f"{value_in_words(value)}: {money_in_words(_worth(value))}" if value else "nothing"


_WRITTEN: dict[str, tuple[Any, _Write]] = {  # by the type of a field: of which kind its values are, and their words
    "cents": (int, lambda _words, _field, value: money_in_words(value)),
    "units": (dict, _units_written),
    "lines": (list, _lines_written),
    "checklist": (dict, lambda words, field, value: words.items_seen(field, value)),
    "per_thing": (dict, lambda _words, field, value: f"{_by_value(value)} {field.unit}".strip()),
    "shares": (dict, _shares_written),
    "document": (str, _document_written),
    "sheet": (str, _document_written),
    "codes": (list, lambda _words, _field, value: ", ".join(_number_on(str(code)) for code in value)),
    "moment": (str, lambda words, _field, value: words.local(value)),
    "act": (int, lambda _words, _field, value: f"act {value}"),
    "house": (dict, lambda _words, _field, value: f"{len(value)} elections"),
    "some": (list, lambda _words, _field, value: ", ".join(str(item).replace("_", " ") for item in value)),
    "text": (str, lambda _words, _field, value: value),
    "thing": (str, lambda words, field, value: words.thing_name(field.of[0] if field.of else "", value)),
    "things": (list, _things_written),
}


def time_zone_in_words(facility: Facility) -> str:
    """Return the line at the foot of each document that says in which time zone its times are.

    >>> time_zone_in_words(Facility(name="Harbour", zone="America/New_York"))
    'times are those of America/New York'
    """
    return f"times are those of {facility.zone.replace('_', ' ')}"


@lru_cache(_NAMES_KEPT)
def name_beside_dollars(name: str) -> str:
    """Return the name of a field in cents as it stands beside an amount in dollars: without "in cents".

    >>> name_beside_dollars("coupons in cents, which are no drop"), name_beside_dollars("the boxes")
    ('coupons, which are no drop', 'the boxes')
    """
    return re.sub(r",? in cents\b", "", name)


def value_in_words(value: Any, names: Names = NOBODY) -> str:  # noqa: ANN401 - of any kind
    """Return a value in words, accounts by the names of their people.

    >>> value_in_words({"500": 40}), value_in_words({"oval": True, "legs": False}), value_in_words(["b"], {"b": "Bob"})
    ('40 x $5.00', 'oval, not legs', 'Bob')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case dict() if value and all(isinstance(item, bool) for item in value.values()):
            return ", ".join(f"{'' if item else 'not '}{key.replace('_', ' ')}" for key, item in value.items())
        case dict() if value and all(key.isdecimal() and isinstance(item, int) for key, item in value.items()):
            units = sorted(value.items(), key=lambda unit: int(unit[0]))
            return ", ".join(f"{count:,} x {money_in_words(int(unit))}" for unit, count in units)
        case {"count": int() as count, "unit": str() as unit}:
            words = unit.replace("_", " ")
            return f"{count} {words.removesuffix('s') if count == 1 else words}"
        case dict() if all(isinstance(item, str | int) for item in value.values()) and len(value) < _MANY:
            return ", ".join(f"{names.get(key, key)} {item}" for key, item in value.items()) or "nothing"
        case dict():
            return "as the log has it"
        case list() | tuple():
            return ", ".join(value_in_words(item, names) for item in value)
        case str() if value in names:
            return names[value]
        case str() if len(value) == _DIGEST and set(value) <= set("0123456789abcdef"):
            return f"{value[:12]}..."
        case _:
            return _cut(str(value))


def _things_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield each thing of a list such as "1 of F-000001, 0 of F-000002", with how often it is there."""
    yield from ((found[2], int(found[1])) for found in _LISTED.finditer(text))


def _difference(counted: Mapping[str, int], expected: Mapping[str, int]) -> str:
    """Return which things are missing, and which are there that should not be."""
    names = dict.fromkeys((*expected, *counted))
    missing = [name for name in names if counted.get(name, 0) < expected.get(name, 0)]
    more = [name for name in names if counted.get(name, 0) > expected.get(name, 0)]
    said = ((missing, "missing"), (more, "there and not on record"))
    return "; ".join(f"{', '.join(some)} {'is' if len(some) == 1 else 'are'} {how}" for some, how in said if some)


def _follows(name: str, following: str) -> bool:
    """Return whether a name is the next one in a series, such as A02 after A01."""
    first, second = _NUMBERED.fullmatch(name), _NUMBERED.fullmatch(following)
    if not first or not second or first[1] != second[1] or len(first[2]) != len(second[2]):
        return False
    return int(second[2]) == int(first[2]) + 1


def _worth(units: Mapping[str, int]) -> int:
    return sum(int(unit) * count for unit, count in units.items() if unit.isdecimal())


def _by_value(value: Mapping[str, Any]) -> str:
    """Return figures of things, those with the same one together."""
    found: dict[Any, list[str]] = {}
    for name, figure in value.items():
        found.setdefault(figure, []).append(name)
    return "; ".join(f"{Wording().thing_names('', names)}: {figure}" for figure, names in found.items())


def _number_on(code: str) -> str:
    """Return the number of the form that a scanner has read."""
    known = read_code(code)
    return known.number if known else _cut(code)


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."
