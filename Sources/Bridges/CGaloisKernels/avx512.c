// Products by two look-ups of nibbles (vpshufb).
#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)

#include "avx512.h"

struct factor { vec low, high; };
struct halves { vec low, high; };

static inline struct factor factor_of(uint8_t constant) {
    const uint8_t *table = gk_tables.nibbles[constant];
    return (struct factor){
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table)),
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(table + 16)))};
}

static inline struct halves halves_of(vec x) {
    const vec mask = _mm512_set1_epi8(15);
    return (struct halves){_mm512_and_si512(x, mask), _mm512_and_si512(_mm512_srli_epi64(x, 4), mask)};
}

static inline vec product(struct factor factor, struct halves x) {
    return add(_mm512_shuffle_epi8(factor.low, x.low), _mm512_shuffle_epi8(factor.high, x.high));
}

#include "level.h"

const struct gk_passes gk_avx512_passes = PASSES;

#pragma clang attribute pop
#endif
