// The system-call filter of a worker: a program of classic BPF, built for an architecture that need not be the machine's own,
// so that it can be tested anywhere by an interpreter.
#pragma once

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

// AUDIT_ARCH_* of linux/audit.h, as the kernel names the architecture of a call.
#define CFORCEFIELD_X86_64 0xC000003Eu
#define CFORCEFIELD_AARCH64 0xC00000B7u

// The architecture this was compiled for.
uint32_t cforcefield_native_architecture(void);

// One instruction: struct sock_filter of linux/filter.h.
struct cforcefield_instruction {
    uint16_t code;
    uint8_t jump_true, jump_false;
    uint32_t k;
};

// More than any filter built here needs; the kernel's own limit is 4,096.
#define CFORCEFIELD_MOST_INSTRUCTIONS 1024

// A descriptor that the worker executes in exec mode, and one by which it hands the listener to the warden. Both lie above
// RLIMIT_NOFILE of the worker: once closed, nothing can have their numbers again.
#define CFORCEFIELD_EXECUTABLE 200
#define CFORCEFIELD_HANDOFF 250

enum cforcefield_filter_options {
    cforcefield_filter_notify = 1 << 0,       // What is forbidden is reported to the warden rather than killed by the kernel.
    cforcefield_filter_exec = 1 << 1,         // execveat of CFORCEFIELD_EXECUTABLE and what static glibc asks for at start.
    cforcefield_filter_files = 1 << 2,        // openat for reading: there are capability files.
    cforcefield_filter_descriptors = 1 << 3,  // recvmsg and pread64: descriptors come with requests.
    cforcefield_filter_network = 1 << 4,      // shutdown: connected sockets come with requests.
    cforcefield_filter_before_ready = 1 << 5, // Coarser: openat for reading, executable maps and the lock itself.
    cforcefield_filter_after_ready = 1 << 6,  // Only what before_ready allowed too much; to be laid over it.
    cforcefield_filter_host_root = 1 << 7,    // The root is not empty: no path may be looked at, which costs libc its fstat(). Not with before_ready.
};

// Builds the filter of profile `compute`.
//
// architecture: CFORCEFIELD_X86_64 or CFORCEFIELD_AARCH64. options: of cforcefield_filter_options, or-ed. process: the
// worker's own pid as it sees it, the only one that tgkill may name. Returns the number of instructions, 0 if the
// architecture is another or capacity too small.
size_t cforcefield_filter_build(
    uint32_t architecture, uint32_t options, int32_t process, struct cforcefield_instruction *program, size_t capacity);

// Builds the filter of the warden. group: what kill may name, -1 (everything in the PID namespace) or minus a process group.
size_t cforcefield_filter_build_warden(
    uint32_t architecture, int32_t group, struct cforcefield_instruction *program, size_t capacity);

// The name of a system call, NULL if there is none of that number.
const char *cforcefield_system_call_name(uint32_t architecture, uint32_t number);

// The number of a system call, -1 if there is none of that name.
int32_t cforcefield_system_call_number(uint32_t architecture, const char *name);

#endif
