#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Before that, libc kept nothing.
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define LIBC_KEEPS_RSEQ 1
#endif

#include "cforcefield_spawn.h"
#include "stage.h"
#include "system_calls.h"

// The first process of the PID namespace, and how the host hears of it.

// Tells the host the warden's pid, and gives it a descriptor that no later process of that pid can be mistaken for.
static int announce(int process, int pidfd) {
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_warden);
    record.warden.process = process;
    return stage_send_descriptor(cforcefield_control, &record, sizeof record, pidfd);
}

// Without a PID namespace this process itself becomes the warden.
static void announce_self(struct stage *stage) {
    int pidfd = (int)syscall(native_pidfd_open, getpid(), 0);
    if (pidfd < 0 || announce(getpid(), pidfd) != 0) stage_fail(stage, cforcefield_stage_clone, errno);
    close(pidfd);
}

// The process that made the namespaces is done when there is a first one in them. The two share their memory: a copy of all that
// the loader has prepared, and its removal, would take longer than all else that is done here. So the old process goes on with a
// stack of its own and touches nothing that the new one might: it tells the host, and ends. Both are the same program with the same
// rights, and no byte from outside has been read.
static struct {
    ucontext_t new_process, old_process;
    // 16 KiB are several times what is used. The new process leaves the second stack at once.
    _Alignas(16) char old_stack[16384];
    _Alignas(16) char entry_stack[16384];
    struct stage *stage;
} crossing;

static int cross(void *unused) {
    (void)unused;
    setcontext(&crossing.new_process);
    _exit(exit_stage_failed);
}

static void clone_and_end(void) {
    // CLONE_PARENT: the host's child rather than ours, so that the host can wait for it.
    int pidfd = -1;
    int process = clone(
        cross, crossing.entry_stack + sizeof crossing.entry_stack, CLONE_VM | CLONE_PARENT | CLONE_PIDFD | SIGCHLD, NULL,
        &pidfd);
    if (process < 0) stage_fail(crossing.stage, cforcefield_stage_clone, errno);
    if (announce(process, pidfd) == 0) _exit(0);
    // The host hears nothing any more. What the stage holds is the new process's now.
    syscall(native_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
    _exit(exit_stage_failed);
}

enum { unregister = 1 };

// Tells the kernel where libc keeps what the kernel writes for the running thread, or to write there no more: a process that is
// cloned with its memory begins without. Returns false where there is nothing to tell.
static bool register_rseq(int flags) {
#if LIBC_KEEPS_RSEQ
    if (__rseq_size == 0) return false;
    char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
    size_t length = (__rseq_size + sizeof(struct rseq) - 1) / sizeof(struct rseq) * sizeof(struct rseq);
    return syscall(native_rseq, area, length, flags, RSEQ_SIG) == 0;
#else
    (void)flags;
    return false;
#endif
}

void stage_clone(struct stage *stage) {
    if (!stage_has(stage, cforcefield_layer_pid)) {
        announce_self(stage);
        return;
    }
    // The warden reports nothing before it is announced: this end closes when the process before it has ended.
    int ordered[2];
    if (pipe2(ordered, O_CLOEXEC) != 0) stage_fail(stage, cforcefield_stage_clone, errno);
    crossing.stage = stage;
    if (getcontext(&crossing.old_process) != 0) stage_fail(stage, cforcefield_stage_clone, errno);
    crossing.old_process.uc_stack.ss_sp = crossing.old_stack;
    crossing.old_process.uc_stack.ss_size = sizeof crossing.old_stack;
    makecontext(&crossing.old_process, clone_and_end, 0);
    // The kernel writes nothing into this memory for the old process, neither while it runs nor when it ends.
    bool has_rseq = register_rseq(unregister);
    syscall(native_set_tid_address, NULL);
    if (swapcontext(&crossing.new_process, &crossing.old_process) != 0) stage_fail(stage, cforcefield_stage_clone, errno);
    // Here the new process goes on.
    if (has_rseq) register_rseq(0);
    close(ordered[1]);
    stage->announced = ordered[0];
}

#endif
