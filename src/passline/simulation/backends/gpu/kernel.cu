// The CUDA kernels: sessions as `reference_session.py` specifies them, to the unit, on the dice of `dice_sources.py`.
//
// Goal, limit and ruin are decided by `settle` (sessions of the kernels `play` and `finish`) and by `Walker::settle`
// (sessions of the kernel `walk`), before every roll.
//
// Three kernels play and two count. `play`, the fast walk, takes the 32 sessions of a warp through block after block of
// 20 rolls, and only detects that a block needs care: slack fell below 0, the goal was reached, a word was rejected, or
// a number outgrew its field. Such a session goes onto its warp's waiting list as it stood before the block. `finish`
// plays it again up to the roll that needs care, plays that roll with all checks, and goes on. `walk` plays all other
// sessions (limits on decisions or hands, losses per shooter, stops, large amounts) roll by roll in 64 bits. Each writes one
// record per session; `tally` (after `finish`) and `tally_wide` (after `walk`) add the records up.
//
// Compiled in: PARTS, the parts of the network; NARROW, whether entries have 32 bits or 64; SHARED, whether they are in
// shared memory (NARROW ones always are); STOPS, whether players may leave at a loss, a fall or a streak; THREADS, the
// threads of a block.
//
// In the fast walk the state of a session is
//     X = E 2^16 + S      equity and slack (equity less the outlay of the next acts), both within [0, 2^15)
//     M = max of X        its upper half is the peak of E, whatever S is
//     n = ~X,  g = M - X,  d = max of g
// and an entry holds e = -(dE 2^16 + dS), so that one roll is
//     n += e              S < 0, or E or S >= 2^15, clears bit 15 or bit 31 of n, which `all` keeps
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
constexpr int RUIN = 0, GOAL = 1, LIMIT = 2, STOP = 3, GOES_ON = -1, ENDINGS = 4;
constexpr int LINE = 1, HAND = 2, WON = 8;  // marks: a line decision, the end of a hand, and that the pass line won
constexpr int FIELD_MAX = (1 << 15) - 1;  // for E and S in the fast walk
constexpr u32 ALL_LANES = ~0u;

// The terms of the sessions and the keys of the ten rounds of Philox, set before a launch.
struct Terms {
    i64 equity, goal, rolls, mark, marks, loss;
    i64 stop, trail, wins, losses;  // when the player leaves: at an equity, at a fall, after line decisions in a row
    i64 outlay;        // of all parts together, at the start
    u32 start[PARTS];  // play, finish: an entry that leads to the first state; walk: the first cell
};
extern "C" {
__constant__ Terms TERMS;
__constant__ u32 KEYS[20];  // k0 and k1 of each round
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
#ifdef __CUDACC__  // one instruction; without it the compiler multiplies and shifts twice
    asm("{.reg .u64 p; mul.wide.u32 p, %0, 36; mov.b64 {%0, %1}, p;}" : "+r"(rest), "=r"(digit));
#else
    u64 product = (u64)rest * FACES;
    rest = (u32)product, digit = (u32)(product >> 32);
#endif
    return digit;
}

// A word w is rejected when w 36^5 mod 2^32, its rest after five digits, is under 2^32 mod 36^5.
__device__ __forceinline__ bool is_rejected(u32 word) { return word * SPAN < REJECTED; }

// ---------------------------------------------------------------------------------------------------- entries

// NARROW: row | upper half of e | lower half of e | action, a byte each, both halves of e signed.
// Otherwise x = e, and y = the place of the row | action. In shared memory the place is in bytes << 14, and the zeros
// below it have room for the sum of twenty actions; in global memory it is in cells << 12.
#if NARROW
typedef u32 Entry;
constexpr u32 ROW_BYTES = FACES * sizeof(Entry);
__device__ __forceinline__ u32 lead_of(Entry x) { return x; }
__device__ __forceinline__ u32 row_of(u32 lead) { return lead >> 24; }
__device__ __forceinline__ u32 place_of(u32 lead) { return row_of(lead) * ROW_BYTES; }
__device__ __forceinline__ u32 lead_to(u32 row) { return row << 24; }
__device__ __forceinline__ u32 action_of(Entry x) { return x & 0xFF; }
__device__ __forceinline__ u32 add_action(u32 sum, Entry x) { return __dp4a(x, 1u, sum); }
__device__ __forceinline__ u32 sum_of(u32 sum) { return sum; }
__device__ __forceinline__ int change_of(Entry x) {  // bytes 2 and 1, each sign-extended to 16 bits
#ifdef __CUDACC__
    u32 e;
    asm("prmt.b32 %0, %1, 0, 0xA291;" : "=r"(e) : "r"(x));  // the top bit of a selector replicates the sign of its byte
    return (int)e;
#else
    return (int)((u32)((int)(x << 8) >> 24) << 16 | ((u32)((int)(x << 16) >> 24) & 0xFFFF));
#endif
}
#else
typedef uint2 Entry;
constexpr u32 ROW_BYTES = FACES * sizeof(Entry), SHARED_SUM = (1u << 17) - 1, GLOBAL_ACTION = (1u << 12) - 1;
__device__ __forceinline__ u32 lead_of(Entry x) { return x.y; }
__device__ __forceinline__ u32 place_of(u32 lead) { return SHARED ? lead >> 14 : (lead >> 12) * 8; }
__device__ __forceinline__ u32 row_of(u32 lead) { return place_of(lead) / ROW_BYTES; }
__device__ __forceinline__ u32 lead_to(u32 row) { return SHARED ? row * ROW_BYTES << 14 : row * FACES << 12; }
__device__ __forceinline__ u32 action_of(Entry x) { return x.y & (SHARED ? (1u << 14) - 1 : GLOBAL_ACTION); }
__device__ __forceinline__ u32 add_action(u32 sum, Entry x) { return sum + (SHARED ? x.y : x.y & GLOBAL_ACTION); }
__device__ __forceinline__ u32 sum_of(u32 sum) { return SHARED ? sum & SHARED_SUM : sum; }
__device__ __forceinline__ int change_of(Entry x) { return (int)x.x; }
#endif

// Where the entries are: `place` is their byte address in shared memory, `entries` their address in global memory.
struct Table {
    const Entry* entries;
    u32 place;
    __device__ __forceinline__ Entry look(u32 lead, u32 d) const {
#ifdef __CUDACC__
        if (SHARED) {
            Entry x;
#if NARROW
            u32 at = __dp4a(lead, ROW_BYTES << 24, d * 4 + place);  // 144 row + 4 d + place: the row is byte 3
            asm("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
#else
            u32 at = place_of(lead) + (d * 8 + place);
            asm("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "r"(at));
#endif
            return x;
        }
#endif
        return __ldg(entries + place_of(lead) / sizeof(Entry) + d);
    }
};

// Copy the entries into shared memory.
__device__ __forceinline__ Table table_of(const Entry* entries, u32 cells) {
    u32 place = 0;
#ifdef __CUDACC__
    if (SHARED) {
        SHARED_ROOM
        Entry* mine = (Entry*)room;
        for (u32 i = threadIdx.x; i < cells; i += blockDim.x) mine[i] = entries[i];
        __syncthreads();
        u32 begin = (u32)__cvta_generic_to_shared(mine);
        asm volatile("mov.u32 %0, %1;" : "=r"(place) : "r"(begin) : "memory");  // no look-up moves before the copy
    }
#endif
    return Table{entries, place};
}

// ---------------------------------------------------------------------------------------------------- play

struct Held {
    u32 lead[PARTS];  // from the last entry of each part: where its row is
    int n, g, d;
    u32 wagered;
};

constexpr u32 FIELDS = 0x80008000;  // the bits that are set in n while E and S are within their fields

// M, which is at least goal 2^16 once the goal was reached.
__device__ __forceinline__ int top_of(const Held& held) { return held.g - held.n - 1; }
__device__ __forceinline__ int goal_of_fields() { return TERMS.goal <= FIELD_MAX ? (int)TERMS.goal << 16 : ~(1 << 31); }

// Play a block without checks on each roll. Return false if it must be played again with care.
__device__ __forceinline__ bool play_block(const Table& table, u64 session, u32 block, int goal, Held& held) {
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
    bool in_fields = ((u32)all & FIELDS) == FIELDS;
    return in_fields & (least >= REJECTED) & (top_of(held) < goal);
}

// ---------------------------------------------------------------------------------------------------- finish

struct Open {  // a session with its amounts unpacked
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
    open.peak = top_of(held) >> 16;
    open.drawdown = (held.d + 0x8000) >> 16;
    open.wagered = held.wagered;
    open.rolls = rolls;
    return open;
}

// Decide before acting how the session ends: at the goal, at the limit, in ruin, or GOES_ON. While slack < 0 it follows
// `follow` (`short` of the only part); where that is < 0, the session is ruined.
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

// Play a block from roll `from` on until a roll needs care or reaches the limit. Return that roll, which is not played,
// or ROLLS. Lanes that have stopped keep their state.
__device__ __forceinline__ u32 play_until(const Table& table, const u32 word[WORDS], u32 from, int goal, Held& held,
                                          int& rolls) {
    u32 stop = ROLLS;
    const int last = (int)TERMS.rolls - 1;
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        u32 rest = word[i];
        bool is_thrown = !is_rejected(rest);
#pragma unroll
        for (int j = 0; j < DIGITS; ++j) {
            const u32 at = i * DIGITS + j;
            const u32 d = digit_of(rest);
            Entry x[PARTS];
            int e = 0;
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                x[part] = table.look(held.lead[part], d);
                e += change_of(x[part]);
            }
            const int n = held.n + e;
            const bool is_well = (((u32)n & FIELDS) == FIELDS) & (~n < goal) & (rolls < last);
            const bool is_on = is_thrown & (at >= from) & (at < stop), is_played = is_on & is_well;
            if (is_on & !is_well) stop = at;
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                held.lead[part] = is_played ? lead_of(x[part]) : held.lead[part];
                held.wagered += is_played ? action_of(x[part]) : 0;
            }
            e = is_played ? e : 0;
            held.n += e;
            held.g = max(held.g + e, 0);
            held.d = max(held.d, held.g);
            rolls += is_played;
        }
    }
    return stop;
}

// Play roll `at` of a block with all checks. Return how the session ended, or GOES_ON.
__device__ __forceinline__ int roll_with_care(const Table& table, const u32 word[WORDS], u32 at, Open& open,
                                              const int* outlay, const int* follow) {
    u32 rest = at < 10 ? at < 5 ? word[0] : word[1] : at < 15 ? word[2] : word[3];
    if (is_rejected(rest)) return GOES_ON;
    for (u32 skipped = at % DIGITS; skipped; --skipped) rest *= FACES;
    u32 d = digit_of(rest);
    int x = 0;
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
        Entry entry = table.look(open.lead[part], d);
        open.lead[part] = lead_of(entry);
        open.wagered += action_of(entry);
        x -= change_of(entry);
    }
    int slack = (short)x, equity = (x - slack) >> 16;  // the changes
    open.slack += slack;
    open.equity += equity;
    open.peak = max(open.peak, open.equity);
    open.drawdown = max(open.drawdown, open.peak - open.equity);
    open.rolls += 1;
    return settle(open, outlay, follow);
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

__device__ __forceinline__ u32 warps_here() { return gridDim.x * (blockDim.x / WARP); }
__device__ __forceinline__ u32 warp_here() { return blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP; }
__device__ __forceinline__ u32 before_lane(u32 lanes) { return __popc(lanes & ((1u << (threadIdx.x % WARP)) - 1)); }

// The waiting lists: line s, column k is at lines[k stride + s]. Each warp has `size` lines, enough for its sessions.
// The columns are session, block, n, g, d, wagered and the leads.
struct Lists {
    u32* lines;
    u32 size, stride;
    __device__ __forceinline__ Lists(u32* lines, u32 count) : lines(lines) {
        u32 batches = (count + WARP - 1) / WARP;
        size = (batches + warps_here() - 1) / warps_here() * WARP;
        stride = size * warps_here();
    }
    __device__ __forceinline__ u32& at(u32 line, int column) const { return lines[(u64)column * stride + line]; }
    __device__ __forceinline__ void write(u32 line, u32 session, u32 block, const Held& held) const {
        at(line, 0) = session, at(line, 1) = block, at(line, 5) = held.wagered;
        at(line, 2) = (u32)held.n, at(line, 3) = (u32)held.g, at(line, 4) = (u32)held.d;
#pragma unroll
        for (int part = 0; part < PARTS; ++part) at(line, 6 + part) = held.lead[part];
    }
    __device__ __forceinline__ Open read(u32 line, u32& session, u32& block) const {
        Held held;
        session = at(line, 0), block = at(line, 1), held.wagered = at(line, 5);
        held.n = (int)at(line, 2), held.g = (int)at(line, 3), held.d = (int)at(line, 4);
#pragma unroll
        for (int part = 0; part < PARTS; ++part) held.lead[part] = at(line, 6 + part);
        return open_of(held, block * ROLLS);
    }
};

constexpr int FEW = WARP / 2;  // with fewer active lanes than this, a warp puts the rest on its list

// Play sessions [first, first + count) to their ends, or put them onto their warp's list.
extern "C" __global__ void __launch_bounds__(THREADS, 1) play(const Entry* entries, u32 cells, u64 first, u32 count,
                                                           int4* amounts, u32* ends, u32* waiting, u32* waiters) {
    const Table table = table_of(entries, cells);
    const Records records{amounts, ends};
    const Lists lists(waiting, count);
    const u32 blocks = (u32)TERMS.rolls / ROLLS;
    const bool is_whole = (u32)TERMS.rolls % ROLLS == 0;
    const int goal = goal_of_fields();
    u32 line = warp_here() * lists.size;
    for (u32 base = warp_here() * WARP; base < count; base += warps_here() * WARP) {
        const u32 mine = base + threadIdx.x % WARP;
        bool is_on = mine < count;
        u32 on = __ballot_sync(ALL_LANES, is_on);
        Held held;
#pragma unroll
        for (int part = 0; part < PARTS; ++part) held.lead[part] = TERMS.start[part];
        held.n = ~(int)((u32)TERMS.equity << 16 | (u32)(TERMS.equity - TERMS.outlay));
        held.g = held.d = 0;
        held.wagered = 0;
        for (u32 block = 0; block < blocks; ++block) {
            const Held before = held;
            const bool is_well = play_block(table, first + mine, block, goal, held);
            const u32 stay = __ballot_sync(ALL_LANES, is_on & is_well);
            if (stay != on) {
                if (is_on & !is_well) lists.write(line + before_lane(on & ~stay), mine, block, before);
                line += __popc(on & ~stay);
                is_on &= is_well;
                on = stay;
                if (__popc(stay) < FEW && block + 1 < blocks) {
                    if (is_on) lists.write(line + before_lane(stay), mine, block + 1, held);
                    line += __popc(stay);
                    is_on = false;
                    break;
                }
            }
        }
        if (is_on & is_whole) records.write(mine, open_of(held, blocks * ROLLS), LIMIT);
        if (!is_whole) {  // the last rolls are less than a block
            u32 those = __ballot_sync(ALL_LANES, is_on);
            if (is_on) lists.write(line + before_lane(those), mine, blocks, held);
            line += __popc(those);
        }
    }
    if (threadIdx.x % WARP == 0) waiters[warp_here()] = line - warp_here() * lists.size;
}

// Lines or sessions [next, end) of a warp, which free lanes take in order.
struct Share {
    u32 next, end;
    // Assign to each free lane the next one, or `end`. Return whether any lane has one.
    __device__ __forceinline__ bool take(bool is_free, u32& mine) {
        u32 takers = __ballot_sync(ALL_LANES, is_free);
        if (is_free) mine = min(end, next + before_lane(takers));
        next = min(end, next + (u32)__popc(takers));
        return __ballot_sync(ALL_LANES, mine < end) != 0;
    }
};

// Play the sessions on the waiting lists to their ends, on the same grid as `play`.
extern "C" __global__ void __launch_bounds__(THREADS, 1) finish(const Entry* entries, u32 cells, u64 first, u32 count,
                                                             int4* amounts, u32* ends, u32* waiting,
                                                             const u32* waiters, const int* outlay, const int* follow) {
    const Table table = table_of(entries, cells);
    const Records records{amounts, ends};
    const Lists lists(waiting, count);
    const int goal = goal_of_fields();
    Share share;
    share.next = warp_here() * lists.size;
    share.end = share.next + waiters[warp_here()];
    Open open = {};
    u32 line = share.end, mine = 0, block = 0, from = 0;
    bool is_free = true;
    while (true) {
        if (__ballot_sync(ALL_LANES, is_free)) {
            if (!share.take(is_free, line)) return;
            if (is_free & (line < share.end)) {
                open = lists.read(line, mine, block);
                from = 0;
                is_free = false;
            }
        }
        if (line < share.end) {
            u32 word[WORDS], stop = from;
            philox(block, first + mine, word);
            if (open.peak <= FIELD_MAX) {
                Held held = held_of(open);
                int rolls = open.rolls;
                stop = play_until(table, word, from, goal, held, rolls);
                open = open_of(held, rolls);
            }
            int ending = GOES_ON;
            if (stop < ROLLS) ending = roll_with_care(table, word, stop, open, outlay, follow);
            from = stop + 1;
            if (from >= ROLLS) block += 1, from = 0;
            if (ending != GOES_ON) {
                records.write(mine, open, ending);
                is_free = true;
            }
        }
        __syncwarp();
    }
}

// ---------------------------------------------------------------------------------------------------- walk

struct Walker {
    u32 row[PARTS];  // first cells
    i64 equity, outlay, peak, drawdown, wagered, rolls, marks, began, streak;
    bool sits_out;

    __device__ void begin() {
        for (int part = 0; part < PARTS; ++part) row[part] = TERMS.start[part];
        equity = peak = began = TERMS.equity;
        outlay = TERMS.outlay;
        drawdown = wagered = rolls = marks = streak = 0;
        sits_out = false;
    }

    // Decide before acting how the session ends: at the goal, the limit, a stop, in ruin, or GOES_ON. While equity - outlay
    // < max(0, began - loss) it follows `follow` (short); where that is < 0, a session that cannot pay is ruined, and
    // one at the loss limit of its shooter sits the hand out.
    __device__ int settle(const int* outlays, const int* follow) {
        if (equity >= TERMS.goal) return GOAL;
        if (rolls >= TERMS.rolls || marks >= TERMS.marks) return LIMIT;
        if (STOPS && (equity <= TERMS.stop || peak - equity >= TERMS.trail)) return STOP;
        if (STOPS && (streak >= TERMS.wins || -streak >= TERMS.losses)) return STOP;
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

    // A cell is (next << 4 | mark, cash, outlay of the next state, action).
    __device__ void roll(const int4* cells, u32 d) {
        int mark = 0;
        outlay = 0;
        for (int part = 0; part < PARTS; ++part) {
            int4 cell = __ldg(cells + row[part] + d);
            if (part == 0) mark = cell.x & 15;
            row[part] = cell.x >> 4;
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
        if (STOPS && mark & LINE) streak = mark & WON ? max(streak, 0ll) + 1 : min(streak, 0ll) - 1;
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

// Play sessions [first, first + count) roll by roll. A record is (ending, rolls, final, peak, drawdown, wagered).
extern "C" __global__ void __launch_bounds__(THREADS, 1) walk(const int4* cells, u64 first, u32 count, i64* records,
                                                           const int* outlays, const int* follow) {
    const u32 size = (count + warps_here() - 1) / warps_here();
    Share share;
    share.next = min(count, warp_here() * size);
    share.end = min(count, share.next + size);
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

// ---------------------------------------------------------------------------------------------------- tally

constexpr int QUANTITIES = 6;  // rolls, final, peak, drawdown, wagered, and rolls of ruined sessions
constexpr int LIMBS = 6;       // the total in two parts of 32 bits, the sum of squares in four

template <typename Int>
struct Sum;

template <>
struct Sum<i64> {
    i64 total;
    u64 low, high;  // of the sum of squares
    __device__ __forceinline__ void add(i64 value) {
        u64 size = value < 0 ? -(u64)value : (u64)value, square = size * size;
        total += value;
        low += square;
        high += __umul64hi(size, size) + (low < square);
    }
};

template <>
struct Sum<int> {
    i64 total;
    u64 low;
    u32 high;
    __device__ __forceinline__ void add(int value) {
        u64 square = (u64)((i64)value * value);
        total += value;
        low += square;
        high += low < square;
    }
};

struct Bins {  // the sizes of the histograms, and their first cells among the counts
    u32 equity_cells, equity_width, drawdown_cells, drawdown_width, rolls;
    __device__ __forceinline__ u32 peak() const { return ENDINGS * equity_cells; }
    __device__ __forceinline__ u32 drawdown() const { return peak() + equity_cells; }
    __device__ __forceinline__ u32 by_roll() const { return drawdown() + drawdown_cells; }
    __device__ __forceinline__ u32 all() const { return by_roll() + ENDINGS * (rolls + 1); }
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

template <typename Int>
struct Record {
    Int rolls, final, peak, drawdown, wagered;
    int ending;
};

// Add the values of all lanes of a warp to a count.
__device__ __forceinline__ void give(u64* count, u64 value) {
    for (int other = WARP / 2; other; other /= 2) value += __shfl_xor_sync(ALL_LANES, value, other);
    if (threadIdx.x % WARP == 0 && value) atomicAdd(count, value);
}

// counts = QUANTITIES x LIMBS, then the histograms. With is_local these are counted in shared memory first, in 32 bits.
template <typename Int, typename Read>
__device__ __forceinline__ void tally_all(u32 count, const Bins bins, u64* counts, bool is_local, Read read) {
    SHARED_ROOM
    u32* local = (u32*)room;
    u64* histograms = counts + QUANTITIES * LIMBS;
    if (is_local) {
        for (u32 i = threadIdx.x; i < bins.all(); i += blockDim.x) local[i] = 0;
        __syncthreads();
    }
    auto hit = [&](u32 cell) {
        if (is_local) atomicAdd(local + cell, 1u);
        else atomicAdd(histograms + cell, 1ull);
    };
    Sum<Int> sums[QUANTITIES] = {};
    u32 at_last = 0;
    const u32 step = gridDim.x * blockDim.x, begin = blockIdx.x * blockDim.x + threadIdx.x;
    Record<Int> next = {};  // loaded while another is counted
    if (begin < count) next = read(begin);
    for (u32 i = begin; i < count; i += step) {
        const auto [rolls, final, peak, drawdown, wagered, ending] = next;
        if (i + step < count) next = read(i + step);
        sums[0].add(rolls), sums[1].add(final), sums[2].add(peak), sums[3].add(drawdown), sums[4].add(wagered);
        if (ending == RUIN) sums[5].add(rolls);
        hit((u32)ending * bins.equity_cells + bin_of(final, bins.equity_width, bins.equity_cells));
        hit(bins.peak() + bin_of(peak, bins.equity_width, bins.equity_cells));
        hit(bins.drawdown() + bin_of(drawdown, bins.drawdown_width, bins.drawdown_cells));
        if (ending == LIMIT && rolls >= (Int)bins.rolls) at_last += 1;  // almost all sessions: no atomics
        else hit(bins.by_roll() + (u32)ending * (bins.rolls + 1) + (u32)min(rolls, (Int)bins.rolls));
    }
    __syncwarp();
    give(histograms + bins.by_roll() + LIMIT * (bins.rolls + 1) + bins.rolls, at_last);
#pragma unroll
    for (int k = 0; k < QUANTITIES; ++k) {
        u64* limb = counts + k * LIMBS;
        give(limb, (u32)sums[k].total), give(limb + 1, (u64)(sums[k].total >> 32));
        give(limb + 2, (u32)sums[k].low), give(limb + 3, sums[k].low >> 32);
        give(limb + 4, (u32)sums[k].high), give(limb + 5, (u64)sums[k].high >> 32);
    }
    if (is_local) {
        __syncthreads();
        for (u32 i = threadIdx.x; i < bins.all(); i += blockDim.x)
            if (local[i]) atomicAdd(histograms + i, (u64)local[i]);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    tally(const int4* amounts, const u32* ends, u32 count, u32 equity_cells, u32 equity_width, u32 drawdown_cells,
          u32 drawdown_width, u32 rolls, u32 is_local, u64* counts) {
    const Bins bins{equity_cells, equity_width, drawdown_cells, drawdown_width, rolls};
    tally_all<int>(count, bins, counts, is_local,
                   [=](u32 i) {
                       int4 amount = amounts[i];
                       u32 end = ends[i];
                       return Record<int>{(int)(end >> 2), amount.x, amount.y, amount.z, amount.w, (int)(end & 3)};
                   });
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    tally_wide(const i64* records, u32 count, u32 equity_cells, u32 equity_width, u32 drawdown_cells,
               u32 drawdown_width, u32 rolls, u32 is_local, u64* counts) {
    const Bins bins{equity_cells, equity_width, drawdown_cells, drawdown_width, rolls};
    tally_all<i64>(count, bins, counts, is_local,
                   [=](u32 i) {
                       const i64* r = records + (u64)i * 6;
                       return Record<i64>{r[1], r[2], r[3], r[4], r[5], (int)r[0]};
                   });
}
