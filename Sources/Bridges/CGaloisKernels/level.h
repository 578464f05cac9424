// The passes, written once over a vector type. A level's file defines the type and its operations, then includes this:
//     vec, VECTOR_BYTES, COLUMN_BYTES (how much of a row stays in registers: a multiple of 64)
//     load, store, zero, add, add3, twice
//     struct factor, factor_of; struct halves, halves_of, product   multiplication by a constant
#include "levels.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define COLUMN_VECTORS (COLUMN_BYTES / VECTOR_BYTES)
#define MATRIX_ROWS 4
// Instructions between asking for a datum and using it.
#define PREFETCH_DISTANCE 4

static void xor_bytes(uint8_t *destination, const uint8_t *source, size_t count) {
    size_t i = 0;
    for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES) {
        store(destination + i, add(load(destination + i), load(source + i)));
    }
    for (; i < count; i++) destination[i] ^= source[i];
}

static void multiply_add(uint8_t *destination, const uint8_t *source, uint8_t constant, size_t count) {
    const struct factor factor = factor_of(constant);
    const uint8_t *low = gk_tables.nibbles[constant], *high = low + 16;
    size_t i = 0;
    for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES) {
        store(destination + i, add(load(destination + i), product(factor, halves_of(load(source + i)))));
    }
    for (; i < count; i++) destination[i] ^= low[source[i] & 15] ^ high[source[i] >> 4];
}

// A column of `vectors` vectors of every row that the program names, accumulated in registers.
ALWAYS_INLINE void gather_column(
    const uint16_t *program, size_t instructions, enum gk_depth depth, const uint8_t *const *data, size_t offset,
    const uint8_t *slab, size_t width, uint8_t *out, size_t out_stride, const size_t vectors) {
    const uint16_t *ahead = program;
    size_t known = 0;
    for (; known < PREFETCH_DISTANCE && known < instructions; known++) ahead += 4 + ahead[3];
    for (size_t i = 0; i < instructions; i++) {
        if (known < instructions) {
            // Data lie far apart and in no order; the slab is in the cache.
            const uint8_t *datum = data[ahead[1]];
            if (datum) {
                for (size_t b = 0; b < vectors * VECTOR_BYTES; b += 64) __builtin_prefetch(datum + offset + b);
            }
            ahead += 4 + ahead[3];
            known++;
        }
        const uint16_t *sources = program + 4;
        const size_t count = depth == GK_WHOLE ? program[3] : program[2];
        uint8_t *target = out + program[0] * out_stride;
        const uint8_t *datum = data[program[1]];
        program = sources + program[3];

        vec sum[COLUMN_VECTORS];
        size_t s = 0;
        if (datum) {
            for (size_t v = 0; v < vectors; v++) sum[v] = load(datum + offset + v * VECTOR_BYTES);
        } else if (count) {
            const uint8_t *row = slab + sources[s++] * width;
            for (size_t v = 0; v < vectors; v++) sum[v] = load(row + v * VECTOR_BYTES);
        } else {
            for (size_t v = 0; v < vectors; v++) sum[v] = zero();
        }
        for (; s + 2 <= count; s += 2) {
            const uint8_t *row = slab + sources[s] * width, *other = slab + sources[s + 1] * width;
            for (size_t v = 0; v < vectors; v++) {
                sum[v] = add3(sum[v], load(row + v * VECTOR_BYTES), load(other + v * VECTOR_BYTES));
            }
        }
        if (s < count) {
            const uint8_t *row = slab + sources[s] * width;
            for (size_t v = 0; v < vectors; v++) sum[v] = add(sum[v], load(row + v * VECTOR_BYTES));
        }
        for (size_t v = 0; v < vectors; v++) store(target + v * VECTOR_BYTES, sum[v]);
    }
}

static void gather(
    const uint16_t *program, size_t instructions, enum gk_depth depth, const uint8_t *const *data, size_t offset,
    const uint8_t *slab, size_t width, uint8_t *out, size_t out_stride) {
    size_t column = 0;
    for (; column + COLUMN_BYTES <= width; column += COLUMN_BYTES) {
        gather_column(
            program, instructions, depth, data, offset + column, slab + column, width, out + column, out_stride,
            COLUMN_VECTORS);
    }
    if (COLUMN_BYTES > 128 && column + 128 <= width) {
        gather_column(
            program, instructions, depth, data, offset + column, slab + column, width, out + column, out_stride,
            128 / VECTOR_BYTES);
        column += 128;
    }
    for (; column < width; column += 64) {
        gather_column(
            program, instructions, depth, data, offset + column, slab + column, width, out + column, out_stride,
            64 / VECTOR_BYTES);
    }
}

ALWAYS_INLINE void horner_column(
    const uint8_t *slab, size_t width, size_t columns, const uint8_t *buckets, size_t power_count, uint8_t *out,
    uint8_t *powers, const size_t vectors) {
    vec y[COLUMN_VECTORS];
    for (size_t v = 0; v < vectors; v++) y[v] = zero();
    for (size_t j = 0; j + 1 < columns; j++) {
        const uint8_t *row = slab + j * width;
        uint8_t *bucket = out + buckets[j] * width;
        for (size_t v = 0; v < vectors; v++) {
            y[v] = add(twice(y[v]), load(row + v * VECTOR_BYTES));
            store(bucket + v * VECTOR_BYTES, add(load(bucket + v * VECTOR_BYTES), y[v]));
        }
    }
    const uint8_t *last = slab + (columns - 1) * width;
    for (size_t v = 0; v < vectors; v++) y[v] = add(twice(y[v]), load(last + v * VECTOR_BYTES));
    for (size_t h = 0; h < power_count; h++) {
        for (size_t v = 0; v < vectors; v++) {
            store(powers + h * width + v * VECTOR_BYTES, y[v]);
            y[v] = twice(y[v]);
        }
    }
}

static void horner(
    const uint8_t *slab, size_t width, size_t columns, const uint8_t *buckets, size_t bucket_count, size_t power_count,
    uint8_t *out) {
    uint8_t *powers = out + bucket_count * width;
    memset(out, 0, bucket_count * width);
    size_t column = 0;
    for (; column + COLUMN_BYTES <= width; column += COLUMN_BYTES) {
        horner_column(
            slab + column, width, columns, buckets, power_count, out + column, powers + column, COLUMN_VECTORS);
    }
    for (; column < width; column += 64) {
        horner_column(
            slab + column, width, columns, buckets, power_count, out + column, powers + column, 64 / VECTOR_BYTES);
    }
}

// `rows` rows of the matrix at once, so that a source is read and split once for all of them.
ALWAYS_INLINE void multiply_matrix_column(
    uint8_t *slab, size_t width, const uint8_t *matrix, const uint16_t *targets, const uint16_t *sources,
    size_t source_count, const size_t rows, const size_t vectors) {
    vec sum[MATRIX_ROWS][2];
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < vectors; v++) sum[r][v] = load(slab + targets[r] * width + v * VECTOR_BYTES);
    }
    for (size_t j = 0; j < source_count; j++) {
        const uint8_t *source = slab + sources[j] * width;
        struct halves halves[2];
        for (size_t v = 0; v < vectors; v++) halves[v] = halves_of(load(source + v * VECTOR_BYTES));
        for (size_t r = 0; r < rows; r++) {
            const struct factor factor = factor_of(matrix[r * source_count + j]);
            for (size_t v = 0; v < vectors; v++) sum[r][v] = add(sum[r][v], product(factor, halves[v]));
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < vectors; v++) store(slab + targets[r] * width + v * VECTOR_BYTES, sum[r][v]);
    }
}

static void multiply_matrix(
    uint8_t *slab, size_t width, const uint8_t *matrix, const uint16_t *targets, size_t target_count,
    const uint16_t *sources, size_t source_count) {
    size_t column = 0;
    while (column < width) {
        const int is_pair = column + 2 * VECTOR_BYTES <= width;
        size_t i = 0;
        for (; i + MATRIX_ROWS <= target_count; i += MATRIX_ROWS) {
            const uint8_t *rows = matrix + i * source_count;
            if (is_pair) {
                multiply_matrix_column(
                    slab + column, width, rows, targets + i, sources, source_count, MATRIX_ROWS, 2);
            } else {
                multiply_matrix_column(
                    slab + column, width, rows, targets + i, sources, source_count, MATRIX_ROWS, 1);
            }
        }
        for (; i < target_count; i++) {
            const uint8_t *row = matrix + i * source_count;
            if (is_pair) {
                multiply_matrix_column(slab + column, width, row, targets + i, sources, source_count, 1, 2);
            } else {
                multiply_matrix_column(slab + column, width, row, targets + i, sources, source_count, 1, 1);
            }
        }
        column += is_pair ? 2 * VECTOR_BYTES : VECTOR_BYTES;
    }
}

#define PASSES {xor_bytes, multiply_add, gather, horner, multiply_matrix}
