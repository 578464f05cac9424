#if defined(__linux__)
#define _GNU_SOURCE

#include "cforcefield_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system_calls.h"

// The whole environment of a worker. Swift's backtracer would look for itself through /proc and end the process; Dispatch
// would call syslog; more arenas of malloc would each reserve 128 MiB; without TZ the time zone is looked for in files.
static char *const environment[] = {
    "FORCEFIELD_STAGE=1", "SWIFT_ROOT=/", "SWIFT_BACKTRACE=enable=no", "LIBDISPATCH_LOG=NO", "MALLOC_ARENA_MAX=1",
    "TZ=UTC",             "LANG=C",       NULL,
};

enum { descriptor_count = cforcefield_target + 1 };

// A descriptor above those of the worker, so that putting one in its place never overwrites another that is still to be
// placed.
static int lift(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 2 * descriptor_count); }

static void close_all(const int *descriptors, size_t count) {
    int reason = errno;
    for (size_t index = 0; index < count; index++) {
        if (descriptors[index] >= 0) close(descriptors[index]);
    }
    errno = reason;
}

// A pair of which the first end is the host's and the second goes to the worker's number `to`.
static int make_pair(int type, int to, int *host, int *worker) {
    int ends[2];
    int made = type == 0 ? pipe2(ends, O_CLOEXEC) : socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends);
    if (made != 0) return -1;
    *host = ends[0];
    worker[to] = lift(ends[1]);
    close(ends[1]);
    return worker[to] < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 ? -1 : 0;
}

static int lift_to(int descriptor, int to, int *worker) {
    worker[to] = lift(descriptor);
    return worker[to] < 0 ? -1 : 0;
}

// Makes every descriptor, the worker's already lifted. What was made before an error is closed by the caller.
static int make_descriptors(
    const struct cforcefield_spawn_request *request, struct cforcefield_spawned *spawned, int *worker) {
    int null = request->input < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    int input = lift_to(null < 0 ? request->input : null, cforcefield_input, worker);
    if (null >= 0) close(null);
    if (input != 0) return -1;

    int policy = cforcefield_policy_seal(request->policy);
    if (policy < 0) return -1;
    int lifted = lift_to(policy, cforcefield_policy_memory, worker);
    close(policy);
    if (lifted != 0 || lift_to(request->program, cforcefield_program, worker) != 0) return -1;

    if (make_pair(SOCK_STREAM, cforcefield_channel, &spawned->channel, worker) != 0) return -1;
    if (make_pair(SOCK_SEQPACKET, cforcefield_control, &spawned->control, worker) != 0) return -1;
    if (make_pair(0, cforcefield_output, &spawned->output, worker) != 0) return -1;
    if ((request->policy->flags & cforcefield_policy_exec) == 0) {
        return lift_to(worker[cforcefield_output], cforcefield_errors, worker);
    }
    if (make_pair(0, cforcefield_errors, &spawned->errors, worker) != 0) return -1;
    return lift_to(request->target, cforcefield_target, worker);
}

// Puts each descriptor in its place and closes everything else. dup2 clears close-on-exec.
static int place_descriptors(posix_spawn_file_actions_t *actions, const int *worker) {
    int used = 0;
    for (int to = 0; to < descriptor_count; to++) {
        if (worker[to] < 0) continue;
        int error = posix_spawn_file_actions_adddup2(actions, worker[to], to);
        if (error != 0) return error;
        used = to + 1;
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, used);
}

// No signal blocked, ignored or handled, and a session of its own.
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error != 0) return error;
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

// posix_spawn and not fork: in the child of a host with threads every lock may be held for ever.
static int start(const struct cforcefield_spawn_request *request, const int *worker, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = place_descriptors(&actions, worker);
        if (error == 0) error = set_attributes(&attributes);
        // By descriptor: what the caller has checked and measured is what runs, whatever lies at its path by now.
        if (error == 0) {
            error = posix_spawn(
                process, "/proc/self/fd/6", &actions, &attributes, (char *const *)request->arguments, environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

_Static_assert(cforcefield_program == 6, "the path above names it");

int cforcefield_spawn(const struct cforcefield_spawn_request *request, struct cforcefield_spawned *spawned) {
    *spawned = (struct cforcefield_spawned){-1, -1, -1, -1, -1};
    int worker[descriptor_count] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int error = make_descriptors(request, spawned, worker) != 0 ? errno : start(request, worker, &spawned->process);
    close_all(worker, descriptor_count);
    if (error != 0) {
        close_all((int[]){spawned->channel, spawned->control, spawned->output, spawned->errors}, 4);
        *spawned = (struct cforcefield_spawned){-1, -1, -1, -1, -1};
    }
    return error;
}

int cforcefield_reap(int32_t process, int *status) {
    pid_t ended;
    do {
        ended = waitpid(process, status, 0);
    } while (ended < 0 && errno == EINTR);
    return ended < 0 ? -1 : 0;
}

// waitid tells how and with what apart; wait4's word has both.
static int status_word(const siginfo_t *information) {
    if (information->si_code == CLD_EXITED) return (information->si_status & 0xff) << 8;
    return information->si_status | (information->si_code == CLD_DUMPED ? 0x80 : 0);
}

int cforcefield_reap_pidfd(int pidfd, int *status) {
    siginfo_t information = {0};
    int ended;
    do {
        ended = waitid((idtype_t)3 /* P_PIDFD */, (id_t)pidfd, &information, WEXITED | WNOHANG);
    } while (ended != 0 && errno == EINTR);
    if (ended != 0) return -1;
    if (information.si_pid == 0) return 0;
    *status = status_word(&information);
    return 1;
}

int cforcefield_kill_pidfd(int pidfd) { return (int)syscall(native_pidfd_send_signal, pidfd, SIGKILL, NULL, 0); }

#endif
