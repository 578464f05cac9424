// Eight bytes in a 64-bit word, with no instruction set assumed.
#include "levels.h"

#include <string.h>

typedef uint64_t vec;
#define VECTOR_BYTES 8
#define COLUMN_BYTES 64

static inline vec load(const uint8_t *from) {
    vec value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store(uint8_t *to, vec value) { memcpy(to, &value, sizeof value); }
static inline vec zero(void) { return 0; }
static inline vec add(vec a, vec b) { return a ^ b; }
static inline vec add3(vec a, vec b, vec c) { return a ^ b ^ c; }

static inline vec twice(vec x) {
    const vec tops = x & 0x8080808080808080u;
    return ((x ^ tops) << 1) ^ ((tops >> 7) * 0x1d);
}

struct factor { uint8_t constant; };
struct halves { vec whole; };

static inline struct factor factor_of(uint8_t constant) { return (struct factor){constant}; }
static inline struct halves halves_of(vec x) { return (struct halves){x}; }

// Horner's rule over the bits of the constant.
static inline vec product(struct factor factor, struct halves x) {
    vec sum = 0;
    for (int bit = 7; bit >= 0; bit--) sum = twice(sum) ^ (x.whole & -(vec)(factor.constant >> bit & 1));
    return sum;
}

#include "level.h"

const struct gk_passes gk_scalar_passes = PASSES;
