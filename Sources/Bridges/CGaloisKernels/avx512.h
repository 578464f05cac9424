// Sixty-four bytes: what the two levels with AVX-512 share.
#include "levels.h"

#include <immintrin.h>

typedef __m512i vec;
#define VECTOR_BYTES 64
#define COLUMN_BYTES 256

static inline vec load(const uint8_t *from) { return _mm512_loadu_si512(from); }
static inline void store(uint8_t *to, vec value) { _mm512_storeu_si512(to, value); }
static inline vec zero(void) { return _mm512_setzero_si512(); }
static inline vec add(vec a, vec b) { return _mm512_xor_si512(a, b); }
// Truth table of a ^ b ^ c.
static inline vec add3(vec a, vec b, vec c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }

static inline vec twice(vec x) {
    const vec reduction = _mm512_maskz_mov_epi8(_mm512_movepi8_mask(x), _mm512_set1_epi8(0x1d));
    return add(_mm512_add_epi8(x, x), reduction);
}
