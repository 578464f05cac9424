// What stage 0 is told: one record of fixed size in a sealed memfd.
#pragma once

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

#define CFORCEFIELD_POLICY_MAGIC 0x31504646u // "FFP1"
#define CFORCEFIELD_POLICY_VERSION 1u

enum cforcefield_policy_flags {
    cforcefield_policy_wait_go = 1 << 0,     // Stage 0 waits for GO, which the host sends when it has put it into a cgroup.
    cforcefield_policy_exec = 1 << 1,        // Exec mode: descriptor 7 is a static executable of which nothing is trusted.
    cforcefield_policy_report = 1 << 2,      // What the filter forbids is answered EPERM and reported rather than killed.
    cforcefield_policy_lock_ready = 1 << 3,  // The lock is completed by cforcefield_lock_now rather than before main.
    cforcefield_policy_descriptors = 1 << 4, // Descriptors come with requests.
    cforcefield_policy_network = 1 << 5,     // Connected sockets come with requests; needs descriptors.
    cforcefield_policy_no_channel = 1 << 6,  // Exec mode: descriptor 3 is closed.
    cforcefield_policy_input = 1 << 7,       // Descriptor 0 is a regular file, open for reading only.
};

enum cforcefield_profile { cforcefield_profile_compute = 0 };

#define CFORCEFIELD_MOST_FILES 8
#define CFORCEFIELD_HOST_PATH_SIZE 256
#define CFORCEFIELD_INSIDE_PATH_SIZE 64

// A file of the host that the worker may read. Device and inode are those that the host saw: another file that has come in its
// place is refused.
struct cforcefield_file {
    uint64_t device, inode;
    char host[CFORCEFIELD_HOST_PATH_SIZE];     // absolute, ends with a zero
    char inside[CFORCEFIELD_INSIDE_PATH_SIZE]; // absolute, ends with a zero, no empty component, no `.` and no `..`
};

struct cforcefield_policy {
    uint32_t magic, version, size;
    uint32_t flags;            // of cforcefield_policy_flags
    uint32_t layers_off;       // of cforcefield_layer: not tried at all
    uint32_t layers_may_miss;  // of cforcefield_layer: tried, and done without if that fails
    uint32_t user;             // kernel uid and gid of the worker if the host is root; 0: the host's
    uint32_t profile;          // enum cforcefield_profile
    uint64_t memory_bytes;     // RLIMIT_AS and RLIMIT_DATA
    uint64_t stack_bytes;      // RLIMIT_STACK
    uint64_t lifetime_milliseconds; // after which the warden kills; 0: no end
    uint32_t cpu_seconds;      // of processor time until SIGXCPU; one later the warden kills
    uint32_t open_files;       // RLIMIT_NOFILE
    uint32_t processes;        // RLIMIT_NPROC
    uint32_t pending_signals;  // RLIMIT_SIGPENDING
    uint32_t file_count;
    uint32_t zero;
    struct cforcefield_file files[CFORCEFIELD_MOST_FILES];
};

// Why a policy is refused.
enum cforcefield_policy_refusal {
    cforcefield_policy_accepted = 0,
    cforcefield_policy_bad_size,
    cforcefield_policy_bad_magic,
    cforcefield_policy_bad_version,
    cforcefield_policy_bad_flags,
    cforcefield_policy_bad_layers,
    cforcefield_policy_bad_user,
    cforcefield_policy_bad_profile,
    cforcefield_policy_bad_limit,
    cforcefield_policy_bad_file,
    cforcefield_policy_not_zero, // what must be zero is not
};

// A distinct uid lies in this range, above those that systems hand out and below what is negative as a 32-bit number.
#define CFORCEFIELD_FIRST_USER 0x70000000u
#define CFORCEFIELD_LAST_USER 0x7ffeffffu

// RLIMIT_NOFILE must leave room for one beside those of the worker: the lock is made through descriptors, and a layer must not
// be missing for want of one.
#define CFORCEFIELD_FEWEST_OPEN_FILES 5u

// RLIMIT_NOFILE must leave the one-shot descriptors outside.
#define CFORCEFIELD_MOST_OPEN_FILES 199u

// A worker's lifetime is at most so many milliseconds, 34 years.
#define CFORCEFIELD_LONGEST_LIFETIME 0x10000000000ull

// A policy of the default limits, all layers, the host's uid, and no file.
void cforcefield_policy_make(struct cforcefield_policy *policy);

// Adds a file. host and inside as in cforcefield_file; device and inode are read from the file. Returns 0, or -1 with errno
// set: EINVAL a path that is no good, EISDIR a directory, E2BIG no more room, or what stat says.
int cforcefield_policy_add_file(struct cforcefield_policy *policy, const char *host, const char *inside);

// Reads a policy strictly: everything that is not known or not sensible is refused. `policy` is written in any case.
enum cforcefield_policy_refusal cforcefield_policy_read(
    const void *bytes, size_t count, struct cforcefield_policy *policy);

// A sealed memfd with the policy, close-on-exec; -1 with errno set, EINVAL if cforcefield_policy_read refuses it.
int cforcefield_policy_seal(const struct cforcefield_policy *policy);

// Reads a policy from a descriptor that must be a memfd with all seals. Returns 0, or -1 with errno set: EPERM if a seal is
// missing, EBADMSG if it is refused.
int cforcefield_policy_open(int descriptor, struct cforcefield_policy *policy);

#endif
