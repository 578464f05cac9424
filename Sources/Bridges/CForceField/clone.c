#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

// Before that, libc kept nothing.
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define LIBC_KEEPS_RSEQ 1
#endif

#include "cforcefield_filter.h"
#include "cforcefield_spawn.h"
#include "stage.h"
#include "system_calls.h"

// The two processes of a worker, made of the one that was loaded, and how the host hears of them.

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

// MARK: The worker's memory
//
// What the loader has prepared is to be the worker's as it is. In a copy each page of a library is looked up anew at its first
// use, which is half of the page faults of a dynamic worker; the warden needs few of them. So the warden is the copy, and the
// worker shares the memory with the process that was loaded, which ends.
//
// The worker has to be the warden's child. A process becomes that of the first one of its namespace when its own parent ends: so
// one process stands between, in the namespace, for as long as it takes to make the worker.
//
// The three run on stacks of their own and touch nothing that another might. They are one program with the same rights, and no
// byte from outside has been read.

static struct {
    ucontext_t worker, launcher;
    // 16 KiB are several times what is used. The worker leaves the last one at once.
    _Alignas(16) char launcher_stack[16384];
    _Alignas(16) char between_stack[16384];
    _Alignas(16) char entry_stack[16384];
    struct stage *stage;
    int warden, warden_pidfd;
    int *thread; // where libc has the number of the running thread; NULL where the kernel does not tell
    int error;   // why there is no worker; 0
} crossing;

// libc looks at its own note of who it is, for a signal to itself. The kernel was told where that is, and writes the worker's
// number there. Only kernels that can restore processes from a file tell it again.
static int *find_thread(void) {
    int *thread = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &thread, 0, 0, 0) != 0 || thread == NULL) return NULL;
    return *thread == syscall(native_gettid) ? thread : NULL;
}

static int cross(void *unused) {
    (void)unused;
    setcontext(&crossing.worker);
    _exit(exit_stage_failed);
}

static int make_worker(void *unused) {
    (void)unused;
    int flags = CLONE_VM | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
    char *stack = crossing.entry_stack + sizeof crossing.entry_stack;
    if (clone(cross, stack, flags, NULL, NULL, NULL, crossing.thread) < 0) crossing.error = errno;
    _exit(0);
}

// When this returns, the process between is gone and the worker is the warden's child.
static void make_between(void) {
    char *stack = crossing.between_stack + sizeof crossing.between_stack;
    int process = clone(make_worker, stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    if (process < 0) {
        crossing.error = errno;
        return;
    }
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}

// The end of the process that was loaded. The host hears of the warden also where there is no worker: the warden tells why.
_Noreturn static void announce_and_end(void) {
    if (announce(crossing.warden, crossing.warden_pidfd) != 0) {
        // The host hears nothing any more.
        syscall(native_pidfd_send_signal, crossing.warden_pidfd, SIGKILL, NULL, 0);
        _exit(exit_stage_failed);
    }
    if (crossing.error != 0) stage_fail(crossing.stage, cforcefield_stage_fork, crossing.error);
    _exit(0);
}

static void make_worker_and_end(void) {
    make_between();
    announce_and_end();
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

// Returns in the worker only, with the memory of the process that called this.
static void cross_over(struct stage *stage) {
    if (getcontext(&crossing.launcher) != 0) stage_fail(stage, cforcefield_stage_fork, errno);
    crossing.launcher.uc_stack.ss_sp = crossing.launcher_stack;
    crossing.launcher.uc_stack.ss_size = sizeof crossing.launcher_stack;
    makecontext(&crossing.launcher, make_worker_and_end, 0);
    // The kernel writes nothing into this memory for the process that ends, neither while it runs nor when it ends.
    bool has_rseq = register_rseq(unregister);
    syscall(native_set_tid_address, NULL);
    void *robust_list = NULL;
    size_t robust_length = 0;
    bool has_robust_list = syscall(native_get_robust_list, 0, &robust_list, &robust_length) == 0 && robust_list != NULL;
    if (swapcontext(&crossing.worker, &crossing.launcher) != 0) stage_fail(stage, cforcefield_stage_fork, errno);
    // Here the worker goes on.
    if (has_rseq) register_rseq(0);
    if (has_robust_list) syscall(native_set_robust_list, robust_list, robust_length);
}

// MARK: Warden and worker

// The worker's end of the hand-off pair gets its number, and the warden is told the worker's.
static void become_worker(struct stage *stage, const int *pair) {
    close(pair[0]);
    stage->handoff = pair[1];
    if (dup3(pair[1], CFORCEFIELD_HANDOFF, O_CLOEXEC) < 0) stage_fail(stage, cforcefield_stage_fork, errno);
    close(pair[1]);
    stage->handoff = CFORCEFIELD_HANDOFF;
    struct handoff text = {.kind = handoff_worker, .process = getpid()};
    if (write(stage->handoff, &text, sizeof text) != sizeof text) stage_fail(stage, cforcefield_stage_fork, errno);
}

_Noreturn static void become_warden(struct stage *stage, const int *pair) {
    close(pair[1]);
    stage->warden_handoff = pair[0];
    warden_run(stage);
}

// Where the memory cannot be the worker's, its copy is: by libc's fork, so that libc knows who it is. Returns in the worker only.
static void fork_worker(struct stage *stage, const int *pair) {
    stage->warden = getpid();
    pid_t worker = fork();
    if (worker < 0) stage_fail(stage, cforcefield_stage_fork, errno);
    if (worker > 0) become_warden(stage, pair);
    become_worker(stage, pair);
}

void stage_processes(struct stage *stage) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) stage_fail(stage, cforcefield_stage_fork, errno);
    if (!stage_has(stage, cforcefield_layer_pid)) {
        announce_self(stage);
        fork_worker(stage, pair);
        return;
    }
    // Neither of the two goes on before the warden is announced: this end closes when the process before them has ended.
    int ordered[2];
    if (pipe2(ordered, O_CLOEXEC) != 0) stage_fail(stage, cforcefield_stage_clone, errno);
    crossing.stage = stage;
    crossing.thread = find_thread();
    // CLONE_PARENT: the host's child rather than ours, so that the host can wait for it. The same on both architectures, as nothing
    // is given but the third argument.
    crossing.warden =
        (int)syscall(native_clone, CLONE_PARENT | CLONE_PIDFD | SIGCHLD, NULL, &crossing.warden_pidfd, NULL, NULL);
    if (crossing.warden < 0) stage_fail(stage, cforcefield_stage_clone, errno);
    if (crossing.warden > 0 && crossing.thread == NULL) announce_and_end();
    if (crossing.warden > 0) {
        // The number that the warden has in its namespace, of which it is the first process.
        stage->warden = 1;
        stage->handoff = pair[1];
        cross_over(stage);
    }
    bool is_warden = crossing.warden == 0;
    close(ordered[1]);
    stage->announced = ordered[0];
    if (is_warden && crossing.thread == NULL) {
        fork_worker(stage, pair);
    } else if (is_warden) {
        become_warden(stage, pair);
    } else {
        close(crossing.warden_pidfd);
        become_worker(stage, pair);
    }
}

// The worker dies with the warden, also without a PID namespace.
void stage_tie_to_warden(struct stage *stage) {
    // Until the process between is gone, it is the parent, whose end would be the worker's.
    stage_wait_until_announced(stage);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) stage_fail(stage, cforcefield_stage_die, errno);
    // It may have died before the line above.
    if (getppid() != stage->warden) _exit(exit_stage_failed);
}

#endif
