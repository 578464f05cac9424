#if defined(__linux__)
#define _GNU_SOURCE

#include "cforcefield_policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cforcefield_control.h"

enum { all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

// MFD_NOEXEC_SEAL of linux/memfd.h
enum { mfd_noexec_seal = 0x8 };

// The record has no gaps in which anything could hide.
_Static_assert(sizeof(struct cforcefield_file) == 16 + 256 + 64, "no gaps");
_Static_assert(sizeof(struct cforcefield_policy) == 80 + 8 * sizeof(struct cforcefield_file), "no gaps");

enum {
    known_flags = cforcefield_policy_wait_go | cforcefield_policy_exec | cforcefield_policy_report |
                  cforcefield_policy_lock_ready | cforcefield_policy_descriptors | cforcefield_policy_network |
                  cforcefield_policy_no_channel | cforcefield_policy_input,
    // Never off and never missing: without it a worker has no bound at all.
    always_there = cforcefield_layer_rlimits,
};

#define MOST_MEMORY (UINT64_C(1) << 46)
#define MOST_SECONDS (365u * 86400)

void cforcefield_policy_make(struct cforcefield_policy *policy) {
    memset(policy, 0, sizeof *policy);
    policy->magic = CFORCEFIELD_POLICY_MAGIC;
    policy->version = CFORCEFIELD_POLICY_VERSION;
    policy->size = sizeof *policy;
    // Where the kernel cannot notify, it kills: nothing is weaker, only less is known afterwards.
    policy->layers_may_miss = cforcefield_layer_notify;
    policy->memory_bytes = UINT64_C(512) << 20;
    policy->stack_bytes = UINT64_C(8) << 20;
    policy->cpu_seconds = 30;
    policy->open_files = 32;
    policy->processes = 64;
    policy->pending_signals = 64;
}

static bool is_zero(const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0 && *next == 0) next++, count--;
    return count == 0;
}

// Absolute, ends within its room, and nothing follows its end.
static bool is_path(const char *path, size_t room) {
    size_t length = strnlen(path, room);
    return length > 1 && length < room && path[0] == '/' && is_zero(path + length, room - length);
}

// Names a place in the new root and nothing outside it.
static bool is_plain(const char *path) {
    while (*path == '/') {
        size_t length = strcspn(++path, "/");
        if (length == 0 || (length == 1 && path[0] == '.') || (length == 2 && path[0] == '.' && path[1] == '.')) return false;
        path += length;
    }
    return true;
}

static bool is_good_file(const struct cforcefield_file *file) {
    return is_path(file->host, sizeof file->host) && is_path(file->inside, sizeof file->inside) && is_plain(file->inside);
}

static bool are_good_flags(const struct cforcefield_policy *policy) {
    uint32_t flags = policy->flags;
    bool exec = (flags & cforcefield_policy_exec) != 0;
    if ((flags & ~(uint32_t)known_flags) != 0) return false;
    // A program of which nothing is trusted cannot complete its own lock.
    if (exec && (flags & cforcefield_policy_lock_ready) != 0) return false;
    if (!exec && (flags & cforcefield_policy_no_channel) != 0) return false;
    if ((flags & cforcefield_policy_network) != 0 && (flags & cforcefield_policy_descriptors) == 0) return false;
    // A report comes by notification.
    uint32_t notify = cforcefield_layer_notify | cforcefield_layer_seccomp;
    return (flags & cforcefield_policy_report) == 0 || ((policy->layers_off | policy->layers_may_miss) & notify) == 0;
}

static bool are_good_layers(const struct cforcefield_policy *policy) {
    return ((policy->layers_off | policy->layers_may_miss) & ~(CFORCEFIELD_ALL_LAYERS & ~(uint32_t)always_there)) == 0;
}

static bool are_good_limits(const struct cforcefield_policy *policy) {
    return policy->memory_bytes >= 1 << 20 && policy->memory_bytes <= MOST_MEMORY && policy->stack_bytes >= 64 << 10 &&
           policy->stack_bytes <= policy->memory_bytes && policy->lifetime_milliseconds <= CFORCEFIELD_LONGEST_LIFETIME &&
           policy->cpu_seconds >= 1 && policy->cpu_seconds <= MOST_SECONDS &&
           policy->open_files >= CFORCEFIELD_FEWEST_OPEN_FILES && policy->open_files <= CFORCEFIELD_MOST_OPEN_FILES &&
           policy->processes >= 1 && policy->processes <= 65535 && policy->pending_signals <= 65535;
}

enum cforcefield_policy_refusal cforcefield_policy_read(
    const void *bytes, size_t count, struct cforcefield_policy *policy) {
    memset(policy, 0, sizeof *policy);
    if (count != sizeof *policy) return cforcefield_policy_bad_size;
    memcpy(policy, bytes, sizeof *policy);
    if (policy->magic != CFORCEFIELD_POLICY_MAGIC) return cforcefield_policy_bad_magic;
    if (policy->version != CFORCEFIELD_POLICY_VERSION) return cforcefield_policy_bad_version;
    if (policy->size != sizeof *policy) return cforcefield_policy_bad_size;
    if (!are_good_flags(policy)) return cforcefield_policy_bad_flags;
    if (!are_good_layers(policy)) return cforcefield_policy_bad_layers;
    if (policy->user != 0 && (policy->user < CFORCEFIELD_FIRST_USER || policy->user > CFORCEFIELD_LAST_USER)) {
        return cforcefield_policy_bad_user;
    }
    if (policy->profile != cforcefield_profile_compute) return cforcefield_policy_bad_profile;
    if (!are_good_limits(policy)) return cforcefield_policy_bad_limit;
    if (policy->zero != 0) return cforcefield_policy_not_zero;
    if (policy->file_count > CFORCEFIELD_MOST_FILES) return cforcefield_policy_bad_file;
    for (size_t index = 0; index < policy->file_count; index++) {
        if (!is_good_file(&policy->files[index])) return cforcefield_policy_bad_file;
    }
    size_t unused = CFORCEFIELD_MOST_FILES - policy->file_count;
    if (!is_zero(&policy->files[policy->file_count], unused * sizeof policy->files[0])) return cforcefield_policy_not_zero;
    return cforcefield_policy_accepted;
}

int cforcefield_policy_add_file(struct cforcefield_policy *policy, const char *host, const char *inside) {
    struct cforcefield_file file = {0};
    if (policy->file_count >= CFORCEFIELD_MOST_FILES) {
        errno = E2BIG;
        return -1;
    }
    if (strlen(host) < sizeof file.host) strcpy(file.host, host);
    if (strlen(inside) < sizeof file.inside) strcpy(file.inside, inside);
    if (!is_good_file(&file)) {
        errno = EINVAL;
        return -1;
    }
    struct stat status;
    if (stat(host, &status) != 0) return -1;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    file.device = status.st_dev;
    file.inode = status.st_ino;
    policy->files[policy->file_count++] = file;
    return 0;
}

int cforcefield_policy_seal(const struct cforcefield_policy *policy) {
    struct cforcefield_policy checked;
    if (cforcefield_policy_read(policy, sizeof *policy, &checked) != cforcefield_policy_accepted) {
        errno = EINVAL;
        return -1;
    }
    int descriptor = memfd_create("ff-policy", MFD_CLOEXEC | MFD_ALLOW_SEALING | mfd_noexec_seal);
    // Before Linux 6.3 there is no such flag; since then a system may refuse to go without (vm.memfd_noexec).
    if (descriptor < 0 && errno == EINVAL) descriptor = memfd_create("ff-policy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (pwrite(descriptor, &checked, sizeof checked, 0) == sizeof checked &&
        fcntl(descriptor, F_ADD_SEALS, all_seals) == 0) {
        return descriptor;
    }
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

int cforcefield_policy_open(int descriptor, struct cforcefield_policy *policy) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0) return -1;
    if ((seals & all_seals) != all_seals) {
        errno = EPERM;
        return -1;
    }
    // One byte more, so that a longer file is not taken for a policy.
    uint8_t bytes[sizeof *policy + 1];
    ssize_t count = pread(descriptor, bytes, sizeof bytes, 0);
    if (count < 0) return -1;
    if (cforcefield_policy_read(bytes, (size_t)count, policy) == cforcefield_policy_accepted) return 0;
    errno = EBADMSG;
    return -1;
}

#endif
