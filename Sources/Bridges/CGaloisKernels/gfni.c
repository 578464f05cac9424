// Products by an 8 x 8 bit matrix (gf2p8affineqb). gf2p8mulb is of no use: its field has the polynomial 0x11B.
#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,gfni"))), apply_to = function)

#include "avx512.h"

struct factor { vec matrix; };
struct halves { vec whole; };

static inline struct factor factor_of(uint8_t constant) {
    return (struct factor){_mm512_set1_epi64((long long)gk_tables.matrices[constant])};
}

static inline struct halves halves_of(vec x) { return (struct halves){x}; }

static inline vec product(struct factor factor, struct halves x) {
    return _mm512_gf2p8affine_epi64_epi8(x.whole, factor.matrix, 0);
}

#include "level.h"

const struct gk_passes gk_gfni_passes = PASSES;

#pragma clang attribute pop
#endif
