#include "cedwards25519.h"

#ifdef __x86_64__

bool cedwards25519_is_available(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

#else

bool cedwards25519_is_available(void) { return false; }

void cedwards25519_power(const cedwards25519_number numbers[8], cedwards25519_number powers[8]) { __builtin_trap(); }

void cedwards25519_odd_multiples(const cedwards25519_point *point, size_t count, cedwards25519_multiple *multiples) {
    __builtin_trap();
}

void cedwards25519_sum(
    const int8_t *digits, size_t position_count, size_t column_count, const cedwards25519_multiple *const *tables,
    cedwards25519_point *sum) {
    __builtin_trap();
}

#endif
