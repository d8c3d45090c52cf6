// Sessions on a GPU: the walk of `sessions.py`, to the unit, on the dice of `dice.py`.
//
// Three kernels play and one counts. `play` takes sessions block by block of 20 rolls and only notes that a block needs
// care: slack fell below 0, the goal was reached, a word was rejected, a number outgrew its field. Such a session is put
// on a list as it stood when the block began; `finish` plays that block roll by roll and goes on. `walk` plays anything
// else (limits on marks, losses per shooter, large amounts) roll by roll in 64 bits. All leave one record per session;
// `tally` adds the records up. So every roll is checked, and the rare case costs only those whom it meets.
//
// What is compiled in: PARTS of the network; NARROW entries of 32 bits or entries of 64; SHARED when they lie in shared
// memory, so many COPIES of them side by side, lane l reading copy l % COPIES, so that lanes seldom meet in a bank;
// THREADS of a block.
//
// In the fast walk a session is
//     X = E 2^16 + S      equity and slack (equity less the outlay of the next acts), both within [0, 2^15)
//     M = max of X        its upper half is the peak of E, whatever S was
//     n = ~X,  g = M - X,  d = max of g
// and an entry holds e = -(dE 2^16 + dS), so that one roll is
//     n += e              S < 0, or E or S >= 2^15, clears bit 15 or bit 31 of n, which `all` remembers
//     g = max(g + e, 0)   the fall from the peak: (peak - E) 2^16 + r with |r| < 2^15
//     d = max(d, g)       so the drawdown is d / 2^16, rounded to the nearest

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#ifdef __CUDACC__
#define SHARED_ROOM extern __shared__ uint4 room[];
constexpr int WARP = 32;
#endif

constexpr int FACES = 36, DIGITS = 5, WORDS = 4, ROLLS = WORDS * DIGITS;
constexpr u32 SPAN = 36u * 36 * 36 * 36 * 36;
constexpr u32 REJECTED = (u32)((1ull << 32) % SPAN);
constexpr int RUIN = 0, GOAL = 1, LIMIT = 2, GOES_ON = -1;
constexpr int HAND = 2;                   // the mark of the end of a hand
constexpr int FIELD_MAX = (1 << 15) - 1;  // of E and S in the fast walk
constexpr u32 ALL_LANES = ~0u;

// The terms of the sessions and the keys of the ten rounds of Philox, set before a launch.
struct Terms {
    i64 equity, goal, rolls, mark, marks, loss;
    i64 outlay;        // of all parts at the start
    u32 start[PARTS];  // fast walk: an entry that leads to the start; walk: the first cell of each part
};
extern "C" {
__constant__ Terms TERMS;
__constant__ u32 KEYS[20];  // k0, k1 of each round
}

// ---------------------------------------------------------------------------------------------------- dice

// Philox4x32-10. A round: p = M0 c0, q = M1 c2, then c = (hi q ^ c1 ^ k0, lo q, hi p ^ c3 ^ k1, lo p).
__device__ __forceinline__ void philox(u32 block, u64 session, u32 word[WORDS]) {
    u32 c0 = block, c1 = (u32)session, c2 = (u32)(session >> 32), c3 = 0;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        u64 p = (u64)0xD2511F53u * c0, q = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(q >> 32) ^ c1 ^ KEYS[2 * round];
        c2 = (u32)(p >> 32) ^ c3 ^ KEYS[2 * round + 1];
        c1 = (u32)q;
        c3 = (u32)p;
    }
    word[0] = c0, word[1] = c1, word[2] = c2, word[3] = c3;
}

// The next base-36 digit of a fraction: digit = floor(36 rest / 2^32), rest = 36 rest mod 2^32.
__device__ __forceinline__ u32 digit_of(u32& rest) {
    u32 digit;
#ifdef __CUDACC__  // one instruction; left to itself the compiler multiplies and shifts twice
    asm("{.reg .u64 p; mul.wide.u32 p, %0, 36; mov.b64 {%0, %1}, p;}" : "+r"(rest), "=r"(digit));
#else
    u64 product = (u64)rest * FACES;
    rest = (u32)product, digit = (u32)(product >> 32);
#endif
    return digit;
}

// A word is rejected when w 36^5 mod 2^32, which is what is left of it after five digits, is under 2^32 mod 36^5.
__device__ __forceinline__ bool is_rejected(u32 word) { return word * SPAN < REJECTED; }

// ---------------------------------------------------------------------------------------------------- entries

// NARROW: row | e, upper half | e, lower half | action, a byte each, the halves of e with their signs.
// Else x = e, y = where the row is | action: in bytes << 14 in shared memory, where the sum of twenty actions has room in
// the zeros below it; in cells << 12 elsewhere.
constexpr u32 SHARED_SUM = (1u << 17) - 1, GLOBAL_ACTION = (1u << 12) - 1;

#if NARROW
typedef u32 Entry;
constexpr u32 STRIDE = sizeof(Entry) * COPIES;  // bytes from cell to cell
__device__ __forceinline__ u32 lead_of(Entry x) { return x; }
__device__ __forceinline__ u32 row_of(u32 lead) { return lead >> 24; }
__device__ __forceinline__ u32 place_of(u32 lead) { return row_of(lead) * (FACES * STRIDE); }
__device__ __forceinline__ u32 lead_to(u32 row) { return row << 24; }
__device__ __forceinline__ u32 action_of(Entry x) { return x & 0xFF; }
__device__ __forceinline__ u32 add_action(u32 sum, Entry x) { return __dp4a(x, 1u, sum); }
__device__ __forceinline__ u32 sum_of(u32 sum) { return sum; }
__device__ __forceinline__ int change_of(Entry x) {  // bytes 2 and 1, each widened to 16 bits
#ifdef __CUDACC__
    u32 e;
    asm("prmt.b32 %0, %1, 0, 0xA291;" : "=r"(e) : "r"(x));  // a selector's top bit spreads the sign of its byte
    return (int)e;
#else
    return (int)((u32)((int)(x << 8) >> 24) << 16 | ((u32)((int)(x << 16) >> 24) & 0xFFFF));
#endif
}
#else
typedef uint2 Entry;
constexpr u32 STRIDE = sizeof(Entry) * COPIES;
__device__ __forceinline__ u32 lead_of(Entry x) { return x.y; }
__device__ __forceinline__ u32 place_of(u32 lead) { return SHARED ? lead >> 14 : (lead >> 12) * STRIDE; }
__device__ __forceinline__ u32 row_of(u32 lead) { return place_of(lead) / (FACES * STRIDE); }
__device__ __forceinline__ u32 lead_to(u32 row) { return SHARED ? row * (FACES * STRIDE) << 14 : row * FACES << 12; }
__device__ __forceinline__ u32 action_of(Entry x) { return x.y & (SHARED ? (1u << 14) - 1 : GLOBAL_ACTION); }
__device__ __forceinline__ u32 add_action(u32 sum, Entry x) { return sum + (SHARED ? x.y : x.y & GLOBAL_ACTION); }
__device__ __forceinline__ u32 sum_of(u32 sum) { return SHARED ? sum & SHARED_SUM : sum; }
__device__ __forceinline__ int change_of(Entry x) { return (int)x.x; }
#endif

// Where a lane's entries are: a byte address in shared memory, else in global memory.
struct Table {
    const Entry* entries;
    u32 place;
    __device__ __forceinline__ Entry look(u32 lead, u32 d) const {
#ifdef __CUDACC__
        if (SHARED) {
            u32 at = place_of(lead) + (d * STRIDE + place);
            Entry x;
#if NARROW
            asm("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
#else
            asm("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "r"(at));
#endif
            return x;
        }
#endif
        return __ldg(entries + place_of(lead) / STRIDE + d);
    }
};

// Copy the entries into shared memory, COPIES side by side.
__device__ __forceinline__ Table table_of(const Entry* entries, u32 cells) {
    u32 place = 0;
#ifdef __CUDACC__
    if (SHARED) {
        SHARED_ROOM
        Entry* mine = (Entry*)room;
        for (u32 i = threadIdx.x; i < cells * COPIES; i += blockDim.x) mine[i] = entries[i / COPIES];
        __syncthreads();
        u32 copy = (u32)__cvta_generic_to_shared(mine + threadIdx.x % COPIES);
        asm volatile("mov.u32 %0, %1;" : "=r"(place) : "r"(copy) : "memory");  // no look before all is copied
    }
#endif
    return Table{entries, place};
}

// ---------------------------------------------------------------------------------------------------- the fast walk

struct Held {
    u32 lead[PARTS];  // the last entry of each part, which says where its row is
    int n, g, d;
    u32 wagered;
};

// Play a block without care; false if it must be played again with care.
__device__ __forceinline__ bool play_block(const Table& table, u64 session, u32 block, Held& held) {
    u32 word[WORDS];
    philox(block, session, word);
    u32 least = ~0u, wagered = 0;
    int all = -1;
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        u32 rest = word[i];
#pragma unroll
        for (int j = 0; j < DIGITS; ++j) {
            u32 d = digit_of(rest);
            int e = 0;
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                Entry x = table.look(held.lead[part], d);
                held.lead[part] = lead_of(x);
                wagered = add_action(wagered, x);
                e += change_of(x);
            }
            held.n += e;
            held.g = max(held.g + e, 0);
            held.d = max(held.d, held.g);
            all &= held.n;
        }
        least = min(least, rest);
    }
    held.wagered += sum_of(wagered);
    bool in_fields = ((u32)all & 0x80008000u) == 0x80008000u;
    int peak = (held.g - held.n - 1) >> 16;
    return in_fields & (least >= REJECTED) & (peak < TERMS.goal);
}

// ---------------------------------------------------------------------------------------------------- with care

struct Open {  // a session that goes on
    u32 lead[PARTS];
    int equity, slack, peak, drawdown, rolls;
    u32 wagered;
};

__device__ __forceinline__ Held held_of(const Open& open) {
    Held held;
#pragma unroll
    for (int part = 0; part < PARTS; ++part) held.lead[part] = open.lead[part];
    held.n = ~(int)((u32)open.equity << 16 | (u32)open.slack);
    held.g = (int)((u32)(open.peak - open.equity) << 16);
    held.d = (int)((u32)open.drawdown << 16);
    held.wagered = open.wagered;
    return held;
}

__device__ __forceinline__ Open open_of(const Held& held, int rolls) {
    Open open;
#pragma unroll
    for (int part = 0; part < PARTS; ++part) open.lead[part] = held.lead[part];
    open.equity = ~held.n >> 16;
    open.slack = ~held.n & 0xFFFF;
    open.peak = (held.g - held.n - 1) >> 16;
    open.drawdown = (held.d + 0x8000) >> 16;
    open.wagered = held.wagered;
    open.rolls = rolls;
    return open;
}

// A moment before acting: goal, then limit, then funds (while slack < 0: follow short, of the only part).
__device__ __forceinline__ int settle(Open& open, const int* outlay, const int* follow) {
    if (open.equity >= TERMS.goal) return GOAL;
    if (open.rolls >= TERMS.rolls) return LIMIT;
    while (open.slack < 0) {
        int other = follow[row_of(open.lead[0])];
        if (other < 0) return RUIN;
        open.lead[0] = lead_to(other / FACES);
        open.slack = open.equity - outlay[other / FACES];
    }
    return GOES_ON;
}

// Play a block roll by roll; how the session ended in it, or GOES_ON.
__device__ __forceinline__ int play_with_care(const Table& table, u64 session, u32 block, Open& open,
                                              const int* outlay, const int* follow) {
    u32 word[WORDS];
    philox(block, session, word);
    int ending = GOES_ON;
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        if (is_rejected(word[i])) continue;
        u32 rest = word[i];
#pragma unroll 1
        for (int j = 0; j < DIGITS && ending == GOES_ON; ++j) {
            u32 d = digit_of(rest);
            int x = 0;
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                Entry entry = table.look(open.lead[part], d);
                open.lead[part] = lead_of(entry);
                open.wagered += action_of(entry);
                x -= change_of(entry);
            }
            int slack = (short)x, equity = (x - slack) >> 16;  // what they change by
            open.slack += slack;
            open.equity += equity;
            open.peak = max(open.peak, open.equity);
            open.drawdown = max(open.drawdown, open.peak - open.equity);
            open.rolls += 1;
            ending = settle(open, outlay, follow);
        }
    }
    return ending;
}

// ---------------------------------------------------------------------------------------------------- records

struct Records {
    int4* amounts;  // final, peak, drawdown, wagered
    u32* ends;      // rolls << 2 | ending
    __device__ __forceinline__ void write(u32 i, const Open& open, int ending) const {
        amounts[i] = make_int4(open.equity, open.peak, open.drawdown, (int)open.wagered);
        ends[i] = (u32)open.rolls << 2 | (u32)ending;
    }
};

// Sessions [next, end) of a warp: lanes that are free take the next ones, in order. Give whether any lane has one.
struct Share {
    u32 next, end;
    __device__ __forceinline__ Share(u32 count) {
        u32 warps = gridDim.x * (blockDim.x / WARP), warp = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
        u32 size = (count + warps - 1) / warps;
        next = min(count, warp * size);
        end = min(count, next + size);
    }
    __device__ __forceinline__ bool take(bool is_free, u32& mine) {  // mine is under end if there was one left
        u32 takers = __ballot_sync(ALL_LANES, is_free);
        if (is_free) mine = min(end, next + __popc(takers & ((1u << (threadIdx.x % WARP)) - 1)));
        next = min(end, next + __popc(takers));
        return __ballot_sync(ALL_LANES, mine < end) != 0;
    }
};

// Sessions first + [0, count), from start to end or onto the list of those waiting: its column k, line s is
// waiting[k count + s], of (session, block, n, g, d, wagered, leads).
extern "C" __global__ void __launch_bounds__(THREADS) play(const Entry* entries, u32 cells, u64 first, u32 count,
                                                           int4* amounts, u32* ends, u32* waiting, u32* waiters) {
    const Table table = table_of(entries, cells);
    const Records records{amounts, ends};
    const u32 blocks = (u32)TERMS.rolls / ROLLS;
    const bool is_whole = (u32)TERMS.rolls % ROLLS == 0;
    Share share(count);
    Held held = {};
    u32 mine = share.end, block = 0;
    bool is_free = true;
    while (true) {
        if (__ballot_sync(ALL_LANES, is_free)) {
            if (!share.take(is_free, mine)) return;
            if (is_free) {
#pragma unroll
                for (int part = 0; part < PARTS; ++part) held.lead[part] = TERMS.start[part];
                held.n = ~(int)((u32)TERMS.equity << 16 | (u32)(TERMS.equity - TERMS.outlay));
                held.g = held.d = 0;
                held.wagered = block = 0;
            }
        }
        Held before = held;
        bool is_well = play_block(table, first + mine, block, held);
        block += is_well;
        bool has_ended = is_well & (block == blocks);
        bool waits = (mine < share.end) & (!is_well | (has_ended & !is_whole));
        if (has_ended & is_whole & (mine < share.end)) records.write(mine, open_of(held, block * ROLLS), LIMIT);
        u32 those = __ballot_sync(ALL_LANES, waits);
        if (those) {
            u32 lane = threadIdx.x % WARP, line = 0;
            if (lane == 0) line = atomicAdd(waiters, __popc(those));
            line = __shfl_sync(ALL_LANES, line, 0) + __popc(those & ((1u << lane) - 1));
            if (waits) {
                if (is_well) before = held;  // only the last rolls are left, less than a block
                const u32 kept[] = {mine, block, (u32)before.n, (u32)before.g, (u32)before.d, before.wagered};
                for (int k = 0; k < 6; ++k) waiting[(u64)k * count + line] = kept[k];
                for (int part = 0; part < PARTS; ++part) waiting[(u64)(6 + part) * count + line] = before.lead[part];
            }
        }
        is_free = has_ended | waits | (mine >= share.end);
    }
}

// Those waiting, to their ends: the first block with care, then as fast as it goes.
extern "C" __global__ void __launch_bounds__(THREADS) finish(const Entry* entries, u32 cells, u64 first, u32 count,
                                                             int4* amounts, u32* ends, const u32* waiting,
                                                             const u32* waiters, const int* outlay, const int* follow) {
    const Table table = table_of(entries, cells);
    const Records records{amounts, ends};
    Share share(*waiters);
    Open open = {};
    u32 line = share.end, mine = 0, block = 0;
    bool is_free = true, has_care = true;
    while (true) {
        if (__ballot_sync(ALL_LANES, is_free)) {
            if (!share.take(is_free, line)) return;
            if (is_free & (line < share.end)) {
                auto column = [&](int k) { return waiting[(u64)k * count + line]; };
                Held held;
                mine = column(0), block = column(1), held.n = column(2), held.g = column(3), held.d = column(4);
                held.wagered = column(5);
#pragma unroll
                for (int part = 0; part < PARTS; ++part) held.lead[part] = column(6 + part);
                open = open_of(held, block * ROLLS);
                has_care = true;
                is_free = false;
            }
        }
        if (line < share.end) {
            int ending = GOES_ON;
            bool is_well = false;
            if (!has_care & (open.peak <= FIELD_MAX) & (open.rolls + ROLLS <= TERMS.rolls)) {
                Held held = held_of(open);
                is_well = play_block(table, first + mine, block, held);
                if (is_well) {
                    open = open_of(held, open.rolls + ROLLS);
                    if (open.rolls == TERMS.rolls) ending = LIMIT;
                }
            }
            if (!is_well) ending = play_with_care(table, first + mine, block, open, outlay, follow);
            block += 1;
            has_care = false;
            if (ending != GOES_ON) {
                records.write(mine, open, ending);
                is_free = true;
            }
        }
        __syncwarp();
    }
}

// ---------------------------------------------------------------------------------------------------- anything

struct Walker {
    u32 row[PARTS];  // first cells
    i64 equity, outlay, peak, drawdown, wagered, rolls, marks, began;
    bool sits_out;

    __device__ void begin() {
        for (int part = 0; part < PARTS; ++part) row[part] = TERMS.start[part];
        equity = peak = began = TERMS.equity;
        outlay = TERMS.outlay;
        drawdown = wagered = rolls = marks = 0;
        sits_out = false;
    }

    // Goal, then limit, then funds: while equity - outlay < max(0, began - loss) follow short; at its end who cannot pay
    // is ruined, and who is at the loss limit sits the hand out.
    __device__ int settle(const int* outlays, const int* follow) {
        if (equity >= TERMS.goal) return GOAL;
        if (rolls >= TERMS.rolls || marks >= TERMS.marks) return LIMIT;
        i64 floor = max(0ll, began - TERMS.loss);
        while (!sits_out && equity - outlay < floor) {
            int other = follow[row[0] / FACES];
            if (other >= 0) {
                row[0] = other;
                outlay = outlays[other / FACES];
            } else if (equity < outlay) {
                return RUIN;
            } else {
                sits_out = true;
            }
        }
        return GOES_ON;
    }

    // A cell is (next << 3 | mark, cash, outlay there, action).
    __device__ void roll(const int4* cells, u32 d) {
        int mark = 0;
        outlay = 0;
        for (int part = 0; part < PARTS; ++part) {
            int4 cell = __ldg(cells + row[part] + d);
            if (part == 0) mark = cell.x & 7;
            row[part] = cell.x >> 3;
            outlay += cell.z;
            if (!sits_out) {
                equity += cell.y;
                wagered += cell.w;
            }
        }
        rolls += 1;
        marks += (mark & TERMS.mark) != 0;
        peak = max(peak, equity);
        drawdown = max(drawdown, peak - equity);
        if (mark & HAND) {
            began = equity;
            if (sits_out) {
                sits_out = false;
                outlay = TERMS.outlay;
                for (int part = 0; part < PARTS; ++part) row[part] = TERMS.start[part];
            }
        }
    }
};

// Sessions first + [0, count), roll by roll; a record is (ending, rolls, final, peak, drawdown, wagered).
extern "C" __global__ void __launch_bounds__(THREADS) walk(const int4* cells, u64 first, u32 count, i64* records,
                                                           const int* outlays, const int* follow) {
    Share share(count);
    Walker walker;
    walker.begin();
    u32 mine = share.end, block = 0;
    bool is_free = true;
    while (true) {
        if (__ballot_sync(ALL_LANES, is_free)) {
            if (!share.take(is_free, mine)) return;
        }
        if (mine < share.end) {
            int ending = GOES_ON;
            if (is_free) {
                walker.begin();
                block = 0;
                is_free = false;
                ending = walker.settle(outlays, follow);
            }
            u32 word[WORDS];
            philox(block, first + mine, word);
            block += 1;
#pragma unroll
            for (int i = 0; i < WORDS; ++i) {
                if (is_rejected(word[i])) continue;
                u32 rest = word[i];
#pragma unroll 1
                for (int j = 0; j < DIGITS && ending == GOES_ON; ++j) {
                    walker.roll(cells, digit_of(rest));
                    ending = walker.settle(outlays, follow);
                }
            }
            if (ending != GOES_ON) {
                i64* record = records + (u64)mine * 6;
                record[0] = ending, record[1] = walker.rolls, record[2] = walker.equity, record[3] = walker.peak;
                record[4] = walker.drawdown, record[5] = walker.wagered;
                is_free = true;
            }
        }
        __syncwarp();
    }
}

// ---------------------------------------------------------------------------------------------------- counting

constexpr int QUANTITIES = 6;  // rolls, final, peak, drawdown, wagered, and rolls of those who were ruined
constexpr int LIMBS = 6;       // the total in two halves, the sum of squares in four quarters of 32 bits

struct Sum {
    i64 total;
    u64 low, high;  // of the sum of squares
    __device__ __forceinline__ void add(i64 value) {
        u64 size = value < 0 ? -(u64)value : (u64)value, square = size * size;
        total += value;
        low += square;
        high += __umul64hi(size, size) + (low < square);
    }
    __device__ __forceinline__ void add(int value) {
        u64 square = (u64)((i64)value * value);
        total += value;
        low += square;
        high += low < square;
    }
};

struct Bins {  // first cells of the histograms among the counts, and their sizes
    u32 equity_cells, equity_width, drawdown_cells, drawdown_width, rolls;
    __device__ __forceinline__ u32 peak() const { return 3 * equity_cells; }
    __device__ __forceinline__ u32 drawdown() const { return 4 * equity_cells; }
    __device__ __forceinline__ u32 by_roll() const { return drawdown() + drawdown_cells; }
    __device__ __forceinline__ u32 all() const { return by_roll() + 3 * (rolls + 1); }
};

__device__ __forceinline__ u32 bin_of(i64 value, u32 width, u32 cells) {
    if (value < 0) return 0;
    u64 cell = width == 1 ? (u64)value : (u64)value / width;
    return cell < cells ? (u32)cell : cells - 1;
}
__device__ __forceinline__ u32 bin_of(int value, u32 width, u32 cells) {
    u32 cell = width == 1 ? (u32)max(value, 0) : (u32)max(value, 0) / width;
    return min(cell, cells - 1);
}

// Add a lane's number to a count, by way of its warp.
__device__ __forceinline__ void give(u64* count, u64 value) {
    for (int other = WARP / 2; other; other /= 2) value += __shfl_xor_sync(ALL_LANES, value, other);
    if (threadIdx.x % WARP == 0 && value) atomicAdd(count, value);
}

// counts = 3 endings, QUANTITIES x LIMBS, then the histograms. In shared memory they are counted in 32 bits.
template <typename Int, typename Read>
__device__ __forceinline__ void tally_all(u32 count, const Bins bins, u64* counts, bool is_local, Read read) {
    SHARED_ROOM
    u32* local = (u32*)room;
    u64* histograms = counts + 3 + QUANTITIES * LIMBS;
    if (is_local) {
        for (u32 i = threadIdx.x; i < bins.all(); i += blockDim.x) local[i] = 0;
        __syncthreads();
    }
    auto hit = [&](u32 cell) {
        if (is_local) atomicAdd(local + cell, 1u);
        else atomicAdd(histograms + cell, 1ull);
    };
    Sum sums[QUANTITIES] = {};
    u32 endings[3] = {}, at_last = 0;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        Int rolls, final, peak, drawdown, wagered;
        int ending;
        read(i, ending, rolls, final, peak, drawdown, wagered);
        sums[0].add(rolls), sums[1].add(final), sums[2].add(peak), sums[3].add(drawdown), sums[4].add(wagered);
        if (ending == RUIN) sums[5].add(rolls);
#pragma unroll
        for (int k = 0; k < 3; ++k) endings[k] += ending == k;
        hit((u32)ending * bins.equity_cells + bin_of(final, bins.equity_width, bins.equity_cells));
        hit(bins.peak() + bin_of(peak, bins.equity_width, bins.equity_cells));
        hit(bins.drawdown() + bin_of(drawdown, bins.drawdown_width, bins.drawdown_cells));
        if (ending == LIMIT && rolls >= (Int)bins.rolls) at_last += 1;  // almost all: not by atomics
        else hit(bins.by_roll() + (u32)ending * (bins.rolls + 1) + (u32)min(rolls, (Int)bins.rolls));
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 3; ++k) give(counts + k, endings[k]);
    give(histograms + bins.by_roll() + LIMIT * (bins.rolls + 1) + bins.rolls, at_last);
#pragma unroll
    for (int k = 0; k < QUANTITIES; ++k) {
        u64* limb = counts + 3 + k * LIMBS;
        give(limb, (u32)sums[k].total), give(limb + 1, (u64)(sums[k].total >> 32));
        give(limb + 2, (u32)sums[k].low), give(limb + 3, sums[k].low >> 32);
        give(limb + 4, (u32)sums[k].high), give(limb + 5, sums[k].high >> 32);
    }
    if (is_local) {
        __syncthreads();
        for (u32 i = threadIdx.x; i < bins.all(); i += blockDim.x)
            if (local[i]) atomicAdd(histograms + i, (u64)local[i]);
    }
}

extern "C" __global__ void __launch_bounds__(1024)
    tally(const int4* amounts, const u32* ends, u32 count, u32 equity_cells, u32 equity_width, u32 drawdown_cells,
          u32 drawdown_width, u32 rolls, u32 is_local, u64* counts) {
    const Bins bins{equity_cells, equity_width, drawdown_cells, drawdown_width, rolls};
    tally_all<int>(count, bins, counts, is_local,
                   [=](u32 i, int& ending, int& rolls, int& final, int& peak, int& drawdown, int& wagered) {
                       int4 amount = amounts[i];
                       u32 end = ends[i];
                       ending = end & 3, rolls = end >> 2;
                       final = amount.x, peak = amount.y, drawdown = amount.z, wagered = amount.w;
                   });
}

extern "C" __global__ void __launch_bounds__(512)
    tally_wide(const i64* records, u32 count, u32 equity_cells, u32 equity_width, u32 drawdown_cells,
               u32 drawdown_width, u32 rolls, u32 is_local, u64* counts) {
    const Bins bins{equity_cells, equity_width, drawdown_cells, drawdown_width, rolls};
    tally_all<i64>(count, bins, counts, is_local,
                   [=](u32 i, int& ending, i64& rolls, i64& final, i64& peak, i64& drawdown, i64& wagered) {
                       const i64* record = records + (u64)i * 6;
                       ending = (int)record[0], rolls = record[1], final = record[2], peak = record[3];
                       drawdown = record[4], wagered = record[5];
                   });
}
