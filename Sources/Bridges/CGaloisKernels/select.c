#include "levels.h"

#include <stdlib.h>
#include <string.h>

struct gk_tables gk_tables;

static uint8_t twice(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1d); }

__attribute__((constructor)) static void fill_tables(void) {
    for (unsigned constant = 0; constant < 256; constant++) {
        // multiples[k] = constant * 2^k, the images of the single bits.
        uint8_t multiples[8];
        multiples[0] = (uint8_t)constant;
        for (int k = 1; k < 8; k++) multiples[k] = twice(multiples[k - 1]);
        for (unsigned i = 0; i < 16; i++) {
            for (int k = 0; k < 4; k++) {
                if (i >> k & 1) {
                    gk_tables.nibbles[constant][i] ^= multiples[k];
                    gk_tables.nibbles[constant][16 + i] ^= multiples[4 + k];
                }
            }
        }
        uint64_t matrix = 0;
        for (int bit = 0; bit < 8; bit++) {
            for (int k = 0; k < 8; k++) matrix |= (uint64_t)(multiples[k] >> bit & 1) << (8 * (7 - bit) + k);
        }
        gk_tables.matrices[constant] = matrix;
    }
}

static const char *const names[GK_LEVEL_COUNT] = {"scalar", "ssse3", "avx2", "avx512", "gfni", "neon"};

static const struct gk_passes *const levels[GK_LEVEL_COUNT] = {
    [GK_SCALAR] = &gk_scalar_passes,
#if defined(__x86_64__)
    [GK_SSSE3] = &gk_ssse3_passes,
    [GK_AVX2] = &gk_avx2_passes,
    [GK_AVX512] = &gk_avx512_passes,
    [GK_GFNI] = &gk_gfni_passes,
#endif
#if defined(__aarch64__)
    [GK_NEON] = &gk_neon_passes,
#endif
};

const char *gk_level_name(enum gk_level level) { return names[level]; }

int gk_is_available(enum gk_level level) {
    switch (level) {
    case GK_SCALAR: return 1;
#if defined(__x86_64__)
    case GK_SSSE3: return __builtin_cpu_supports("ssse3") != 0;
    case GK_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case GK_AVX512: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    case GK_GFNI: return gk_is_available(GK_AVX512) && __builtin_cpu_supports("gfni");
#endif
#if defined(__aarch64__)
    case GK_NEON: return 1;
#endif
    default: return 0;
    }
}

enum gk_level gk_selected_level(void) {
    const char *wanted = getenv("RQ_KERNEL");
    enum gk_level best = GK_SCALAR;
    for (int level = 0; level < GK_LEVEL_COUNT; level++) {
        if (!gk_is_available((enum gk_level)level)) continue;
        if (wanted && strcmp(wanted, names[level]) == 0) return (enum gk_level)level;
        best = (enum gk_level)level;
    }
    return best;
}

void gk_xor(enum gk_level level, uint8_t *destination, const uint8_t *source, size_t count) {
    levels[level]->xor_bytes(destination, source, count);
}

void gk_multiply_add(
    enum gk_level level, uint8_t *destination, const uint8_t *source, uint8_t factor, size_t count) {
    levels[level]->multiply_add(destination, source, factor, count);
}

void gk_gather(
    enum gk_level level, const uint16_t *program, size_t instructions, enum gk_depth depth, const uint8_t *const *data,
    size_t offset, const uint8_t *slab, size_t width, uint8_t *out, size_t out_stride) {
    levels[level]->gather(program, instructions, depth, data, offset, slab, width, out, out_stride);
}

void gk_horner(
    enum gk_level level, const uint8_t *slab, size_t width, size_t columns, const uint8_t *buckets, size_t bucket_count,
    size_t power_count, uint8_t *out) {
    levels[level]->horner(slab, width, columns, buckets, bucket_count, power_count, out);
}

void gk_multiply_matrix(
    enum gk_level level, uint8_t *slab, size_t width, const uint8_t *matrix, const uint16_t *targets,
    size_t target_count, const uint16_t *sources, size_t source_count) {
    levels[level]->multiply_matrix(slab, width, matrix, targets, target_count, sources, source_count);
}
