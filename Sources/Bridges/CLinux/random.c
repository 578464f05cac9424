#include "clinux_random.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

enum { seed_tries = 1000, number_tries = 10 };

static int has_seeds(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_RDSEED);
}

static int has_numbers(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_RDRND);
}

__attribute__((target("rdseed"))) static int seed(unsigned long long *value) {
    for (int i = 0; i < seed_tries; i++) {
        if (_rdseed64_step(value)) return 1;
        __builtin_ia32_pause();
    }
    return 0;
}

__attribute__((target("rdrnd"))) static int number(unsigned long long *value) {
    for (int i = 0; i < number_tries; i++) {
        if (_rdrand64_step(value)) return 1;
    }
    return 0;
}

int clinux_processor_random(void *output, size_t count) {
    int seeds = has_seeds(), numbers = has_numbers();
    if (!seeds && !numbers) {
        errno = ENOTSUP;
        return -1;
    }
    for (size_t done = 0; done < count;) {
        unsigned long long value;
        // Seeds run out while other processors draw; numbers are stretched from them by the processor itself.
        if (!(seeds && seed(&value)) && !(numbers && number(&value))) {
            errno = EIO;
            return -1;
        }
        size_t taken = count - done < sizeof value ? count - done : sizeof value;
        memcpy((char *)output + done, &value, taken);
        done += taken;
    }
    return 0;
}
#else
int clinux_processor_random(void *output, size_t count) {
    (void)output;
    (void)count;
    errno = ENOTSUP;
    return -1;
}
#endif

int clinux_fine_time(uint64_t *time) {
#if defined(__x86_64__)
    *time = __builtin_ia32_rdtsc();
    return 0;
#else
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return -1;
    *time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return 0;
#endif
}
