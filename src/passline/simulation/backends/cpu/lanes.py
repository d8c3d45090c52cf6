"""One block of dice for 64 sessions at once, as LLVM vector instructions: the inner loop of the CPU kernel.

A lane is a session: its equity E, peak P, drawdown D, amount wagered W and the row of each part of its network, all in
32 bits. A roll of outcome d looks up one packed entry per part, that of cell row + d:

    row' = next    E' = E + cash    P' = max(P, E')    D' = max(D, P' - E')    W' = W + action    slack = E' - outlay'

summed over the parts. A lane whose slack falls below 0 keeps its amounts from then on, and C counts the rolls before
that. The caller decides from them whether the session is ruined. Two rare cases are only flagged, and the caller plays
the block of such a lane again roll by roll: a rejected word, and a peak that reached the goal.

LLVM uses the vectors that the machine has: on AVX-512, 16 lanes are one register and a look-up is a gather.
"""
# ruff: noqa: ANN401, PLR0917 - llvmlite has no types; numba takes arguments by position, as a formula lists them

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from passline.simulation.backends.cpu import kernel_dice as dice
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
    "play_block",
    "without_refcount",
]

_HALF = 8  # lanes in a vector of 64-bit numbers: dice and entries
_WIDTH = 16  # lanes in a vector of 32-bit numbers: amounts
_VECTORS = 4  # interleaved, so that the others work while one waits for its look-up
KEYS_WIDE = _HALF
"""How many copies of a key stand in memory, one per 64-bit lane."""
LANES = _WIDTH * _VECTORS
"""Sessions that one call plays."""

# The fields of a lane; from ROWS on, the row of each part. BEHIND: the rolls that rejected words have cost the session.
# NUMBER: counted from the first session of the run. COUNT: C of the last block, or -1 if it must be played again.
EQUITY, PEAK, DRAWDOWN, WAGERED, BEHIND, NUMBER, COUNT, ROWS = range(8)

_I1, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (1, 16, 32, 64))
_V32, _V64 = ir.VectorType(_I32, _WIDTH), ir.VectorType(_I64, _HALF)
_BITS, _MASK = ir.VectorType(_I1, _HALF), ir.VectorType(_I1, _WIDTH)
_POINTERS = ir.VectorType(ir.PointerType(), _HALF)
_LOW = (1 << dice.BITS) - 1
_EVEN, _ODD = (ir.Constant(_V32, list(range(first, 2 * _WIDTH, 2))) for first in (0, 1))

_Value = Any
_Builder = Any


def _splat(kind: Any, value: int) -> ir.Constant:
    return ir.Constant(kind, [value] * kind.count)


def _spread(b: _Builder, value: _Value, kind: Any) -> _Value:
    """Return a vector with a scalar in every lane."""
    one = b.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_I32, 0))
    where = ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    return b.shuffle_vector(one, ir.Constant(kind, ir.Undefined), where)


def _halves(b: _Builder, value: _Value) -> list[_Value]:
    """Return sixteen 32-bit lanes as two vectors of 64-bit lanes."""
    nothing = ir.Constant(_V32, ir.Undefined)
    kind = ir.VectorType(_I32, _HALF)
    lanes = [ir.Constant(kind, list(range(first, first + _HALF))) for first in (0, _HALF)]
    return [b.zext(b.shuffle_vector(value, nothing, half), _V64) for half in lanes]


def _joined(b: _Builder, halves: list[_Value], which: ir.Constant) -> _Value:
    """Return the low (even) or high (odd) 32 bits of two vectors of 64-bit lanes as one vector."""
    one, other = (b.bitcast(half, _V32) for half in halves)
    return b.shuffle_vector(one, other, which)


def _philox(b: _Builder, counter: list[_Value], keys: list[tuple[_Value, _Value]]) -> list[_Value]:
    """Return the four words after ten rounds. Only the low halves of the 64-bit lanes are read."""
    c0, c1, c2, c3 = counter
    low, half = _splat(_V64, _LOW), _splat(_V64, dice.BITS)
    first, second = (_splat(_V64, multiplier) for multiplier in dice.MULTIPLIERS)
    for k0, k1 in keys:
        p, q = b.mul(b.and_(c0, low), first), b.mul(b.and_(c2, low), second)
        c0, c1 = b.xor(b.xor(b.lshr(q, half), c1), k0), q
        c2, c3 = b.xor(b.xor(b.lshr(p, half), c3), k1), p
    return [b.and_(word, low) for word in (c0, c1, c2, c3)]


def _keys(b: _Builder, keys: _Value) -> list[tuple[_Value, _Value]]:
    """Load the keys of the ten rounds from memory: there are too many for registers."""
    places = [b.add(keys, ir.Constant(_I64, index * _HALF * 8)) for index in range(2 * dice.ROUNDS)]
    loaded = [b.load(b.inttoptr(place, _V64.as_pointer()), align=8) for place in places]
    return list(zip(loaded[::2], loaded[1::2], strict=True))


def _gather(b: _Builder, table: _Value, cells: _Value) -> _Value:
    """Look up one entry per lane."""
    kind = ir.FunctionType(_V64, [_POINTERS, _I32, _BITS, _V64])
    name = f"llvm.masked.gather.v{_HALF}i64.v{_HALF}p0"
    look_up = cgutils.get_or_insert_function(b.module, kind, name)  # type: ignore[no-untyped-call]
    addresses = b.gep(b.inttoptr(table, _I64.as_pointer()), [cells], source_etype=_I64)
    addresses.type = _POINTERS  # one address per lane; llvmlite infers a single one
    return b.call(look_up, [addresses, ir.Constant(_I32, 8), _splat(_BITS, 1), ir.Constant(_V64, ir.Undefined)])


def _largest(b: _Builder, one: _Value, other: _Value) -> _Value:
    return b.select(b.icmp_signed(">", one, other), one, other)


class _Vector:
    """Sixteen lanes, with their fields in variables that LLVM turns into registers."""

    def __init__(self, b: _Builder, held: int, offset: int) -> None:
        self.offset = offset
        self.at = [cgutils.alloca_once(b, _V32) for _ in range(ROWS)]  # type: ignore[no-untyped-call]
        self.flagged = cgutils.alloca_once(b, _V32)  # type: ignore[no-untyped-call]
        self.funded = cgutils.alloca_once(b, _MASK)  # type: ignore[no-untyped-call]
        self.rows = [self._pair(b) for _ in range(held - ROWS)]
        self.word = self._pair(b)
        words = ir.ArrayType(_V64, dice.WORDS)
        self.words = [cgutils.alloca_once(b, words) for _ in range(2)]  # type: ignore[no-untyped-call]

    @staticmethod
    def _pair(b: _Builder) -> list[_Value]:
        return [cgutils.alloca_once(b, _V64) for _ in range(2)]  # type: ignore[no-untyped-call]

    def load(self, b: _Builder, held: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(self._place(b, held, stride, index), align=4), variable)
        for index, row in enumerate(self.rows, ROWS):
            for half, value in zip(row, _halves(b, b.load(self._place(b, held, stride, index), align=4)), strict=True):
                b.store(value, half)
        b.store(_splat(_V32, 0), self.at[COUNT])
        b.store(_splat(_MASK, 1), self.funded)

    def save(self, b: _Builder, out: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(variable), self._place(b, out, stride, index), align=4)
        for index, row in enumerate(self.rows, ROWS):
            b.store(_joined(b, [b.load(half) for half in row], _EVEN), self._place(b, out, stride, index), align=4)

    def _place(self, b: _Builder, base: _Value, stride: _Value, index: int) -> _Value:
        cell = b.add(b.mul(stride, ir.Constant(_I64, index)), ir.Constant(_I64, self.offset))
        return b.inttoptr(b.add(base, b.mul(cell, ir.Constant(_I64, 4))), _V32.as_pointer())

    def throw(self, b: _Builder, first: _Value, block: _Value, keys: list[tuple[_Value, _Value]]) -> None:
        """Compute the four words of this block, and flag the lanes in which one is rejected."""
        low, half = _splat(_V64, _LOW), _splat(_V64, dice.BITS)
        span, least = _splat(_V64, dice.FACES**dice.DIGITS), _splat(_V64, dice.REJECTED)
        rejected = [_splat(_V64, 0), _splat(_V64, 0)]
        for side, number in enumerate(_halves(b, b.load(self.at[NUMBER]))):
            session = b.add(number, _spread(b, first, _V64))
            counter = [_spread(b, block, _V64), b.and_(session, low), b.lshr(session, half), _splat(_V64, 0)]
            for index, word in enumerate(_philox(b, counter, keys)):
                b.store(word, b.gep(self.words[side], [ir.Constant(_I32, 0), ir.Constant(_I32, index)]))
                is_rejected = b.icmp_unsigned("<", b.and_(b.mul(word, span), low), least)
                rejected[side] = b.or_(rejected[side], b.sext(is_rejected, _V64))
        b.store(_joined(b, rejected, _EVEN), self.flagged)

    def take_word(self, b: _Builder, index: _Value) -> None:
        for words, word in zip(self.words, self.word, strict=True):
            b.store(b.load(b.gep(words, [ir.Constant(_I64, 0), index])), word)

    def roll(self, b: _Builder, table: _Value) -> None:
        """Take the next roll from the word, look it up, and update the lanes; `funded` is cleared when slack < 0."""
        rolled = []
        for word in self.word:
            product = b.mul(b.and_(b.load(word), _splat(_V64, _LOW)), _splat(_V64, dice.FACES))
            b.store(product, word)
            rolled.append(b.lshr(product, _splat(_V64, dice.BITS)))
        high = low = None
        for row in self.rows:
            entries = []
            for half, d in zip(row, rolled, strict=True):
                entries.append(_gather(b, table, b.add(b.load(half), d)))
                b.store(b.lshr(entries[-1], _splat(_V64, dice.BITS + FIELDS["action"])), half)
            more_low, more_high = _joined(b, entries, _EVEN), _joined(b, entries, _ODD)
            high = more_high if high is None else b.add(high, more_high)
            low = more_low if low is None else b.add(low, more_low)
        nothing, funded = _splat(_V32, 0), b.load(self.funded)
        cash = b.select(funded, b.ashr(low, _splat(_V32, FIELDS["outlay"])), nothing)
        action = b.select(funded, b.and_(high, _splat(_V32, (1 << FIELDS["action"]) - 1)), nothing)
        outlay = b.and_(low, _splat(_V32, (1 << FIELDS["outlay"]) - 1))
        equity = b.add(b.load(self.at[EQUITY]), cash)
        peak = _largest(b, b.load(self.at[PEAK]), equity)
        drawdown = _largest(b, b.load(self.at[DRAWDOWN]), b.sub(peak, equity))
        funded = b.and_(funded, b.icmp_signed(">=", equity, outlay))
        count = b.load(self.at[COUNT])
        b.store(equity, self.at[EQUITY])
        b.store(peak, self.at[PEAK])
        b.store(drawdown, self.at[DRAWDOWN])
        b.store(b.add(b.load(self.at[WAGERED]), action), self.at[WAGERED])
        b.store(b.select(funded, b.add(count, _splat(_V32, 1)), count), self.at[COUNT])
        b.store(funded, self.funded)

    def mask(self, b: _Builder, goal: _Value) -> _Value:
        """Return one bit per lane that fell short or must be played again."""
        reached = b.icmp_signed(">=", b.load(self.at[PEAK]), _spread(b, goal, _V32))
        again = b.or_(reached, b.icmp_signed("<", b.load(self.flagged), _splat(_V32, 0)))
        b.store(b.select(again, _splat(_V32, -1), b.load(self.at[COUNT])), self.at[COUNT])
        fell = b.xor(b.load(self.funded), _splat(_MASK, 1))
        bits = b.zext(b.bitcast(b.or_(again, fell), _I16), _I64)
        return b.shl(bits, ir.Constant(_I64, self.offset))


def _play(b: _Builder, parts: int, arguments: list[_Value]) -> _Value:
    """Build the whole block: first the words, then a loop over them of five rolls each, which stops after `rolls`."""
    table, held, out, stride, keys_at, first, block, rolls, goal = arguments
    vectors = [_Vector(b, ROWS + parts, index * _WIDTH) for index in range(_VECTORS)]
    for vector in vectors:
        vector.load(b, held, stride)
        vector.throw(b, first, block, _keys(b, keys_at))
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


@intrinsic
def play_block(
    typingctx: Any,
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

    The length of the tuple `parts` is the number of parts. `table` (the packed entries), `held` and `out` (the lanes
    before and after, int32, with fields `stride` apart) and `keys` are addresses.
    """
    del typingctx, table, held, out, stride, keys, first, block, rolls, goal
    signature = types.uint64(parts, *([types.uint64] * 7), types.int64, types.int32)

    def generate(_context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        return _play(builder, len(parts), list(arguments[1:]))

    return signature, generate


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
