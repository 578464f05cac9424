#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stage.h"
#include "system_calls.h"

// What the kernel grants a host and its children alike, and no worker should have. Giving it up takes no right.
//
// Control groups, cpusets and the weight of the host's autogroup stay: the worker may use them up beside its host.

// A host that the kernel spares when memory runs out has workers that it does not spare. Needs /proc and the host's own uid;
// without /proc the worker keeps the score.
void stage_out_of_memory_score(void) {
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    char text[16] = {0};
    ssize_t count = read(file, text, sizeof text - 1);
    if (count > 0 && strtol(text, NULL, 10) < 0) {
        // Less protection is anybody's to take, so this fails only where the file is read-only: then the worker keeps it.
        count = pwrite(file, "0", 1, 0);
    }
    close(file);
}

// A host whose crashes write no core files has the limit 0, with which the kernel feeds the program that core_pattern names all the
// same. Only root can raise it to the 1 that stops both; where it cannot be raised, it stays.
void stage_core_limit(void) {
    struct rlimit now, one = {1, 1};
    if (getrlimit(RLIMIT_CORE, &now) == 0 && now.rlim_max == 0) setrlimit(RLIMIT_CORE, &one);
}

// A worker in a class of real time would leave no time to others, a niced one less than its share.
void stage_scheduling(struct stage *stage) {
    long class = syscall(native_sched_getscheduler, 0);
    if (class < 0) stage_fail(stage, cforcefield_stage_rlimits, errno);
    class &= ~(long)SCHED_RESET_ON_FORK;
    if (class == SCHED_FIFO || class == SCHED_RR || class == SCHED_DEADLINE) {
        // Raw: not every libc has it. struct sched_param is one int.
        int priority = 0;
        if (syscall(native_sched_setscheduler, 0, SCHED_NORMAL, &priority) != 0) {
            stage_fail(stage, cforcefield_stage_rlimits, errno);
        }
    }
    errno = 0;
    if (getpriority(PRIO_PROCESS, 0) < 0 && errno == 0 && setpriority(PRIO_PROCESS, 0, 0) != 0) {
        stage_fail(stage, cforcefield_stage_rlimits, errno);
    }
}

#endif
