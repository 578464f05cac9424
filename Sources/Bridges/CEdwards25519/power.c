#include "cedwards25519.h"

#ifdef __x86_64__

#include "field4.h"

// Twice four numbers: while one half waits for its sums, the other keeps the processor busy.
typedef struct {
    field4 halves[2];
} field8;

FIELD4 static field8 multiply(const field8 *f, const field8 *g) {
    field8 product;
    UNROLLED for (int h = 0; h < 2; h++) {
        product.halves[h] = field4_carried(field4_product(f->halves[h], g->halves[h]));
    }
    return product;
}

// f^(2^count).
FIELD4 static field8 square(const field8 *f, int count) {
    field8 power = *f;
    for (int i = 0; i < count; i++) {
        UNROLLED for (int h = 0; h < 2; h++) power.halves[h] = field4_carried(field4_squared(power.halves[h]));
    }
    return power;
}

// f^(2^count) · g.
FIELD4 static field8 square_multiply(const field8 *f, int count, const field8 *g) {
    const field8 power = square(f, count);
    return multiply(&power, g);
}

FIELD4 void cedwards25519_power(const cedwards25519_number numbers[8], cedwards25519_number powers[8]) {
    field8 one;
    for (int h = 0; h < 2; h++) {
        const cedwards25519_number *four = numbers + 4 * h;
        one.halves[h] = field4_carried(field4_loaded(four, four + 1, four + 2, four + 3));
    }
    // eN is f^(2^N − 1).
    const field8 two = square(&one, 1), nine = square_multiply(&two, 2, &one), eleven = multiply(&two, &nine);
    const field8 e5 = square_multiply(&eleven, 1, &nine), e10 = square_multiply(&e5, 5, &e5);
    const field8 e20 = square_multiply(&e10, 10, &e10), e40 = square_multiply(&e20, 20, &e20);
    const field8 e50 = square_multiply(&e40, 10, &e10), e100 = square_multiply(&e50, 50, &e50);
    const field8 e200 = square_multiply(&e100, 100, &e100), e250 = square_multiply(&e200, 50, &e50);
    const field8 power = square_multiply(&e250, 2, &one);
    for (int h = 0; h < 2; h++) {
        cedwards25519_number *four = powers + 4 * h;
        field4_store(power.halves[h], four, four + 1, four + 2, four + 3);
    }
}

#endif
