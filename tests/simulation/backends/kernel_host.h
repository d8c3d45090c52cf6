// Stand-ins for the parts of CUDA that the kernels use: one block of one thread, a warp of one lane.
#include <algorithm>
#include <cstdint>

#define __global__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define SHARED_ROOM static uint4 room[1 << 16];

using std::max;
using std::min;
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
struct int4 { int x, y, z, w; };
struct Place { unsigned x; };

static const int WARP = 1;
static const Place threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};

inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline unsigned __ballot_sync(unsigned, bool is_so) { return is_so; }
template <typename T> T __shfl_sync(unsigned, T value, int) { return value; }
template <typename T> T __shfl_xor_sync(unsigned, T value, int) { return value; }
inline void __syncwarp() {}
inline void __syncthreads() {}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
template <typename T> T __ldg(const T* at) { return *at; }
template <typename T> T atomicAdd(T* at, T value) { T was = *at; *at += value; return was; }
inline unsigned atomicAdd(unsigned* at, int value) { unsigned was = *at; *at += value; return was; }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int byte = 0; byte < 32; byte += 8) sum += (a >> byte & 255) * (b >> byte & 255);
    return sum;
}
