"""One block of dice for 64 sessions at once, as LLVM vector instructions: the inner loop of the CPU kernel.

A lane is a session: its equity E, peak P, drawdown D, amount wagered W and the row of each part of its network, all in
32 bits. A roll of outcome d looks up one packed entry per part, that of cell row + d:

    row' = next    E' = E + cash    P' = max(P, E')    D' = max(D, P' - E')    W' = W + action    slack = E' - outlay'

summed over the parts. A lane whose slack falls below 0 keeps its amounts from then on, and C counts the rolls before
that. The caller decides from them whether the session is ruined. Three rare cases are only flagged, and the caller
plays the block of such a lane again roll by roll: a rejected word, a peak that reached the goal, and a drawdown that
reached the trailing stop. A stop loss is part of the outlay, which is then at least one unit above it.

It is built in one of the forms of `lane_forms`: LLVM turns its vectors into those that the machine has. The dice of a
block are thrown first and stand in memory, roll by roll. A gather looks up the entries of a roll when it is settled;
chains of loads look up those of the whole block before, each in place of its dice.
"""
# ruff: noqa: ANN401, PLR0917 - llvmlite has no types; numba takes arguments by position, as a formula lists them

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from passline.simulation.backends.cpu import kernel_dice as dice
from passline.simulation.backends.cpu.lane_forms import FORMS, LaneForm
from passline.simulation.kernel_types import FIELDS

LANES = 64
"""Sessions that one call plays."""
KEYS_WIDE = 8
"""How many copies of a key stand in memory, one per 64-bit lane of the widest form."""

# The fields of a lane; from ROWS on, the row of each part. BEHIND: the rolls that rejected words have cost the session.
# NUMBER: counted from the first session of the run. COUNT: C of the last block, or -1 if it must be played again.
EQUITY, PEAK, DRAWDOWN, WAGERED, BEHIND, NUMBER, COUNT, ROWS = range(8)

_I1, _I32, _I64 = (ir.IntType(bits) for bits in (1, 32, 64))
_LOW = (1 << dice.BITS) - 1
_ROW_SHIFT = dice.BITS + FIELDS["action"]  # of an entry, down to its row
_CHAINS = 8  # followed in turns: while one waits for its entry, the others go on; more need too many registers

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

    def join_halves(self, b: _Builder, halves: Sequence[_Value], which: ir.Constant) -> _Value:
        """Return the low (even) or high (odd) 32 bits of two vectors of 64-bit lanes as one vector."""
        low, high = (b.bitcast(half, self.v32) for half in halves)
        return b.shuffle_vector(low, high, which)

    def places(self, b: _Builder, cells: _Value, lane: int) -> list[_Value]:
        """Return where the 64-bit numbers of a vector stand, in two halves; those of lane 0 stand at `cells`."""
        found = [_further(b, cells, lane + half, _I64) for half in (0, self.half)]
        return [b.bitcast(place, self.v64.as_pointer()) for place in found]

    def load(self, b: _Builder, cells: _Value, lane: int) -> list[_Value]:
        """Load the 64-bit numbers of a vector, in two halves."""
        return [b.load(place, typ=self.v64, align=8 * self.half) for place in self.places(b, cells, lane)]

    def bits_of(self, b: _Builder, mask: _Value) -> _Value:
        """Return a mask as a number."""
        return b.zext(b.bitcast(mask, ir.IntType(self.form.width)), _I64)

    def gather(self, b: _Builder, table: _Value, cells: _Value) -> _Value:
        """Look up one entry per lane."""
        kind = ir.FunctionType(self.v64, [self.pointers, _I32, self.bits, self.v64])
        name = f"llvm.masked.gather.v{self.half}i64.v{self.half}p0"
        gather = cgutils.get_or_insert_function(b.module, kind, name)  # type: ignore[no-untyped-call]
        addresses = b.gep(b.inttoptr(table, _I64.as_pointer()), [cells], source_etype=_I64)
        addresses.type = self.pointers  # one address per lane; llvmlite infers a single one
        return b.call(gather, [addresses, ir.Constant(_I32, 8), _splat(self.bits, 1), _nothing(self.v64)])


def _nothing(kind: Any) -> ir.Constant:
    return ir.Constant(kind, ir.Undefined)


def _splat(kind: Any, value: int) -> ir.Constant:
    return ir.Constant(kind, [value] * kind.count)


def _spread(b: _Builder, value: _Value, kind: Any) -> _Value:
    """Return a vector with a scalar in every lane."""
    first = b.insert_element(_nothing(kind), value, ir.Constant(_I32, 0))
    where = ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    return b.shuffle_vector(first, _nothing(kind), where)


def _further(b: _Builder, place: _Value, by: int | _Value, kind: Any) -> _Value:
    """Return the place `by` numbers of a kind further on."""
    return b.gep(place, [ir.Constant(_I64, by) if isinstance(by, int) else by], source_etype=kind)


def _field(b: _Builder, lanes: _Value, stride: _Value, index: int, kind: Any) -> _Value:
    """Return where a field of the lanes at an address stands."""
    further = b.mul(stride, ir.Constant(_I64, 4 * index))
    return b.inttoptr(b.add(lanes, further), kind.as_pointer())


def _philox(b: _Builder, counter: list[_Value], keys: list[tuple[_Value, _Value]]) -> list[_Value]:
    """Return the four words after ten rounds. Only the low halves of the 64-bit lanes are read."""
    c0, c1, c2, c3 = counter
    low, half = _splat(c0.type, _LOW), _splat(c0.type, dice.BITS)
    first, second = (_splat(c0.type, multiplier) for multiplier in dice.MULTIPLIERS)
    for k0, k1 in keys:
        p, q = b.mul(b.and_(c0, low), first), b.mul(b.and_(c2, low), second)
        c0, c1 = b.xor(b.xor(b.lshr(q, half), c1), k0), q
        c2, c3 = b.xor(b.xor(b.lshr(p, half), c3), k1), p
    return [c0, c1, c2, c3]


def _keys(b: _Builder, keys: _Value, kind: Any) -> list[tuple[_Value, _Value]]:
    """Load the keys of the ten rounds from memory: there are too many for registers."""
    places = [b.add(keys, ir.Constant(_I64, index * KEYS_WIDE * 8)) for index in range(2 * dice.ROUNDS)]
    loaded = [b.load(b.inttoptr(place, kind.as_pointer()), align=8) for place in places]
    return list(zip(loaded[::2], loaded[1::2], strict=True))


def _throw(b: _Builder, kinds: _Vectors, numbers: _Value, lane: int, dice_of: list[_Value], into: _Value) -> _Value:
    """Throw a block for the vector from a lane on. Return the lanes in which a word is rejected.

    A number of 64 bits is written per roll and lane: 36 times the rest of the word, so that its high half is the roll.
    """
    keys, first, block = dice_of
    low, half = _splat(kinds.v64, _LOW), _splat(kinds.v64, dice.BITS)
    rests = []
    for side, number in enumerate(kinds.halves(b, b.load(_further(b, numbers, lane, _I32), typ=kinds.v32, align=4))):
        session = b.add(number, _spread(b, first, kinds.v64))
        counter = [_spread(b, block, kinds.v64), b.and_(session, low), b.lshr(session, half), _splat(kinds.v64, 0)]
        words = _philox(b, counter, _keys(b, keys, kinds.v64))
        for roll in range(dice.ROLLS):
            word = roll // dice.DIGITS
            words[word] = b.mul(b.and_(words[word], low), _splat(kinds.v64, dice.FACES))
            place = kinds.places(b, _further(b, into, roll * kinds.form.lanes, _I64), lane)[side]
            b.store(words[word], place, align=8 * kinds.half)
        rests.append(words)
    least = _splat(kinds.v32, dice.REJECTED)
    return reduce(
        b.or_,
        [b.icmp_unsigned("<", kinds.join_halves(b, pair, kinds.even), least) for pair in zip(*rests, strict=True)],
    )


def _follow(b: _Builder, form: LaneForm, table: _Value, rows: tuple[_Value, _Value], at: tuple[_Value, _Value]) -> None:
    """Write the entries of all rolls of a block for one part. `rows` and `at`: where to read from and to write to.

    A lane costs four instructions a roll: add the dice to the row, load the entry, write it, shift it to the next row.
    """
    before, after = rows
    base = b.inttoptr(table, _I64.as_pointer())
    with cgutils.for_range(b, ir.Constant(_I64, form.lanes // _CHAINS)) as loop:
        lane = b.mul(loop.index, ir.Constant(_I64, _CHAINS))
        into = _in_register(b, _further(b, at[1], lane, _I64))
        thrown = into if at[0] is at[1] else _in_register(b, _further(b, at[0], lane, _I64))
        outcomes = _further(b, b.bitcast(thrown, _I32.as_pointer()), 1, _I32)  # the high half of each number
        lanes = [b.add(lane, ir.Constant(_I64, index)) for index in range(_CHAINS)]
        chains = [b.load(_further(b, before, lane, _I32), typ=_I32, align=4) for lane in lanes]
        for cell in range(0, dice.ROLLS * form.lanes, form.lanes):
            for index, row in enumerate(chains):
                outcome = b.load(_further(b, outcomes, 2 * (cell + index), _I32), typ=_I32, align=4)
                entry = b.load(_further(b, base, b.zext(b.add(row, outcome), _I64), _I64), typ=_I64, align=8)
                b.store(entry, _further(b, into, cell + index, _I64), align=8)
                chains[index] = b.trunc(b.lshr(entry, ir.Constant(_I64, _ROW_SHIFT)), _I32)
        for lane, row in zip(lanes, chains, strict=True):
            b.store(row, _further(b, after, lane, _I32), align=4)


def _in_register(b: _Builder, place: _Value) -> _Value:
    """Return a place of which LLVM does not know that it is on the stack.

    It would address it by the stack pointer and an index, and a store with an index competes with the loads.
    """
    kept = b.asm(ir.FunctionType(_I64, [_I64]), "", "=r,0", [b.ptrtoint(place, _I64)], side_effect=False)
    return b.inttoptr(kept, _I64.as_pointer())


def _largest(b: _Builder, left: _Value, other: _Value) -> _Value:
    return b.select(b.icmp_signed(">", left, other), left, other)


class _Vector:
    """The lanes of one vector, with their fields in variables that LLVM turns into registers."""

    def __init__(self, b: _Builder, kinds: _Vectors, parts: int, lane: int) -> None:
        self.kinds, self.lane = kinds, lane
        self.at = [cgutils.alloca_once(b, kinds.v32) for _ in range(ROWS)]  # type: ignore[no-untyped-call]
        self.funded = cgutils.alloca_once(b, kinds.mask)  # type: ignore[no-untyped-call]
        self.rows = [
            [cgutils.alloca_once(b, kinds.v64) for _ in range(2)]  # type: ignore[no-untyped-call]
            for _ in range(parts if kinds.form.is_gather else 0)
        ]

    def load(self, b: _Builder, held: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(self._place(b, held, stride, index), align=4), variable)
        for index, row in enumerate(self.rows, ROWS):
            cells = b.load(self._place(b, held, stride, index), align=4)
            for half, value in zip(row, self.kinds.halves(b, cells), strict=True):
                b.store(value, half)
        b.store(_splat(self.kinds.v32, 0), self.at[COUNT])
        b.store(_splat(self.kinds.mask, 1), self.funded)

    def save(self, b: _Builder, out: _Value, stride: _Value) -> None:
        for index, variable in enumerate(self.at):
            b.store(b.load(variable), self._place(b, out, stride, index), align=4)
        for index, row in enumerate(self.rows, ROWS):
            cells = self.kinds.join_halves(b, [b.load(half) for half in row], self.kinds.even)
            b.store(cells, self._place(b, out, stride, index), align=4)

    def _place(self, b: _Builder, lanes: _Value, stride: _Value, index: int) -> _Value:
        return _field(b, b.add(lanes, ir.Constant(_I64, 4 * self.lane)), stride, index, self.kinds.v32)

    def look_up(self, b: _Builder, table: _Value, thrown: _Value) -> list[list[_Value]]:
        """Gather the entries of a roll, those of each part, and go on to the rows that they name."""
        outcomes = [b.lshr(half, _splat(self.kinds.v64, dice.BITS)) for half in self.kinds.load(b, thrown, self.lane)]
        found = []
        for row in self.rows:
            cells = [b.add(b.load(half), outcome) for half, outcome in zip(row, outcomes, strict=True)]
            found.append([self.kinds.gather(b, table, cell) for cell in cells])
            for half, entries in zip(row, found[-1], strict=True):
                b.store(b.lshr(entries, _splat(self.kinds.v64, _ROW_SHIFT)), half)
        return found

    def settle(self, b: _Builder, entries: list[list[_Value]]) -> None:
        """Update the lanes by the entries of each part; `funded` is cleared when slack < 0."""
        low, high = (
            reduce(b.add, [self.kinds.join_halves(b, halves, which) for halves in entries])
            for which in (self.kinds.even, self.kinds.odd)
        )
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

    def mask(self, b: _Builder, goal: _Value, trail: _Value, rejected: _Value) -> _Value:
        """Return one bit per lane that fell short or must be played again."""
        again = b.or_(b.icmp_signed(">=", b.load(self.at[PEAK]), _spread(b, goal, self.kinds.v32)), rejected)
        again = b.or_(b.icmp_signed(">=", b.load(self.at[DRAWDOWN]), _spread(b, trail, self.kinds.v32)), again)
        b.store(b.select(again, _splat(self.kinds.v32, -1), b.load(self.at[COUNT])), self.at[COUNT])
        fell = b.xor(b.load(self.funded), _splat(self.kinds.mask, 1))
        return b.shl(self.kinds.bits_of(b, b.or_(again, fell)), ir.Constant(_I64, self.lane))


def _play(b: _Builder, kinds: _Vectors, parts: int, arguments: list[_Value]) -> _Value:
    """Build a block for all lanes, as many at a time as are interleaved: throw, look up, settle `rolls` rolls."""
    table, held, out, stride, keys, first, block, rolls, goal, trail = arguments
    form = kinds.form
    vectors = [_Vector(b, kinds, parts, index * form.width) for index in range(form.vectors)]
    thrown = _rolls_of_lanes(b, form)
    # The last part's entries take the place of the dice.
    entries = [thrown] if form.is_gather else [*(_rolls_of_lanes(b, form) for _ in range(parts - 1)), thrown]
    flagged = cgutils.alloca_once_value(b, ir.Constant(_I64, 0))  # type: ignore[no-untyped-call]
    with cgutils.for_range(b, ir.Constant(_I64, LANES // form.lanes)) as loop:
        lane = b.mul(loop.index, ir.Constant(_I64, form.lanes))
        before, after = (b.add(lanes, b.mul(lane, ir.Constant(_I64, 4))) for lanes in (held, out))
        numbers = _field(b, before, stride, NUMBER, _I32)
        rejected = [_throw(b, kinds, numbers, vector.lane, [keys, first, block], thrown) for vector in vectors]
        for part, into in enumerate([] if form.is_gather else entries, ROWS):
            rows = (_field(b, before, stride, part, _I32), _field(b, after, stride, part, _I32))
            _follow(b, form, table, rows, (thrown, into))
        for vector in vectors:
            vector.load(b, before, stride)
        with cgutils.for_range(b, rolls) as roll:
            cell = b.mul(roll.index, ir.Constant(_I64, form.lanes))
            cells = [_further(b, place, cell, _I64) for place in entries]
            for vector in vectors:
                if form.is_gather:
                    vector.settle(b, vector.look_up(b, table, cells[0]))
                else:
                    vector.settle(b, [kinds.load(b, cell, vector.lane) for cell in cells])
        for vector, bad in zip(vectors, rejected, strict=True):
            b.store(b.or_(b.load(flagged), b.shl(vector.mask(b, goal, trail, bad), lane)), flagged)
            vector.save(b, after, stride)
    return b.load(flagged)


def _rolls_of_lanes(b: _Builder, form: LaneForm) -> _Value:
    """Return a place for a 64-bit number per roll of a block and lane, on the stack."""
    made = cgutils.alloca_once(b, ir.ArrayType(_I64, dice.ROLLS * form.lanes))  # type: ignore[no-untyped-call]
    made.align = 64
    return b.bitcast(made, _I64.as_pointer())


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
    trail: Any,
) -> Any:
    """Play the first `rolls` of a block of 64 sessions. Return a bit per lane that fell short or must be played again.

    `form` is one of `lane_forms`. The length of the tuple `parts` is the number of parts. `table` (the packed entries),
    `held` and `out` (the lanes before and after, int32, with fields `stride` apart) and `keys` are addresses.
    """
    del typingctx, table, held, out, stride, keys, first, block, rolls, goal, trail
    signature = types.uint64(form, parts, *([types.uint64] * 7), types.int64, types.int32, types.int32)

    def generate(_context: Any, builder: _Builder, _signature: Any, arguments: list[_Value]) -> _Value:
        return _play(builder, _Vectors(FORMS[form.instance_class]), len(parts), list(arguments[2:]))

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
