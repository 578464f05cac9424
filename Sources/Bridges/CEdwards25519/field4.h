// Four numbers modulo p = 2²⁵⁵ − 19 side by side, one in each lane of AVX2 vectors.
//
// A number has five signed limbs of 51 bits that are whole numbers in doubles; processors multiply those faster than 64-bit
// integers. Bounds: limbs have a magnitude of at most 2⁵⁰ + 2¹⁶. A product leaves sums in 64-bit integers, one for each limb, of
// a magnitude below 2⁵⁸; up to four of them may be added or subtracted before carrying makes limbs of them again.
#pragma once

#include <immintrin.h>
#include <stdint.h>

#include "cedwards25519.h"

#define FIELD4 __attribute__((target("avx2,fma")))
#define FIELD4_INLINE static inline __attribute__((always_inline, target("avx2,fma")))

// So that limbs stand in registers.
#ifdef __OPTIMIZE__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED
#endif

typedef struct {
    __m256d limbs[5];
} field4;

typedef struct {
    __m256i limbs[5];
} field4_sums;

// Ten columns of sums, of weight 2^(51k), before 2²⁵⁵ is replaced by 19. Each is too large by a constant that the compiler works
// out: the bits of the doubles that were added to it.
typedef struct {
    __m256i sums[10];
    uint64_t excess[10];
} field4_columns;

// Adds a · b to columns k and k + 1, for |a · b| below 2¹⁰².
//
// Beside 1.5 · 2¹⁰³ a double has steps of 2⁵¹: adding the product there rounds it to H · 2⁵¹, and H is added to the bits. What
// is left, of a magnitude of at most 2⁵⁰, is exact, and beside 1.5 · 2⁵² a double has steps of 1.
FIELD4_INLINE void field4_add_product(field4_columns *columns, int k, __m256d a, __m256d b) {
    const __m256d high_unit = _mm256_set1_pd(0x1.8p103), both_units = _mm256_set1_pd(0x1.8p103 + 0x1.8p52);
    const __m256d high = _mm256_fmadd_pd(a, b, high_unit);
    const __m256d low = _mm256_fmadd_pd(a, b, _mm256_sub_pd(both_units, high));
    columns->sums[k] = _mm256_add_epi64(columns->sums[k], _mm256_castpd_si256(low));
    columns->sums[k + 1] = _mm256_add_epi64(columns->sums[k + 1], _mm256_castpd_si256(high));
    columns->excess[k] += UINT64_C(0x4338000000000000);      // 1.5 · 2⁵²
    columns->excess[k + 1] += UINT64_C(0x4668000000000000);  // 1.5 · 2¹⁰³
}

// Columns are below 5 · 2⁵⁰ + 5 · 2⁵⁰, so that sums are below 20 · 10 · 2⁵⁰ < 2⁵⁸.
FIELD4_INLINE field4_sums field4_folded(const field4_columns *columns) {
    field4_sums sums;
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i excess = _mm256_set1_epi64x((int64_t)(columns->excess[k] + 19 * columns->excess[k + 5]));
        const __m256i upper = columns->sums[k + 5];
        __m256i thrice = _mm256_add_epi64(upper, _mm256_add_epi64(upper, upper));
        // Else the compiler sees 19 · upper and multiplies, for which AVX2 has no instruction.
        __asm__("" : "+x"(thrice));
        const __m256i folded = _mm256_add_epi64(_mm256_slli_epi64(upper, 4), thrice);
        sums.limbs[k] = _mm256_add_epi64(_mm256_sub_epi64(columns->sums[k], excess), folded);
    }
    return sums;
}

FIELD4_INLINE field4_sums field4_product(field4 f, field4 g) {
    field4_columns columns = {0};
    UNROLLED for (int k = 0; k < 9; k++) {
        UNROLLED for (int i = 0; i < 5; i++) {
            if (k - i >= 0 && k - i < 5) field4_add_product(&columns, k, f.limbs[i], g.limbs[k - i]);
        }
    }
    return field4_folded(&columns);
}

FIELD4_INLINE field4_sums field4_squared(field4 f) {
    field4_columns columns = {0};
    UNROLLED for (int i = 0; i < 5; i++) {
        field4_add_product(&columns, 2 * i, f.limbs[i], f.limbs[i]);
        const __m256d twice = _mm256_add_pd(f.limbs[i], f.limbs[i]);
        UNROLLED for (int j = i + 1; j < 5; j++) field4_add_product(&columns, i + j, twice, f.limbs[j]);
    }
    return field4_folded(&columns);
}

// 1024 · p keeps the sums, of a magnitude of at most 2⁶⁰, positive, and half a limb makes carries round to the nearest. A carry
// is below 2¹¹, and 19 times the last below 2¹⁶.
FIELD4_INLINE field4 field4_carried(field4_sums sums) {
    const int64_t half = INT64_C(1) << 50, bias = (INT64_C(1) << 61) - 1024 + half, bias0 = bias - 18 * 1024;
    const __m256i mask = _mm256_set1_epi64x((INT64_C(1) << 51) - 1);
    const __m256d whole = _mm256_set1_pd(0x1p52), whole_and_half = _mm256_set1_pd(0x1p52 + 0x1p50);
    __m256i carries[5];
    UNROLLED for (int k = 0; k < 5; k++) {
        sums.limbs[k] = _mm256_add_epi64(sums.limbs[k], _mm256_set1_epi64x(k == 0 ? bias0 : bias));
        carries[k] = _mm256_srli_epi64(sums.limbs[k], 51);
    }
    carries[4] = _mm256_mul_epu32(carries[4], _mm256_set1_epi64x(19));
    field4 f;
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i limb = _mm256_add_epi64(_mm256_and_si256(sums.limbs[k], mask), carries[(k + 4) % 5]);
        // Below 2⁵², which is the mantissa of a double from 2⁵² on.
        const __m256d raised = _mm256_or_pd(_mm256_castsi256_pd(limb), whole);
        f.limbs[k] = _mm256_sub_pd(raised, whole_and_half);
    }
    return f;
}

FIELD4_INLINE field4_sums field4_loaded(
    const cedwards25519_number *a, const cedwards25519_number *b, const cedwards25519_number *c,
    const cedwards25519_number *d) {
    field4_sums sums;
    UNROLLED for (int k = 0; k < 5; k++) {
        sums.limbs[k] = _mm256_setr_epi64x(
            (int64_t)a->limbs[k], (int64_t)b->limbs[k], (int64_t)c->limbs[k], (int64_t)d->limbs[k]);
    }
    return sums;
}

// Adds p, so that limbs lie between 2⁵⁰ − 2¹⁷ and 2⁵¹ + 2⁵⁰ + 2¹⁶.
FIELD4_INLINE void field4_store(
    field4 f, cedwards25519_number *a, cedwards25519_number *b, cedwards25519_number *c, cedwards25519_number *d) {
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256d p = _mm256_set1_pd(k == 0 ? 0x1p51 - 19 : 0x1p51 - 1);
        const __m256d limb = _mm256_add_pd(f.limbs[k], p);
        a->limbs[k] = (uint64_t)limb[0];
        b->limbs[k] = (uint64_t)limb[1];
        c->limbs[k] = (uint64_t)limb[2];
        d->limbs[k] = (uint64_t)limb[3];
    }
}
