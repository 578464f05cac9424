// Sixteen bytes; products by two look-ups of nibbles (pshufb).
#if defined(__x86_64__)
#include "levels.h"

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("ssse3"))), apply_to = function)

typedef __m128i vec;
#define VECTOR_BYTES 16
#define COLUMN_BYTES 128

static inline vec load(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)from); }
static inline void store(uint8_t *to, vec value) { _mm_storeu_si128((__m128i *)to, value); }
static inline vec zero(void) { return _mm_setzero_si128(); }
static inline vec add(vec a, vec b) { return _mm_xor_si128(a, b); }
static inline vec add3(vec a, vec b, vec c) { return add(add(a, b), c); }

static inline vec twice(vec x) {
    const vec overflow = _mm_cmplt_epi8(x, zero());
    return add(_mm_add_epi8(x, x), _mm_and_si128(overflow, _mm_set1_epi8(0x1d)));
}

struct factor { vec low, high; };
struct halves { vec low, high; };

static inline struct factor factor_of(uint8_t constant) {
    const uint8_t *table = gk_tables.nibbles[constant];
    return (struct factor){load(table), load(table + 16)};
}

static inline struct halves halves_of(vec x) {
    const vec mask = _mm_set1_epi8(15);
    return (struct halves){_mm_and_si128(x, mask), _mm_and_si128(_mm_srli_epi64(x, 4), mask)};
}

static inline vec product(struct factor factor, struct halves x) {
    return add(_mm_shuffle_epi8(factor.low, x.low), _mm_shuffle_epi8(factor.high, x.high));
}

#include "level.h"

const struct gk_passes gk_ssse3_passes = PASSES;

#pragma clang attribute pop
#endif
