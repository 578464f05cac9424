#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stage.h"
#include "system_calls.h"

// A limit may be lowered by anyone and raised by root: the lower of what is wanted and what there is.
static void limit(struct stage *stage, int resource, uint64_t soft, uint64_t hard) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) stage_fail(stage, cforcefield_stage_rlimits, errno);
    if (hard < now.rlim_max) now.rlim_max = hard;
    now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
    if (setrlimit((__rlimit_resource_t)resource, &now) != 0) stage_fail(stage, cforcefield_stage_rlimits, errno);
}

// After the last fork: before Linux 5.14 processes were counted over the whole system.
void stage_rlimits(struct stage *stage) {
    const struct cforcefield_policy *policy = &stage->policy;
    limit(stage, RLIMIT_AS, policy->memory_bytes, policy->memory_bytes);
    limit(stage, RLIMIT_DATA, policy->memory_bytes, policy->memory_bytes);
    // The second line. The warden enforces the limit by the worker's own clock; the kernel counts ticks, which on a busy machine
    // are more than what was used, and must not come first: who is killed by it would not be told why.
    uint64_t beyond = 2 * ((uint64_t)policy->cpu_seconds + 1);
    limit(stage, RLIMIT_CPU, beyond, beyond + 1);
    limit(stage, RLIMIT_STACK, policy->stack_bytes, policy->stack_bytes);
    limit(stage, RLIMIT_NOFILE, policy->open_files, policy->open_files);
    limit(stage, RLIMIT_NPROC, policy->processes, policy->processes);
    limit(stage, RLIMIT_SIGPENDING, policy->pending_signals, policy->pending_signals);
    // No core file, as with 0, and no work for a program that core_pattern names: 0 does not stop that one, 1 does. It runs as
    // root, and would read what the worker has made of its memory; an exec makes a worker dumpable.
    limit(stage, RLIMIT_CORE, 1, 1);
    static const int none[] = {RLIMIT_FSIZE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO, RLIMIT_NICE};
    for (size_t index = 0; index < sizeof none / sizeof none[0]; index++) limit(stage, none[index], 0, 0);
    stage->layers |= cforcefield_layer_rlimits;
}

// NOROOT, NO_SETUID_FIXUP, KEEP_CAPS locked to off, NO_CAP_AMBIENT_RAISE, each locked: being uid 0 means nothing any more.
enum { securebits = 0x1 | 0x2 | 0x4 | 0x8 | 0x20 | 0x40 | 0x80 };

// The bounding set, which no later exec can exceed; up to the last capability that this kernel knows, behind which it says EINVAL.
static int drop_bounding_set(void) {
    unsigned long capability = 0;
    while (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) capability++;
    return capability > 0 && errno == EINVAL ? 0 : -1;
}

static int drop_capabilities(void) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return -1;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return (int)syscall(native_capset, &header, none);
}

// Securebits and bounding set take a capability to change, so they come before the others go; without a user namespace an
// unprivileged process has none to give up, and cannot. Warden and worker inherit both, which are half a hundred calls.
void stage_bound_privileges(struct stage *stage) {
    if (!stage_wants(stage, cforcefield_layer_capabilities)) return;
    bool bits = prctl(PR_SET_SECUREBITS, securebits, 0, 0, 0) == 0;
    if (!bits) stage_miss(stage, cforcefield_layer_capabilities, cforcefield_stage_securebits);
    bool bounding = drop_bounding_set() == 0;
    if (!bounding) stage_miss(stage, cforcefield_layer_capabilities, cforcefield_stage_capabilities);
    stage->has_bounds = bits && bounding;
}

void stage_privileges(struct stage *stage) {
    if (!stage_wants(stage, cforcefield_layer_capabilities)) return;
    if (drop_capabilities() != 0) stage_fail(stage, cforcefield_stage_capabilities, errno);
    if (stage->has_bounds) stage->layers |= cforcefield_layer_capabilities;
}

#endif
