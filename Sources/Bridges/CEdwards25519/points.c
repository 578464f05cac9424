#include "cedwards25519.h"

#ifdef __x86_64__

#include <string.h>

#include "field4.h"

// The coordinates of a point of −x² + y² = 1 + d·x²·y² stand in the four lanes; formulas of Hisil, Wong, Carter and Dawson,
// "Twisted Edwards Curves Revisited" (2008), sections 3.1 and 3.3. A point between two steps is (T, Y, Z, X), not yet carried:
// each step begins with sums and differences.

#define LANES(v, imm) _mm256_castpd_si256(_mm256_permute_pd(_mm256_castsi256_pd(v), imm))

// Lanes 2, 3, 0, 1.
FIELD4_INLINE __m256i halves_swapped(__m256i v) { return _mm256_permute2x128_si256(v, v, 0x01); }

// From (E, H, G, F): the point (E·H, H·G, G·F, F·E).
FIELD4_INLINE field4_sums completed(field4 f) {
    field4 rotated;
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256d swapped = _mm256_permute2f128_pd(f.limbs[k], f.limbs[k], 0x01);
        rotated.limbs[k] = _mm256_shuffle_pd(f.limbs[k], swapped, 0x5);
    }
    return field4_product(f, rotated);
}

FIELD4 static void double_point(field4_sums *point) {
    // (X + Y, Y, X, Z)
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i v = point->limbs[k];
        const __m256i x = _mm256_unpackhi_epi64(_mm256_permute2x128_si256(v, v, 0x81), _mm256_setzero_si256());
        point->limbs[k] = _mm256_add_epi64(LANES(v, 0x7), x);
    }
    field4_sums squares = field4_squared(field4_carried(*point));
    // With H = X² + Y² and G = Y² − X²: E = (X + Y)² − H and F = 2Z² − G.
    const __m256i shifts = _mm256_setr_epi64x(0, 64, 64, 1);
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i v = squares.limbs[k];
        const __m256i yyxx = LANES(v, 0x3), xxyy = halves_swapped(yyxx);
        const __m256i hg = _mm256_blend_epi32(_mm256_add_epi64(xxyy, yyxx), _mm256_sub_epi64(xxyy, yyxx), 0xf0);
        const __m256i rest = _mm256_sllv_epi64(v, shifts);
        squares.limbs[k] = _mm256_blend_epi32(_mm256_add_epi64(rest, hg), _mm256_sub_epi64(rest, hg), 0xc3);
    }
    *point = completed(field4_carried(squares));
}

// (Y − X, Y + X, Z, T)
FIELD4_INLINE field4 prepared(const field4_sums *point) {
    field4_sums sums;
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i v = point->limbs[k], swapped = halves_swapped(v);
        const __m256i yyzz = LANES(v, 0x3), xxtt = LANES(swapped, 0x3);
        const __m256i upper = _mm256_blend_epi32(yyzz, xxtt, 0xc0);
        const __m256i lower = _mm256_blend_epi32(_mm256_add_epi64(yyzz, xxtt), _mm256_sub_epi64(yyzz, xxtt), 0x03);
        sums.limbs[k] = _mm256_blend_epi32(lower, upper, 0xf0);
    }
    return field4_carried(sums);
}

// From (Y − X, Y + X, Z, T) of one point and (Y − X, Y + X, 2Z, 2dT) of another: their sum.
FIELD4_INLINE field4_sums added(field4 point, field4 other) {
    // (A, B, D, C)
    field4_sums products = field4_product(point, other);
    // E = B − A, H = B + A, G = D + C, F = D − C.
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256i v = products.limbs[k], swapped = _mm256_shuffle_epi32(v, 0x4e);
        const __m256i sum = _mm256_add_epi64(swapped, v), difference = _mm256_sub_epi64(swapped, v);
        products.limbs[k] = _mm256_blend_epi32(sum, difference, 0xc3);
    }
    return completed(field4_carried(products));
}

// Adds digit · P, for an odd digit.
FIELD4 static void add_multiple(field4_sums *point, const cedwards25519_multiple *odd_multiples, int digit) {
    // −P is P with its first two lanes exchanged and the sign of the last turned.
    static const int64_t orders[2][4] = {{0, 2, 0, 2}, {2, 0, 0, 2}};
    static const double signs[2][4] = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, -0.0}};
    const int negated = digit < 0;
    const double *limbs = odd_multiples[(negated ? -digit : digit) >> 1].limbs;
    const __m256i order = _mm256_loadu_si256((const __m256i *)orders[negated]);
    const __m256d sign = _mm256_loadu_pd(signs[negated]);
    field4 other;
    UNROLLED for (int k = 0; k < 5; k++) {
        const __m256d v = _mm256_loadu_pd(limbs + 4 * k);
        other.limbs[k] = _mm256_xor_pd(_mm256_permutevar_pd(v, order), sign);
    }
    *point = added(prepared(point), other);
}

FIELD4 void cedwards25519_odd_multiples(
    const cedwards25519_point *point, size_t count, cedwards25519_multiple *multiples) {
    static const cedwards25519_number one = {{1}}, two = {{2}};
    static const cedwards25519_number two_d = {
        {0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff}};
    const field4 factors = field4_carried(field4_loaded(&one, &one, &two, &two_d));
    const field4_sums first = field4_loaded(&point->t, &point->y, &point->z, &point->x);
    field4_sums twice = first;
    double_point(&twice);
    const field4 step = field4_carried(field4_product(prepared(&twice), factors));
    field4 multiple = prepared(&first);
    for (size_t i = 0;; i++) {
        const field4 form = field4_carried(field4_product(multiple, factors));
        for (int k = 0; k < 5; k++) _mm256_storeu_pd(multiples[i].limbs + 4 * k, form.limbs[k]);
        if (i + 1 == count) return;
        const field4_sums next = added(multiple, step);
        multiple = prepared(&next);
    }
}

FIELD4 void cedwards25519_sum(
    const int8_t *digits, size_t position_count, size_t column_count, const cedwards25519_multiple *const *tables,
    cedwards25519_point *sum) {
    static const cedwards25519_number zero = {{0}}, one = {{1}};
    field4_sums point = field4_loaded(&zero, &one, &one, &zero);
    for (size_t i = position_count; i-- > 0;) {
        double_point(&point);
        const int8_t *row = digits + i * column_count;
        for (size_t j = 0; j < column_count; j += 8) {
            uint64_t eight;
            memcpy(&eight, row + j, sizeof eight);
            while (eight != 0) {
                const int byte = __builtin_ctzll(eight) / 8;
                eight &= ~(UINT64_C(0xff) << 8 * byte);
                add_multiple(&point, tables[j + (size_t)byte], row[j + (size_t)byte]);
            }
        }
    }
    field4_store(field4_carried(point), &sum->t, &sum->y, &sum->z, &sum->x);
}

#endif
