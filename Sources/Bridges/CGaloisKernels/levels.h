// What the files of the levels share with select.c.
#pragma once

#include "cgaloiskernels.h"

struct gk_passes {
    void (*xor_bytes)(uint8_t *, const uint8_t *, size_t);
    void (*multiply_add)(uint8_t *, const uint8_t *, uint8_t, size_t);
    void (*gather)(
        const uint16_t *, size_t, enum gk_depth, const uint8_t *const *, size_t, const uint8_t *, size_t, uint8_t *, size_t);
    void (*horner)(const uint8_t *, size_t, size_t, const uint8_t *, size_t, size_t, uint8_t *);
    void (*multiply_matrix)(
        uint8_t *, size_t, const uint8_t *, const uint16_t *, size_t, const uint16_t *, size_t);
};

// Filled before main runs, never written after.
struct gk_tables {
    // For each constant c: c * i, then c * 16 * i, for i in 0...15.
    uint8_t nibbles[256][32];
    // For each constant c the matrix of "multiply by c" as gf2p8affineqb takes it: byte 7 - i makes bit i of the product.
    uint64_t matrices[256];
};
extern struct gk_tables gk_tables;

extern const struct gk_passes gk_scalar_passes;
#if defined(__x86_64__)
extern const struct gk_passes gk_ssse3_passes, gk_avx2_passes, gk_avx512_passes, gk_gfni_passes;
#endif
#if defined(__aarch64__)
extern const struct gk_passes gk_neon_passes;
#endif
