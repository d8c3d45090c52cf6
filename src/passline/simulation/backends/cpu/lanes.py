"""One block of dice for 64 sessions at once, as LLVM vector instructions: the inner loop of the CPU kernel.

A lane is a session: its equity E, peak P, drawdown D, amount wagered W and the row of each part of its network, all in
32 bits. A roll of outcome d looks up one packed entry per part, that of cell row + d:

    row' = next    E' = E + cash    P' = max(P, E')    D' = max(D, P' - E')    W' = W + action    slack = E' - outlay'

summed over the parts. A lane whose slack falls below 0 keeps its amounts from then on, and C counts the rolls before
that. The caller decides from them whether the session is ruined. Two rare cases are only flagged, and the caller plays
the block of such a lane again roll by roll: a rejected word, and a peak that reached the goal.

It is built in one of the forms of `lane_forms`: LLVM turns its vectors into those that the machine has.
"""
# ruff: noqa: ANN401, PLR0917 - llvmlite has no types; numba takes arguments by position, as a formula lists them

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from passline.simulation.backends.cpu import kernel_dice as dice
from passline.simulation.backends.cpu.lane_forms import FORMS, LaneForm
from passline.simulation.kernel_tables import FIELDS

__all__ = [
    "BEHIND",
    "COUNT",
    "DRAWDOWN",
    "EQUITY",
    "KEYS_WIDE",
    "LANES",
    "NUMBER",
    "PEAK",
    "ROWS",
    "WAGERED",
    "highest_bit",
    "look_up_chain",
    "play_block",
    "without_refcount",
]

LANES = 64
"""Sessions that one call plays."""
KEYS_WIDE = 8
"""How many copies of a key stand in memory, one per 64-bit lane of the widest form."""

# The fields of a lane; from ROWS on, the row of each part. BEHIND: the rolls that rejected words have cost the session.
# NUMBER: counted from the first session of the run. COUNT: C of the last block, or -1 if it must be played again.
EQUITY, PEAK, DRAWDOWN, WAGERED, BEHIND, NUMBER, COUNT, ROWS = range(8)

_I1, _I32, _I64 = (ir.IntType(bits) for bits in (1, 32, 64))
_LOW = (1 << dice.BITS) - 1

_Value = Any
_Builder = Any


class _Vectors:
    """The vector types of a form: of 32-bit amounts, and of half as many 64-bit numbers, which are dice and entries."""

    def __init__(self, form: LaneForm) -> None:
        self.form = form
        self.half = form.width // 2
        self.v32, self.v64 = ir.VectorType(_I32, form.width), ir.VectorType(_I64, self.half)
        self.bits, self.mask = ir.VectorType(_I1, self.half), ir.VectorType(_I1, form.width)
        self.pointers = ir.VectorType(ir.PointerType(), self.half)
        self.even, self.odd = (ir.Constant(self.v32, list(range(first, 2 * form.width, 2))) for first in (0, 1))

    def halves(self, b: _Builder, value: _Value) -> list[_Value]:
        """Return 32-bit lanes as two vectors of 64-bit lanes."""
        nothing = ir.Constant(self.v32, ir.Undefined)
        kind = ir.VectorType(_I32, self.half)
        lanes = [ir.Constant(kind, list(range(first, first + self.half))) for first in (0, self.half)]
        return [b.zext(b.shuffle_vector(value, nothing, half), self.v64) for half in lanes]

    def joined(self, b: _Builder, halves: list[_Value], which: ir.Constant) -> _Value:
        """Return the low (even) or high (odd) 32 bits of two vectors of 64-bit lanes as one vector."""
        one, other = (b.bitcast(half, self.v32) for half in halves)
        return b.shuffle_vector(one, other, which)

    def look_up(self, b: _Builder, table: _Value, cells: _Value) -> _Value:
        """Look up one entry per lane."""
        if not self.form.is_gather:
            return self._loaded(b, table, cells)
        kind = ir.FunctionType(self.v64, [self.pointers, _I32, self.bits, self.v64])
        name = f"llvm.masked.gather.v{self.half}i64.v{self.half}p0"
        gather = cgutils.get_or_insert_function(b.module, kind, name)  # type: ignore[no-untyped-call]
        addresses = b.gep(b.inttoptr(table, _I64.as_pointer()), [cells], source_etype=_I64)
        addresses.type = self.pointers  # one address per lane; llvmlite infers a single one
        return b.call(gather, [addresses, ir.Constant(_I32, 8), _splat(self.bits, 1), _nothing(self.v64)])

    def _loaded(self, b: _Builder, table: _Value, cells: _Value) -> _Value:
        """Load the entries one by one and put them together."""
        found, base = _nothing(self.v64), b.inttoptr(table, _I64.as_pointer())
        for lane in range(self.half):
            place = ir.Constant(_I32, lane)
            entry = b.load(b.gep(base, [b.extract_element(cells, place)], source_etype=_I64), typ=_I64, align=8)
            found = b.insert_element(found, entry, place)
        return found


def _nothing(kind: Any) -> ir.Constant:
    return ir.Constant(kind, ir.Undefined)


def _splat(kind: Any, value: int) -> ir.Constant:
    return ir.Constant(kind, [value] * kind.count)


def _spread(b: _Builder, value: _Value, kind: Any) -> _Value:
    """Return a vector with a scalar in every lane."""
    one = b.insert_element(_nothing(kind), value, ir.Constant(_I32, 0))
    where = ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    return b.shuffle_vector(one, _nothing(kind), where)


def _philox(b: _Builder, counter: list[_Value], keys: list[tuple[_Value, _Value]]) -> list[_Value]:
    """Return the four words after ten rounds. Only the low halves of the 64-bit lanes are read."""
    c0, c1, c2, c3 = counter
    low, half = _splat(c0.type, _LOW), _splat(c0.type, dice.BITS)
    first, second = (_splat(c0.type, multiplier) for multiplier in dice.MULTIPLIERS)
    for k0, k1 in keys:
        p, q = b.mul(b.and_(c0, low), first), b.mul(b.and_(c2, low), second)
        c0, c1 = b.xor(b.xor(b.lshr(q, half), c1), k0), q
        c2, c3 = b.xor(b.xor(b.lshr(p, half), c3), k1), p
    return [b.and_(word, low) for word in (c0, c1, c2, c3)]


def _keys(b: _Builder, keys: _Value, kind: Any) -> list[tuple[_Value, _Value]]:
    """Load the keys of the ten rounds from memory: there are too many for registers."""
    places = [b.add(keys, ir.Constant(_I64, index * KEYS_WIDE * 8)) for index in range(2 * dice.ROUNDS)]
    loaded = [b.load(b.inttoptr(place, kind.as_pointer()), align=8) for place in places]
    return list(zip(loaded[::2], loaded[1::2], strict=True))


def _largest(b: _Builder, one: _Value, other: _Value) -> _Value:
    return b.select(b.icmp_signed(">", one, other), one, other)


class _Vector:
    """The lanes of one vector, with their fields in variables that LLVM turns into registers."""

    def __init__(self, b: _Builder, kinds: _Vectors, held: int, offset: int) -> None:
        self.kinds, self.offset = kinds, offset
        self.at = [cgutils.alloca_once(b, self.kinds.v32) for _ in range(ROWS)]  # type: ignore[no-untyped-call]
        self.flagged = cgutils.alloca_once(b, self.kinds.v32)  # type: ignore[no-untyped-call]
        self.funded = cgutils.alloca_once(b, self.kinds.mask)  # type: ignore[no-untyped-call]
        self.rows = [self._pair(b) for _ in range(held - ROWS)]
        self.word = self._pair(b)
        words = ir.ArrayType(self.kinds.v64, dice.WORDS)
        self.words = [cgutils.alloca_once(b, words) for _ in range(2)]  # type: ignore[no-untyped-call]

    def _pair(self, b: _Builder) -> list[_Value]:
        return [cgutils.alloca_once(b, self.kinds.v64) for _ in range(2)]  # type: ignore[no-untyped-call]

    def load(self, b: _Builder, held: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(self._place(b, held, stride, index), align=4), variable)
        for index, row in enumerate(self.rows, ROWS):
            for half, value in zip(
                row, self.kinds.halves(b, b.load(self._place(b, held, stride, index), align=4)), strict=True
            ):
                b.store(value, half)
        b.store(_splat(self.kinds.v32, 0), self.at[COUNT])
        b.store(_splat(self.kinds.mask, 1), self.funded)

    def save(self, b: _Builder, out: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(variable), self._place(b, out, stride, index), align=4)
        for index, row in enumerate(self.rows, ROWS):
            b.store(
                self.kinds.joined(b, [b.load(half) for half in row], self.kinds.even),
                self._place(b, out, stride, index),
                align=4,
            )

    def _place(self, b: _Builder, base: _Value, stride: _Value, index: int) -> _Value:
        cell = b.add(b.mul(stride, ir.Constant(_I64, index)), ir.Constant(_I64, self.offset))
        return b.inttoptr(b.add(base, b.mul(cell, ir.Constant(_I64, 4))), self.kinds.v32.as_pointer())

    def throw(self, b: _Builder, first: _Value, block: _Value, keys: list[tuple[_Value, _Value]]) -> None:
        """Compute the four words of this block, and flag the lanes in which one is rejected."""
        low, half = _splat(self.kinds.v64, _LOW), _splat(self.kinds.v64, dice.BITS)
        span, least = _splat(self.kinds.v64, dice.FACES**dice.DIGITS), _splat(self.kinds.v64, dice.REJECTED)
        rejected = [_splat(self.kinds.v64, 0), _splat(self.kinds.v64, 0)]
        for side, number in enumerate(self.kinds.halves(b, b.load(self.at[NUMBER]))):
            session = b.add(number, _spread(b, first, self.kinds.v64))
            counter = [
                _spread(b, block, self.kinds.v64),
                b.and_(session, low),
                b.lshr(session, half),
                _splat(self.kinds.v64, 0),
            ]
            for index, word in enumerate(_philox(b, counter, keys)):
                b.store(word, b.gep(self.words[side], [ir.Constant(_I32, 0), ir.Constant(_I32, index)]))
                is_rejected = b.icmp_unsigned("<", b.and_(b.mul(word, span), low), least)
                rejected[side] = b.or_(rejected[side], b.sext(is_rejected, self.kinds.v64))
        b.store(self.kinds.joined(b, rejected, self.kinds.even), self.flagged)

    def take_word(self, b: _Builder, index: _Value) -> None:
        for words, word in zip(self.words, self.word, strict=True):
            b.store(b.load(b.gep(words, [ir.Constant(_I64, 0), index])), word)

    def roll(self, b: _Builder, table: _Value) -> None:
        """Take the next roll from the word, look it up, and update the lanes; `funded` is cleared when slack < 0."""
        rolled = []
        for word in self.word:
            product = b.mul(b.and_(b.load(word), _splat(self.kinds.v64, _LOW)), _splat(self.kinds.v64, dice.FACES))
            b.store(product, word)
            rolled.append(b.lshr(product, _splat(self.kinds.v64, dice.BITS)))
        high = low = None
        for row in self.rows:
            entries = []
            for half, d in zip(row, rolled, strict=True):
                entries.append(self.kinds.look_up(b, table, b.add(b.load(half), d)))
                b.store(b.lshr(entries[-1], _splat(self.kinds.v64, dice.BITS + FIELDS["action"])), half)
            more_low, more_high = (
                self.kinds.joined(b, entries, self.kinds.even),
                self.kinds.joined(b, entries, self.kinds.odd),
            )
            high = more_high if high is None else b.add(high, more_high)
            low = more_low if low is None else b.add(low, more_low)
        nothing, funded = _splat(self.kinds.v32, 0), b.load(self.funded)
        cash = b.select(funded, b.ashr(low, _splat(self.kinds.v32, FIELDS["outlay"])), nothing)
        action = b.select(funded, b.and_(high, _splat(self.kinds.v32, (1 << FIELDS["action"]) - 1)), nothing)
        outlay = b.and_(low, _splat(self.kinds.v32, (1 << FIELDS["outlay"]) - 1))
        equity = b.add(b.load(self.at[EQUITY]), cash)
        peak = _largest(b, b.load(self.at[PEAK]), equity)
        drawdown = _largest(b, b.load(self.at[DRAWDOWN]), b.sub(peak, equity))
        funded = b.and_(funded, b.icmp_signed(">=", equity, outlay))
        count = b.load(self.at[COUNT])
        b.store(equity, self.at[EQUITY])
        b.store(peak, self.at[PEAK])
        b.store(drawdown, self.at[DRAWDOWN])
        b.store(b.add(b.load(self.at[WAGERED]), action), self.at[WAGERED])
        b.store(b.select(funded, b.add(count, _splat(self.kinds.v32, 1)), count), self.at[COUNT])
        b.store(funded, self.funded)

    def mask(self, b: _Builder, goal: _Value) -> _Value:
        """Return one bit per lane that fell short or must be played again."""
        reached = b.icmp_signed(">=", b.load(self.at[PEAK]), _spread(b, goal, self.kinds.v32))
        again = b.or_(reached, b.icmp_signed("<", b.load(self.flagged), _splat(self.kinds.v32, 0)))
        b.store(b.select(again, _splat(self.kinds.v32, -1), b.load(self.at[COUNT])), self.at[COUNT])
        fell = b.xor(b.load(self.funded), _splat(self.kinds.mask, 1))
        bits = b.zext(b.bitcast(b.or_(again, fell), ir.IntType(self.kinds.form.width)), _I64)
        return b.shl(bits, ir.Constant(_I64, self.offset))


def _play(b: _Builder, kinds: _Vectors, parts: int, arguments: list[_Value]) -> _Value:
    """Build a block for as many lanes as are interleaved: the words, then a loop over them that stops after `rolls`."""
    table, held, out, stride, keys_at, first, block, rolls, goal = arguments
    form = kinds.form
    vectors = [_Vector(b, kinds, ROWS + parts, index * form.width) for index in range(form.vectors)]
    for vector in vectors:
        vector.load(b, held, stride)
        vector.throw(b, first, block, _keys(b, keys_at, kinds.v64))
    done = b.append_basic_block("done")
    with cgutils.for_range(b, ir.Constant(_I64, dice.WORDS)) as loop:
        for vector in vectors:
            vector.take_word(b, loop.index)
        for digit in range(dice.DIGITS):
            goes_on = b.append_basic_block("roll")
            place = b.add(b.mul(loop.index, ir.Constant(_I64, dice.DIGITS)), ir.Constant(_I64, digit))
            b.cbranch(b.icmp_signed("<", place, rolls), goes_on, done)
            b.position_at_end(goes_on)
            for vector in vectors:
                vector.roll(b, table)
    b.branch(done)
    b.position_at_end(done)
    flagged = ir.Constant(_I64, 0)
    for vector in vectors:
        flagged = b.or_(flagged, vector.mask(b, goal))
        vector.save(b, out, stride)
    return flagged


def _play_all(b: _Builder, kinds: _Vectors, parts: int, arguments: list[_Value]) -> _Value:
    """Build a block for all lanes, as many at a time as are interleaved."""
    at_once = kinds.form.width * kinds.form.vectors
    if at_once == LANES:
        return _play(b, kinds, parts, arguments)
    flagged = cgutils.alloca_once_value(b, ir.Constant(_I64, 0))  # type: ignore[no-untyped-call]
    with cgutils.for_range(b, ir.Constant(_I64, LANES // at_once)) as loop:
        table, held, out, *others = arguments
        lanes = b.mul(loop.index, ir.Constant(_I64, at_once))
        further = b.mul(lanes, ir.Constant(_I64, 4))
        bits = _play(b, kinds, parts, [table, b.add(held, further), b.add(out, further), *others])
        b.store(b.or_(b.load(flagged), b.shl(bits, lanes)), flagged)
    return b.load(flagged)


@intrinsic
def play_block(
    typingctx: Any,
    form: Any,
    parts: Any,
    table: Any,
    held: Any,
    out: Any,
    stride: Any,
    keys: Any,
    first: Any,
    block: Any,
    rolls: Any,
    goal: Any,
) -> Any:
    """Play the first `rolls` of a block of 64 sessions. Return a bit per lane that fell short or must be played again.

    `form` is one of `lane_forms`. The length of the tuple `parts` is the number of parts. `table` (the packed entries),
    `held` and `out` (the lanes before and after, int32, with fields `stride` apart) and `keys` are addresses.
    """
    del typingctx, table, held, out, stride, keys, first, block, rolls, goal
    signature = types.uint64(form, parts, *([types.uint64] * 7), types.int64, types.int32)

    def generate(_context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        return _play_all(builder, _Vectors(FORMS[form.instance_class]), len(parts), list(arguments[2:]))

    return signature, generate


@intrinsic
def look_up_chain(typingctx: Any, form: Any, table: Any, rounds: Any) -> Any:
    """Follow a table of 64-bit cells from each of its first cells, in the way in which a form looks entries up.

    It does nothing else, so that forms can be compared. Return the sum of the cells it comes to.
    """
    del typingctx, table, rounds

    def generate(_context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        return _follow(builder, _Vectors(FORMS[form.instance_class]), arguments[1], arguments[2])

    return types.uint64(form, types.uint64, types.int64), generate


def _follow(b: _Builder, kinds: _Vectors, table: _Value, rounds: _Value) -> _Value:
    """Build the loop of `look_up_chain`, with as many chains at a time as a block has."""
    count = 2 * kinds.form.vectors
    starts = [
        ir.Constant(kinds.v64, list(range(index * kinds.half, (index + 1) * kinds.half))) for index in range(count)
    ]
    cells = [cgutils.alloca_once_value(b, start) for start in starts]  # type: ignore[no-untyped-call]
    with cgutils.for_range(b, rounds):
        for cell in cells:
            b.store(kinds.look_up(b, table, b.load(cell)), cell)
    total = ir.Constant(_I64, 0)
    for cell in cells:
        for lane in range(kinds.half):
            total = b.add(total, b.extract_element(b.load(cell), ir.Constant(_I32, lane)))
    return total


@intrinsic
def without_refcount(typingctx: Any, array: Any) -> Any:
    """Return the array without its reference count, which numba would update atomically in every call that takes it.

    The caller of the kernel keeps the array alive while the kernel runs.
    """
    del typingctx

    def generate(context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        (value,) = arguments
        lent = context.make_array(array)(context, builder, value)
        lent.meminfo = ir.Constant(lent.meminfo.type, None)
        return lent._getvalue()  # noqa: SLF001 - numba's own name for it

    return array(array), generate


@intrinsic
def highest_bit(typingctx: Any, mask: Any) -> Any:
    """Return the place of the highest bit set in a number other than 0."""
    del typingctx

    def generate(_context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        zeros = builder.ctlz(arguments[0], ir.Constant(_I1, 1))
        return builder.sub(ir.Constant(_I64, 63), zeros)

    return types.int64(mask), generate
