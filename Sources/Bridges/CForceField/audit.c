#if defined(__linux__)
#define _GNU_SOURCE

#include "cforcefield_audit.h"

#include <errno.h>
#include <unistd.h>

#include "audit.h"

#if defined(__x86_64__)
enum { is_x86_64 = 1, FORK_IS_STOPPED_BY = 0 };
#else
enum { is_x86_64 = 0, FORK_IS_STOPPED_BY = EPERM };
#endif

// A process of a namespace of its own has a low pid; one that is not does not run attempts.
enum { highest_pid = 64 };

struct attempt {
    struct cforcefield_audit_probe probe;
    long (*make)(void);
};

static const struct attempt attempts[] = {
#define AUDIT_PROBE(name, expected) {{#name, expected, 1}, audit_##name},
#define AUDIT_PROBE_OF_X86_64(name, expected) {{#name, expected, is_x86_64}, audit_##name},
#include "audit_probes.def"
#undef AUDIT_PROBE
#undef AUDIT_PROBE_OF_X86_64
};

size_t cforcefield_audit_count(void) { return sizeof attempts / sizeof attempts[0]; }

const struct cforcefield_audit_probe *cforcefield_audit_at(size_t index) {
    return index < cforcefield_audit_count() ? &attempts[index].probe : NULL;
}

int64_t cforcefield_audit_attempt(size_t index) {
    if (index >= cforcefield_audit_count() || !attempts[index].probe.exists || getpid() > highest_pid) {
        return CFORCEFIELD_AUDIT_REFUSED;
    }
    errno = 0;
    long result = attempts[index].make();
    return result == -1 ? -(int64_t)errno : result;
}

#endif
