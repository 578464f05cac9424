// Attempts to get out of a force field, each by one raw system call that does no harm if it succeeds.
#pragma once

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

struct cforcefield_audit_probe {
    const char *name;
    // What stops it in profile `compute`: an errno, or 0 if the process is killed for it.
    int32_t expected;
    // 0 if this architecture has no such call.
    int32_t exists;
};

size_t cforcefield_audit_count(void);

// NULL beyond the last.
const struct cforcefield_audit_probe *cforcefield_audit_at(size_t index);

// Makes an attempt. Returns what the call returned, or minus its errno; CFORCEFIELD_AUDIT_REFUSED, without making it, if this
// process has a pid above 64 and so is not in a namespace of its own, or if there is no such attempt here.
int64_t cforcefield_audit_attempt(size_t index);

// No errno of the kernel's.
#define CFORCEFIELD_AUDIT_REFUSED (-100000)

#endif
