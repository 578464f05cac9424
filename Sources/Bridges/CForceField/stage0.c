#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "cforcefield_lock.h"
#include "cforcefield_spawn.h"
#include "stage.h"
#include "system_calls.h"

// Of this process: it locks itself, and itself only.
static struct stage stage;
static bool is_worker, is_unlocked;
static const char *name;

static void read_policy(struct stage *stage) {
    if (cforcefield_policy_open(cforcefield_policy_memory, &stage->policy) != 0) {
        stage_fail(stage, cforcefield_stage_policy, errno);
    }
    close(cforcefield_policy_memory);
    // What was executed needs no descriptor any more.
    close(cforcefield_program);
    // Removing moves nothing; adding would move the environment off the stack, where Swift looks for the arguments behind it.
    unsetenv("FORCEFIELD_STAGE");
}

// The host has put this process into a cgroup.
static void wait_go(struct stage *stage) {
    if (!stage_has_flag(stage, cforcefield_policy_wait_go)) return;
    struct pollfd readable = {.fd = cforcefield_control, .events = POLLIN};
    while (poll(&readable, 1, -1) < 0 && errno == EINTR) {}
    struct cforcefield_record record;
    int pidfd;
    int received = cforcefield_control_receive(cforcefield_control, &record, &pidfd);
    if (received != 1 || record.kind != cforcefield_go) {
        stage_fail(stage, cforcefield_stage_go, received < 0 ? errno : EPROTO);
    }
    stage->layers |= cforcefield_layer_cgroup;
}

// The one-shot descriptors have numbers that the host's soft limit may not reach.
static void allow_descriptors(struct stage *stage) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) stage_fail(stage, cforcefield_stage_policy, errno);
    if (limit.rlim_cur > CFORCEFIELD_HANDOFF) return;
    if (limit.rlim_max <= CFORCEFIELD_HANDOFF) stage_fail(stage, cforcefield_stage_policy, EMFILE);
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) stage_fail(stage, cforcefield_stage_policy, errno);
}

// The steps that warden and worker share, which have nothing in common with the host then but the descriptors.
static void leave_host(struct stage *stage) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) stage_fail(stage, cforcefield_stage_no_new_privileges, errno);
    stage_out_of_memory_score();
    stage_core_limit();
    bool exec = stage_has_flag(stage, cforcefield_policy_exec);
    if (exec) stage_open_executable(stage);
    stage_principal(stage);
    if (exec) stage_copy_executable(stage);
    stage_maps(stage);
    stage_root(stage);
    stage_uts(stage);
    stage_bound_privileges(stage);
}

static void execute(struct stage *stage, char **arguments) {
    syscall(native_execveat, CFORCEFIELD_EXECUTABLE, "", arguments, environ, AT_EMPTY_PATH, stage->ticket);
    stage_fail(stage, cforcefield_stage_execute, errno);
}

// Before the constructors of the program's own code, and before any thread. Shared libraries are initialised already; they are
// trusted, and have seen no byte from outside.
__attribute__((constructor(101))) static void run(int count, char **arguments, char **variables) {
    (void)variables;
    const char *asked = getenv("FORCEFIELD_STAGE");
    if (asked == NULL || strcmp(asked, "1") != 0) return;
    is_worker = true;
    name = count > 0 ? arguments[0] : "";
    stage.announced = stage.handoff = stage.warden_handoff = -1;
    clock_gettime(CLOCK_MONOTONIC, &stage.begin);
    read_policy(&stage);
    // It was executed by the number of a descriptor, and would be called that.
    prctl(PR_SET_NAME, name, 0, 0, 0);
    umask(022);
    allow_descriptors(&stage);
    wait_go(&stage);
    leave_host(&stage);
    stage_processes(&stage);
    if (setsid() < 0) stage_fail(&stage, cforcefield_stage_die, errno);
    stage_scheduling(&stage);
    stage_rlimits(&stage);
    stage_privileges(&stage);
    stage_tie_to_warden(&stage);
    stage_descriptors(&stage);
    if (stage_has_flag(&stage, cforcefield_policy_lock_ready)) {
        stage_lock_before_ready(&stage);
        is_unlocked = true;
        return;
    }
    stage_lock(&stage);
    if (stage_has_flag(&stage, cforcefield_policy_exec)) execute(&stage, arguments);
}

int cforcefield_is_worker(void) { return is_worker; }

const char *cforcefield_worker_name(void) { return name; }

int cforcefield_lock_now(void) {
    if (!is_unlocked) {
        errno = EALREADY;
        return -1;
    }
    is_unlocked = false;
    stage_lock(&stage);
    return 0;
}

#endif
