// Sixteen bytes; products by two look-ups of nibbles (tbl). Every arm64 processor has NEON.
#if defined(__aarch64__)
#include "levels.h"

#include <arm_neon.h>

typedef uint8x16_t vec;
#define VECTOR_BYTES 16
#define COLUMN_BYTES 256

static inline vec load(const uint8_t *from) { return vld1q_u8(from); }
static inline void store(uint8_t *to, vec value) { vst1q_u8(to, value); }
static inline vec zero(void) { return vdupq_n_u8(0); }
static inline vec add(vec a, vec b) { return veorq_u8(a, b); }
static inline vec add3(vec a, vec b, vec c) { return add(add(a, b), c); }

static inline vec twice(vec x) {
    const vec overflow = vcltzq_s8(vreinterpretq_s8_u8(x));
    return add(vshlq_n_u8(x, 1), vandq_u8(overflow, vdupq_n_u8(0x1d)));
}

struct factor { vec low, high; };
struct halves { vec low, high; };

static inline struct factor factor_of(uint8_t constant) {
    const uint8_t *table = gk_tables.nibbles[constant];
    return (struct factor){load(table), load(table + 16)};
}

static inline struct halves halves_of(vec x) {
    return (struct halves){vandq_u8(x, vdupq_n_u8(15)), vshrq_n_u8(x, 4)};
}

static inline vec product(struct factor factor, struct halves x) {
    return add(vqtbl1q_u8(factor.low, x.low), vqtbl1q_u8(factor.high, x.high));
}

#include "level.h"

const struct gk_passes gk_neon_passes = PASSES;
#endif
