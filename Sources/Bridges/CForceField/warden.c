#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "cforcefield_spawn.h"
#include "stage.h"
#include "system_calls.h"

// The first process of the namespace. It outlives the worker by one record, tells the host what happened, keeps the time, and
// by its own end makes the kernel end whatever is left.

struct warden {
    struct stage *stage;
    int worker;   // pid of the worker as the warden sees it, and number of its process group
    int pidfd;    // of the worker
    int listener; // of the worker's filter; -1: none, or the worker is being killed
    int handoff;  // -1 when the worker has closed its end
    bool is_complete, is_started;
    struct handoff facts;
    struct timespec begin;
    // Milliseconds since begin at which the worker is killed; -1: never.
    int64_t background, lifetime;
    clockid_t processor_time; // of the worker
    bool was_warned;          // that its processor time is used up
};

static int64_t nanoseconds_since(const struct timespec *begin) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - begin->tv_sec) * 1000000000 + (now.tv_nsec - begin->tv_nsec);
}

static int64_t milliseconds(const struct warden *warden) { return nanoseconds_since(&warden->begin) / 1000000; }

static void kill_worker(struct warden *warden) {
    syscall(native_pidfd_send_signal, warden->pidfd, SIGKILL, NULL, 0);
    // A call that waits for an answer gets ENOSYS, on its way to the signal.
    if (warden->listener >= 0) close(warden->listener);
    warden->listener = -1;
}

// The host is gone, or says what makes no sense: nothing may be left.
_Noreturn static void give_up(struct warden *warden) {
    kill_worker(warden);
    kill(-warden->worker, SIGKILL);
    _exit(1);
}

// Sends without waiting: a host that is stopped must not stop the clock.
static void tell(const struct cforcefield_record *record) { cforcefield_control_send(cforcefield_control, record); }

// The last record waits for room: the worker is dead by now, and there is nothing else to do.
static void tell_last(const struct cforcefield_record *record) {
    while (cforcefield_control_send(cforcefield_control, record) != 0 && errno == EAGAIN) {
        struct pollfd writable = {.fd = cforcefield_control, .events = POLLOUT};
        poll(&writable, 1, -1);
    }
}

static void tell_started(struct warden *warden) {
    if (warden->is_started || !warden->is_complete) return;
    warden->is_started = true;
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_started);
    record.started.layers = warden->facts.layers;
    record.started.landlock_abi = warden->facts.landlock_abi;
    record.started.worker = warden->worker;
    record.started.nanoseconds = (uint64_t)nanoseconds_since(&warden->stage->begin);
    tell(&record);
}

static void tell_failed(const struct handoff *text) {
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_stage_failed);
    record.stage_failed.stage = text->stage;
    record.stage_failed.error = text->error;
    tell(&record);
}

// Takes what the worker says before it is locked; afterwards nobody has the other end. Returns 0 when there is no more.
static int take_handoff(struct warden *warden) {
    struct handoff text;
    struct iovec part = {&text, sizeof text};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } ancillary;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    ssize_t count = recvmsg(warden->handoff, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (count != sizeof text) {
        // In exec mode this is the exec itself.
        close(warden->handoff);
        warden->handoff = -1;
        tell_started(warden);
        return 0;
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (text.kind == handoff_listener && header != NULL && header->cmsg_type == SCM_RIGHTS) {
        memcpy(&warden->listener, CMSG_DATA(header), sizeof warden->listener);
    } else if (text.kind == handoff_complete) {
        warden->facts = text;
        warden->is_complete = true;
        if (!stage_has_flag(warden->stage, cforcefield_policy_exec)) tell_started(warden);
    } else if (text.kind == handoff_failed) {
        warden->is_complete = false;
        tell_failed(&text);
    }
    return 1;
}

// The call waits in the kernel until it is answered. It is never allowed after all: what its arguments point to may change.
static void take_violation(struct warden *warden) {
    struct seccomp_notif call = {0};
    if (ioctl(warden->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) {
        // The caller was killed in the meantime, or all callers are gone. Otherwise it waits for an answer that never comes.
        if (errno != ENOENT && errno != EINTR) kill_worker(warden);
        return;
    }
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_violation);
    record.violation.number = (uint32_t)call.data.nr;
    record.violation.architecture = call.data.arch;
    record.violation.instruction = call.data.instruction_pointer;
    memcpy(record.violation.arguments, call.data.args, sizeof record.violation.arguments);
    record.violation.thread = call.pid;
    tell(&record);
    if (stage_has_flag(warden->stage, cforcefield_policy_report)) {
        struct seccomp_notif_resp answer = {.id = call.id, .error = -EPERM};
        ioctl(warden->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    } else {
        kill_worker(warden);
    }
}

static void take_control(struct warden *warden) {
    struct cforcefield_record record;
    int pidfd;
    int received = cforcefield_control_receive(cforcefield_control, &record, &pidfd);
    if (received < 0 && errno == EAGAIN) return;
    if (received != 1 || pidfd >= 0) give_up(warden);
    switch (record.kind) {
    case cforcefield_kill: kill_worker(warden); break;
    case cforcefield_background: warden->background = milliseconds(warden) + record.background.grace_milliseconds; break;
    case cforcefield_foreground: warden->background = -1; break;
    default: give_up(warden);
    }
}

// Ends the worker for a limit. The host may be stopped, so this does not wait for it.
static void end_for(struct warden *warden, enum cforcefield_limit_kind which) {
    // Before the start no limit is told: to the host it never started.
    if (warden->is_started) {
        struct cforcefield_record record;
        cforcefield_record_make(&record, cforcefield_limit);
        record.limit.which = which;
        tell(&record);
    }
    kill_worker(warden);
}

static void enforce(struct warden *warden, int64_t *time, enum cforcefield_limit_kind which) {
    if (*time < 0 || milliseconds(warden) < *time) return;
    *time = -1;
    end_for(warden, which);
}

static const int64_t nanoseconds_per_second = 1000000000;

// First SIGXCPU, which tells why; a worker that goes on is killed one second of its time later, and the host is told. The
// kernel's own limit counts ticks: on a busy machine it comes early, and a worker that sleeps at each tick never meets it.
static void enforce_processor_time(struct warden *warden) {
    struct timespec used;
    if (clock_gettime(warden->processor_time, &used) != 0) return; // it has ended
    int64_t soft = (int64_t)warden->stage->policy.cpu_seconds * nanoseconds_per_second;
    int64_t over = (int64_t)used.tv_sec * nanoseconds_per_second + used.tv_nsec - soft;
    if (over < 0) return;
    if (!warden->was_warned) {
        // Also if this comes so late that it has used up everything: what ends it is then the same on any machine.
        warden->was_warned = true;
        syscall(native_pidfd_send_signal, warden->pidfd, SIGXCPU, NULL, 0);
    } else if (over >= nanoseconds_per_second) {
        end_for(warden, cforcefield_limit_processor_time);
    }
}

static void wake(int signal) { (void)signal; }

// A signal at the soft limit and for each second beyond it, by the kernel, so that a worker that waits costs nothing. It is
// blocked but while the warden waits for something to happen, so that none is missed.
static void watch_processor_time(struct warden *warden) {
    struct sigaction action = {.sa_handler = wake};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec time = {.it_value.tv_sec = warden->stage->policy.cpu_seconds, .it_interval.tv_sec = 1};
    timer_t timer;
    int error = clock_getcpuclockid(warden->worker, &warden->processor_time);
    if (error != 0) stage_fail(warden->stage, cforcefield_stage_rlimits, error);
    if (sigaction(SIGALRM, &action, NULL) != 0 || sigprocmask(SIG_BLOCK, &signals, NULL) != 0 ||
        timer_create(warden->processor_time, &event, &timer) != 0 || timer_settime(timer, 0, &time, NULL) != 0) {
        stage_fail(warden->stage, cforcefield_stage_rlimits, errno);
    }
}

// Waits until something happens, or until the next time that something is due.
static int wait_for_any(const struct warden *warden, struct pollfd *watched, size_t count) {
    sigset_t none;
    sigemptyset(&none);
    int64_t next = warden->background;
    if (next < 0 || (warden->lifetime >= 0 && warden->lifetime < next)) next = warden->lifetime;
    if (next < 0) return ppoll(watched, count, NULL, &none);
    int64_t left = next - milliseconds(warden);
    if (left < 0) left = 0;
    struct timespec time = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
    return ppoll(watched, count, &time, &none);
}

static uint64_t microseconds(struct timeval time) { return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec; }

// The worker has ended. What it did before that comes first: the end of the hand-off pair, and why it could not start.
_Noreturn static void finish(struct warden *warden) {
    while (warden->handoff >= 0 && take_handoff(warden)) {}
    // Its process group; in a namespace of its own the kernel ends the rest when the warden ends, and waits for it. Before the
    // wait: after it the number may be another's.
    kill(-warden->worker, SIGKILL);
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    int status = 0;
    while (wait4(warden->worker, &status, 0, &usage) < 0 && errno == EINTR) {}
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_exited);
    record.exited.status = status;
    record.exited.user_microseconds = microseconds(usage.ru_utime);
    record.exited.system_microseconds = microseconds(usage.ru_stime);
    record.exited.most_resident_kib = (uint64_t)usage.ru_maxrss;
    record.exited.wall_microseconds = (uint64_t)nanoseconds_since(&warden->begin) / 1000;
    tell_last(&record);
    _exit(0);
}

enum { watch_control, watch_handoff, watch_listener, watch_worker, watch_count };

_Noreturn static void watch(struct warden *warden) {
    for (;;) {
        struct pollfd watched[watch_count] = {
            [watch_control] = {.fd = cforcefield_control, .events = POLLIN},
            [watch_handoff] = {.fd = warden->handoff, .events = POLLIN},
            [watch_listener] = {.fd = warden->listener, .events = POLLIN},
            [watch_worker] = {.fd = warden->pidfd, .events = POLLIN},
        };
        if (wait_for_any(warden, watched, watch_count) < 0 && errno != EINTR) give_up(warden);
        if (watched[watch_control].revents != 0) take_control(warden);
        // All of it, also what came since poll looked: the worker's start is told before what it did next.
        while (warden->handoff >= 0 && take_handoff(warden)) {}
        enforce(warden, &warden->background, cforcefield_limit_background);
        enforce(warden, &warden->lifetime, cforcefield_limit_lifetime);
        enforce_processor_time(warden);
        if (warden->listener >= 0 && (watched[watch_listener].revents & POLLIN) != 0) take_violation(warden);
        if (watched[watch_worker].revents != 0) finish(warden);
        // The filter has no task any more; its descriptor would be ready for ever.
        if (warden->listener >= 0 && (watched[watch_listener].revents & POLLHUP) != 0) {
            close(warden->listener);
            warden->listener = -1;
        }
    }
}

// The warden keeps its control channel, its end of the hand-off pair and the worker's pidfd. The worker's output must not be
// among them: the host would never see its end.
static void keep_descriptors(struct warden *warden) {
    struct stage *stage = warden->stage;
    dup2(0, 1);
    dup2(0, 2);
    close(3);
    int low = warden->handoff < warden->pidfd ? warden->handoff : warden->pidfd;
    int high = warden->handoff < warden->pidfd ? warden->pidfd : warden->handoff;
    if (low > 5) stage_close_between(stage, 5, (unsigned)low - 1);
    if (high > low + 1) stage_close_between(stage, (unsigned)low + 1, (unsigned)high - 1);
    stage_close_between(stage, (unsigned)high + 1, ~0u);
}

static void install_filter(struct warden *warden) {
    if (!stage_wants(warden->stage, cforcefield_layer_seccomp)) return;
    struct cforcefield_instruction instructions[CFORCEFIELD_MOST_INSTRUCTIONS];
    size_t length = cforcefield_filter_build_warden(
        cforcefield_native_architecture(), -warden->worker, instructions, CFORCEFIELD_MOST_INSTRUCTIONS);
    struct {
        unsigned short length;
        struct cforcefield_instruction *instructions;
    } program = {(unsigned short)length, instructions};
    if (syscall(native_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
        stage_miss(warden->stage, cforcefield_layer_seccomp, cforcefield_stage_seccomp);
    }
}

// The number of the worker, by its own word, which is the first one on the hand-off pair. Without one there is no worker.
static int wait_for_worker(struct stage *stage) {
    struct handoff text;
    ssize_t count;
    do {
        count = read(stage->warden_handoff, &text, sizeof text);
    } while (count < 0 && errno == EINTR);
    if (count == sizeof text && text.kind == handoff_worker) return text.process;
    bool is_told = count == sizeof text && text.kind == handoff_failed;
    stage_fail(stage, is_told ? text.stage : cforcefield_stage_fork, is_told ? text.error : ESRCH);
}

void warden_run(struct stage *stage) {
    int worker = wait_for_worker(stage);
    struct warden warden = {
        .stage = stage,
        .worker = worker,
        .pidfd = (int)syscall(native_pidfd_open, worker, 0),
        .listener = -1,
        .handoff = stage->warden_handoff,
        .background = -1,
        .lifetime = stage->policy.lifetime_milliseconds > 0 ? (int64_t)stage->policy.lifetime_milliseconds : -1,
    };
    clock_gettime(CLOCK_MONOTONIC, &warden.begin);
    if (warden.pidfd < 0) stage_fail(stage, cforcefield_stage_fork, errno);
    watch_processor_time(&warden);
    stage_wait_until_announced(stage);
    stage_privileges(stage);
    keep_descriptors(&warden);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    install_filter(&warden);
    watch(&warden);
}

#endif
