// XOR and multiply-add over GF(256), polynomial 0x11D, for the code of RFC 6330: the inner loops of `RaptorQ`, in one version
// per instruction set, chosen when the program runs; and its tables. Nothing here checks an index: the caller's plan proves them.
//
// A slab is an array of rows of `width` bytes; `width` is a multiple of 64. Rows need no alignment.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum gk_level {
    GK_SCALAR = 0,
    GK_SSSE3 = 1,
    GK_AVX2 = 2,
    GK_AVX512 = 3,  // F and BW
    GK_GFNI = 4,    // AVX-512 F and BW with GFNI
    GK_NEON = 5,
};

#define GK_LEVEL_COUNT 6

// "scalar", "ssse3", "avx2", "avx512", "gfni" or "neon".
const char *gk_level_name(enum gk_level level);

// 1 if this processor runs the level and this build holds it, else 0.
int gk_is_available(enum gk_level level);

// The level that the environment variable RQ_KERNEL names if it is available, else the fastest one that is.
enum gk_level gk_selected_level(void);

// destination ^= source, `count` bytes of any alignment.
void gk_xor(enum gk_level level, uint8_t *destination, const uint8_t *source, size_t count);

// destination ^= factor * source, `count` bytes of any alignment.
void gk_multiply_add(enum gk_level level, uint8_t *destination, const uint8_t *source, uint8_t factor, size_t count);

// Which of an instruction's sources `gk_gather` takes.
enum gk_depth { GK_HEAD = 0, GK_WHOLE = 1 };

// Runs `instructions` sums of rows. In `program` an instruction is
//     target, datum, head, whole, source[0] ... source[whole - 1]
// and means: row `target` of `out` = datum XOR the rows source[...] of `slab`, the first `head` of them or all. The datum is
// `width` bytes from data[datum] + offset, or nothing where data[datum] is NULL. `out` may be the slab itself.
void gk_gather(
    enum gk_level level, const uint16_t *program, size_t instructions, enum gk_depth depth, const uint8_t *const *data,
    size_t offset, const uint8_t *slab, size_t width, uint8_t *out, size_t out_stride);

// The sum that all HDPC rows share (RFC 6330 5.3.3.3), over the first `columns` rows v of `slab`:
//     y = 2 * y + v[j];  bucket[buckets[j]] += y    for each j but the last, from y = 0
//     y = 2 * y + v[j];  power[h] = 2^h * y         for the last j and each h < power_count
// `out` holds the `bucket_count` buckets, which this function clears first, and behind them the powers.
void gk_horner(
    enum gk_level level, const uint8_t *slab, size_t width, size_t columns, const uint8_t *buckets, size_t bucket_count,
    size_t power_count, uint8_t *out);

// Multiplies a matrix by rows: slab[targets[i]] += sum over j of matrix[i * source_count + j] * slab[sources[j]].
// No target may be among the sources.
void gk_multiply_matrix(
    enum gk_level level, uint8_t *slab, size_t width, const uint8_t *matrix, const uint16_t *targets,
    size_t target_count, const uint16_t *sources, size_t source_count);

// The tables of RFC 6330. The arrays are declared within the functions, as Swift would make tuples of them.

// Table 2 of section 5.6: 477 rows of K', J, S, H and W.
static inline const uint16_t *gk_systematic_indices(void) {
    extern const uint16_t gk_systematic_table[];
    return gk_systematic_table;
}

// V0, V1, V2 and V3 of section 5.5, 256 words each.
static inline const uint32_t *gk_random_words(void) {
    extern const uint32_t gk_random_table[];
    return gk_random_table;
}
