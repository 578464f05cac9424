#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "stage.h"
#include "system_calls.h"

// linux/landlock.h as of ABI 9; what libc's header knows may be older.
enum {
    create_ruleset_version = 1,
    rule_path_beneath = 1,
    access_execute = 1 << 0,
    access_read_file = 1 << 2,
    access_of_abi_1 = (1 << 13) - 1,
    access_refer = 1 << 13,
    access_truncate = 1 << 14,
    access_ioctl_dev = 1 << 15,
    access_resolve_unix = 1 << 16,
    net_bind_tcp = 1 << 0,
    net_connect_tcp = 1 << 1,
    scope_abstract_unix_socket = 1 << 0,
    scope_signal = 1 << 1,
};

struct ruleset {
    uint64_t files, net, scoped;
};

struct path_rule {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));

// Everything that this kernel can deny. Bits above its ABI would be refused.
static struct ruleset everything(int abi) {
    struct ruleset rules = {.files = access_of_abi_1};
    if (abi >= 2) rules.files |= access_refer;
    if (abi >= 3) rules.files |= access_truncate;
    if (abi >= 5) rules.files |= access_ioctl_dev;
    if (abi >= 9) rules.files |= access_resolve_unix;
    if (abi >= 4) rules.net = net_bind_tcp | net_connect_tcp;
    if (abi >= 6) rules.scoped = scope_abstract_unix_socket | scope_signal;
    return rules;
}

static size_t size_for(int abi) { return abi >= 6 ? 24 : abi >= 4 ? 16 : 8; }

static int allow(int rules, int descriptor, uint64_t access) {
    struct path_rule rule = {.access = access, .parent = descriptor};
    return (int)syscall(native_landlock_add_rule, rules, rule_path_beneath, &rule, 0);
}

// Exec mode: without a rule execveat of the descriptor is denied. A copy in memory lies outside of what Landlock governs.
static int allow_executable(int rules) {
    if (allow(rules, CFORCEFIELD_EXECUTABLE, access_execute | access_read_file) == 0) return 0;
    return errno == EBADFD ? 0 : -1;
}

// Without an empty root the path inside is one of the host's tree, and may name another file than was granted.
static int allow_file(const struct cforcefield_file *granted, int rules) {
    int file = open(granted->inside, O_PATH | O_CLOEXEC);
    if (file < 0) return -1;
    struct stat status;
    int result = fstat(file, &status);
    if (result == 0 && (status.st_dev != granted->device || status.st_ino != granted->inode)) {
        errno = ESTALE;
        result = -1;
    }
    if (result == 0) result = allow(rules, file, access_read_file);
    int reason = errno;
    close(file);
    errno = reason;
    return result;
}

static int allow_files(const struct cforcefield_policy *policy, int rules) {
    for (size_t index = 0; index < policy->file_count; index++) {
        if (allow_file(&policy->files[index], rules) != 0) return -1;
    }
    return 0;
}

static int restrict_to(const struct stage *stage, int abi) {
    struct ruleset all = everything(abi);
    int rules = (int)syscall(native_landlock_create_ruleset, &all, size_for(abi), 0);
    if (rules < 0) return -1;
    int result = 0;
    if (stage_has_flag(stage, cforcefield_policy_exec)) result = allow_executable(rules);
    // Files that are for the time before the lock are closed to the worker by it.
    if (result == 0 && !stage_has_flag(stage, cforcefield_policy_lock_ready)) result = allow_files(&stage->policy, rules);
    if (result == 0) result = (int)syscall(native_landlock_restrict_self, rules, 0);
    int reason = errno;
    close(rules);
    errno = reason;
    return result;
}

void stage_landlock(struct stage *stage) {
    if (!stage_wants(stage, cforcefield_layer_landlock)) return;
    int abi = (int)syscall(native_landlock_create_ruleset, NULL, 0, create_ruleset_version);
    if (abi < 1 || restrict_to(stage, abi) != 0) {
        stage_miss(stage, cforcefield_layer_landlock, cforcefield_stage_landlock);
        return;
    }
    stage->landlock_abi = (uint32_t)abi;
    stage->layers |= cforcefield_layer_landlock;
}

#endif
