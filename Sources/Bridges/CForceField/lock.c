#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "cforcefield_lock.h"
#include "stage.h"
#include "system_calls.h"

// struct sock_fprog of linux/filter.h
struct program {
    unsigned short length;
    struct cforcefield_instruction *instructions;
};

// No other process of the same uid may look into the memory. After an exec a process is dumpable again; then namespaces and
// uid protect it.
static void make_not_dumpable(struct stage *stage) {
    if (!stage_wants(stage, cforcefield_layer_not_dumpable)) return;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        stage_miss(stage, cforcefield_layer_not_dumpable, cforcefield_stage_dumpable);
    } else if (!stage_has_flag(stage, cforcefield_policy_exec)) {
        stage->layers |= cforcefield_layer_not_dumpable;
    }
}

static uint32_t filter_options(const struct stage *stage) {
    uint32_t options = 0;
    if (stage_has_flag(stage, cforcefield_policy_exec)) options |= cforcefield_filter_exec;
    if (stage_has_flag(stage, cforcefield_policy_descriptors)) options |= cforcefield_filter_descriptors;
    if (stage_has_flag(stage, cforcefield_policy_network)) options |= cforcefield_filter_network;
    // Files that are for the time before the lock cannot be opened after it.
    bool files = stage->policy.file_count > 0 && !stage_has_flag(stage, cforcefield_policy_lock_ready);
    if (files) options |= cforcefield_filter_files;
    if (!stage_has(stage, cforcefield_layer_empty_root)) options |= cforcefield_filter_host_root;
    return options;
}

// Installs a filter on every thread. Returns the listener if notify is among the options, else 0; -1 with errno set.
static int install(uint32_t options) {
    struct cforcefield_instruction instructions[CFORCEFIELD_MOST_INSTRUCTIONS];
    size_t length = cforcefield_filter_build(
        cforcefield_native_architecture(), options, getpid(), instructions, CFORCEFIELD_MOST_INSTRUCTIONS);
    if (length == 0) {
        errno = E2BIG;
        return -1;
    }
    struct program program = {(unsigned short)length, instructions};
    unsigned long flags = SECCOMP_FILTER_FLAG_TSYNC;
    if (options & cforcefield_filter_notify) flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
    int result = (int)syscall(native_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result <= 0 || (options & cforcefield_filter_notify) != 0) return result;
    // The thread that could not follow.
    errno = ESRCH;
    return -1;
}

// The listener is the warden's, and nothing of it stays here: who held it could answer for the warden.
static void hand_over(struct stage *stage, int listener) {
    struct handoff text = {.kind = handoff_listener};
    if (stage_send_descriptor(stage->handoff, &text, sizeof text, listener) != 0) {
        stage_fail(stage, cforcefield_stage_handoff, errno);
    }
    close(listener);
}

static void install_first(struct stage *stage, uint32_t options) {
    if (stage_wants(stage, cforcefield_layer_notify)) {
        int listener = install(options | cforcefield_filter_notify);
        if (listener >= 0) {
            stage->layers |= cforcefield_layer_seccomp | cforcefield_layer_notify;
            hand_over(stage, listener);
            return;
        }
        stage_miss(stage, cforcefield_layer_notify, cforcefield_stage_seccomp);
    }
    if (install(options) == 0) {
        stage->layers |= cforcefield_layer_seccomp;
    } else {
        stage_miss(stage, cforcefield_layer_seccomp, cforcefield_stage_seccomp);
    }
}

// No process but a worker gets these answers. Raw, since libc might know better.
int cforcefield_is_confined(void) {
    return syscall(native_getppid) == -1 && errno == EPERM &&
           syscall(native_socket, AF_UNIX, SOCK_STREAM, 0) == -1 && errno == EACCES;
}

// Proves that the filter answers: three calls that fail as they should fail, and no other way.
static void check(struct stage *stage) {
    if (!stage_has(stage, cforcefield_layer_seccomp)) return;
    bool ok = cforcefield_is_confined() == 1;
    if ((filter_options(stage) & cforcefield_filter_files) == 0) {
        ok = ok && syscall(native_openat, AT_FDCWD, "/", O_RDONLY, 0) == -1 && errno == ENOENT;
    }
    if (!ok) _exit(exit_not_locked);
}

static void complete(struct stage *stage) {
    struct handoff text = {
        .kind = handoff_complete, .layers = stage->layers, .landlock_abi = stage->landlock_abi};
    if (write(stage->handoff, &text, sizeof text) != sizeof text) {
        stage_fail(stage, cforcefield_stage_handoff, errno);
    }
    // In exec mode the exec closes it, so that it can still tell if that fails.
    if (!stage_has_flag(stage, cforcefield_policy_exec)) close(stage->handoff);
}

// A filter that lets files be opened sees no paths: some layer has to know which files those are, or all of the host's are.
static void check_files(struct stage *stage, uint32_t options) {
    if ((options & cforcefield_filter_files) == 0) return;
    if (stage_has(stage, cforcefield_layer_empty_root) || stage_has(stage, cforcefield_layer_landlock)) return;
    stage_fail(stage, cforcefield_stage_landlock, EACCES);
}

void stage_lock(struct stage *stage) {
    uint32_t options = filter_options(stage);
    stage_landlock(stage);
    check_files(stage, options);
    if (!stage_has_flag(stage, cforcefield_policy_lock_ready)) {
        make_not_dumpable(stage);
        if (stage_wants(stage, cforcefield_layer_seccomp)) {
            if (options & cforcefield_filter_exec) stage_install_ticket(stage);
            install_first(stage, options);
        }
    } else if (stage_has(stage, cforcefield_layer_seccomp)) {
        if (install(options | cforcefield_filter_after_ready) != 0) {
            stage_fail(stage, cforcefield_stage_seccomp, errno);
        }
    }
    check(stage);
    complete(stage);
}

void stage_lock_before_ready(struct stage *stage) {
    make_not_dumpable(stage);
    if (stage_wants(stage, cforcefield_layer_seccomp)) {
        // The loader looks at what it maps.
        uint32_t options = filter_options(stage) & ~(uint32_t)cforcefield_filter_host_root;
        install_first(stage, options | cforcefield_filter_before_ready);
    }
}

#endif
