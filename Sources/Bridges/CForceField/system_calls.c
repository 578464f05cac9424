#if defined(__linux__)

#include <string.h>

#include "cforcefield_filter.h"

struct system_call {
    const char *name;
    int16_t x86_64, aarch64;
};

static const struct system_call system_calls[] = {
#define SYSTEM_CALL(name, x86_64, aarch64) {#name, x86_64, aarch64},
#include "system_calls.def"
#undef SYSTEM_CALL
};

static const size_t count = sizeof system_calls / sizeof system_calls[0];

static int32_t number_of(const struct system_call *call, uint32_t architecture) {
    if (architecture == CFORCEFIELD_X86_64) return call->x86_64;
    if (architecture == CFORCEFIELD_AARCH64) return call->aarch64;
    return -1;
}

const char *cforcefield_system_call_name(uint32_t architecture, uint32_t number) {
    // A call that is missing here has number -1, which a worker may well have asked for.
    if (number > INT16_MAX) return NULL;
    for (size_t index = 0; index < count; index++) {
        if (number_of(&system_calls[index], architecture) == (int32_t)number) return system_calls[index].name;
    }
    return NULL;
}

int32_t cforcefield_system_call_number(uint32_t architecture, const char *name) {
    for (size_t index = 0; index < count; index++) {
        if (strcmp(system_calls[index].name, name) == 0) return number_of(&system_calls[index], architecture);
    }
    return -1;
}

uint32_t cforcefield_native_architecture(void) {
#if defined(__x86_64__)
    return CFORCEFIELD_X86_64;
#elif defined(__aarch64__)
    return CFORCEFIELD_AARCH64;
#else
#error "a filter for this architecture has to be written first"
#endif
}

#endif
