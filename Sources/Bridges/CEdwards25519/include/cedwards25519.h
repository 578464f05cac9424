// What verification on the curve of ristretto255 spends its time on, by AVX2 and FMA: four numbers modulo p = 2²⁵⁵ − 19 are
// multiplied side by side.
//
// For public data only: a sum takes a time that depends on its digits. No function allocates or fails. Numbers have five limbs
// of 51 bits, least significant first; limbs that go in are below 2⁵², those that come out below 2⁵² − 38. Doubles are
// to round to the nearest, as every thread begins with.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether this machine has AVX2 and FMA; never on an architecture other than x86-64. Where it has not, nothing below may be
// called.
bool cedwards25519_is_available(void);

typedef struct {
    uint64_t limbs[5];
} cedwards25519_number;

// A point of −x² + y² = 1 + d·x²·y² in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z.
typedef struct {
    cedwards25519_number x, y, z, t;
} cedwards25519_point;

// A multiple of a point in the form in which it is added: Y − X, Y + X, 2Z, 2dT.
typedef struct {
    double limbs[20];
} cedwards25519_multiple;

// Raises each of eight numbers to (p − 5) / 8.
void cedwards25519_power(const cedwards25519_number numbers[8], cedwards25519_number powers[8]);

// Writes P, 3P, 5P, … (2·count − 1)·P, for a count of at least 1.
void cedwards25519_odd_multiples(const cedwards25519_point *point, size_t count, cedwards25519_multiple *multiples);

// Σ 2ⁱ · digits[i · column_count + j] · Pⱼ over i < position_count and j < column_count.
//
// Digits are odd or zero, and column_count is a multiple of 8. tables[j] holds the odd multiples of Pⱼ up to the largest digit of
// column j; it is not looked at where all digits of the column are zero.
void cedwards25519_sum(
    const int8_t *digits, size_t position_count, size_t column_count, const cedwards25519_multiple *const *tables,
    cedwards25519_point *sum);
