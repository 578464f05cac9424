// Thirty-two bytes; products by two look-ups of nibbles (vpshufb).
#if defined(__x86_64__)
#include "levels.h"

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

typedef __m256i vec;
#define VECTOR_BYTES 32
#define COLUMN_BYTES 256

static inline vec load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
static inline void store(uint8_t *to, vec value) { _mm256_storeu_si256((__m256i *)to, value); }
static inline vec zero(void) { return _mm256_setzero_si256(); }
static inline vec add(vec a, vec b) { return _mm256_xor_si256(a, b); }
static inline vec add3(vec a, vec b, vec c) { return add(add(a, b), c); }

static inline vec twice(vec x) {
    const vec overflow = _mm256_cmpgt_epi8(zero(), x);
    return add(_mm256_add_epi8(x, x), _mm256_and_si256(overflow, _mm256_set1_epi8(0x1d)));
}

struct factor { vec low, high; };
struct halves { vec low, high; };

static inline struct factor factor_of(uint8_t constant) {
    const uint8_t *table = gk_tables.nibbles[constant];
    return (struct factor){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table)),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + 16)))};
}

static inline struct halves halves_of(vec x) {
    const vec mask = _mm256_set1_epi8(15);
    return (struct halves){_mm256_and_si256(x, mask), _mm256_and_si256(_mm256_srli_epi64(x, 4), mask)};
}

static inline vec product(struct factor factor, struct halves x) {
    return add(_mm256_shuffle_epi8(factor.low, x.low), _mm256_shuffle_epi8(factor.high, x.high));
}

#include "level.h"

const struct gk_passes gk_avx2_passes = PASSES;

#pragma clang attribute pop
#endif
