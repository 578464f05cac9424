#if defined(__linux__)
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cforcefield_audit.h"
#include "cforcefield_control.h"
#include "cforcefield_filter.h"
#include "cforcefield_spawn.h"
#include "worker.h"

struct running {
    struct cforcefield_spawned spawned;
    int pidfd, warden;
    uint32_t layers;
    double microseconds; // from spawn to STARTED
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int wait_record(int control, struct cforcefield_record *record, int *pidfd) {
    struct pollfd readable = {.fd = control, .events = POLLIN};
    if (poll(&readable, 1, 5000) != 1) return -1;
    return cforcefield_control_receive(control, record, pidfd);
}

static int start(const char *program, uint32_t off, struct running *running) {
    struct cforcefield_policy policy;
    cforcefield_policy_make(&policy);
    policy.layers_off = off;
    if (geteuid() == 0) policy.user = CFORCEFIELD_FIRST_USER + 1;
    // Root of a user namespace of one id has no other to give.
    policy.layers_may_miss |= cforcefield_layer_distinct_uid;
    const char *arguments[] = {"probe", NULL};
    struct cforcefield_spawn_request request = {
        .policy = &policy, .program = open(program, O_RDONLY | O_CLOEXEC), .target = -1, .input = -1, .arguments = arguments};
    double begin = now();
    int error = cforcefield_spawn(&request, &running->spawned);
    close(request.program);
    if (error != 0) {
        printf("spawn: %s\n", strerror(error));
        return -1;
    }
    struct cforcefield_record record;
    int pidfd;
    while (wait_record(running->spawned.control, &record, &pidfd) == 1) {
        if (record.kind == cforcefield_warden) {
            running->pidfd = pidfd;
            running->warden = record.warden.process;
        } else if (record.kind == cforcefield_started) {
            running->microseconds = now() - begin;
            running->layers = record.started.layers;
            return 0;
        } else if (record.kind == cforcefield_stage_failed) {
            printf("stage %u: %s\n", record.stage_failed.stage, strerror(record.stage_failed.error));
            return -1;
        }
    }
    printf("no record\n");
    return -1;
}

static void stop(struct running *running) {
    int status;
    close(running->spawned.channel);
    cforcefield_reap(running->spawned.process, &status);
    struct pollfd ended = {.fd = running->pidfd, .events = POLLIN};
    poll(&ended, 1, 5000);
    cforcefield_reap_pidfd(running->pidfd, &status);
    close(running->spawned.control);
    close(running->spawned.output);
    close(running->pidfd);
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static int measure(const char *program, int count, uint32_t off) {
    double *times = calloc((size_t)count, sizeof *times);
    if (times == NULL) return 1;
    for (int index = 0; index < count; index++) {
        struct running running;
        if (start(program, off, &running) != 0) return 1;
        times[index] = running.microseconds;
        stop(&running);
    }
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("median %.0f us, p99 %.0f us of %d\n", times[count / 2], times[count * 99 / 100], count);
    free(times);
    return 0;
}

static int say_hello(const char *program) {
    struct running running;
    if (start(program, 0, &running) != 0) return 1;
    struct worker_command command = {worker_echo, 42};
    int64_t answer = 0;
    if (write(running.spawned.channel, &command, sizeof command) != sizeof command) return 1;
    struct pollfd readable = {.fd = running.spawned.channel, .events = POLLIN};
    poll(&readable, 1, 5000);
    if (read(running.spawned.channel, &answer, sizeof answer) != sizeof answer) return 1;
    printf("layers %04x answer %" PRId64 "\n", running.layers, answer);
    stop(&running);
    return 0;
}

// Waits until the warden has told how the worker ended. Returns the number of the call that it was killed for, -2 if it is
// not known, -1 if it was not killed for a call.
static int64_t find_violation(struct running *running) {
    int64_t number = -1;
    struct cforcefield_record record;
    int pidfd;
    while (wait_record(running->spawned.control, &record, &pidfd) == 1) {
        if (record.kind == cforcefield_violation) number = record.violation.number;
        if (record.kind == cforcefield_exited) return number == -1 && WTERMSIG(record.exited.status) == SIGSYS ? -2 : number;
    }
    return number;
}

// One attempt in a worker of its own, and what came of it: its name, and killed, an errno, or allowed.
static int attempt(const char *program, uint32_t index) {
    struct running running;
    if (start(program, 0, &running) != 0) return 1;
    struct worker_command command = {worker_attempt, index};
    int64_t answer = 0;
    if (write(running.spawned.channel, &command, sizeof command) != sizeof command) return 1;
    struct pollfd readable = {.fd = running.spawned.channel, .events = POLLIN};
    poll(&readable, 1, 5000);
    printf("%s ", cforcefield_audit_at(index)->name);
    if (read(running.spawned.channel, &answer, sizeof answer) != sizeof answer) {
        int64_t number = find_violation(&running);
        uint32_t architecture = cforcefield_native_architecture();
        const char *name = number < 0 ? NULL : cforcefield_system_call_name(architecture, (uint32_t)number);
        printf("%s %s\n", number == -1 ? "unknown" : "killed", name != NULL ? name : "-");
    } else if (answer == CFORCEFIELD_AUDIT_REFUSED) {
        printf("refused\n");
    } else if (answer < 0) {
        printf("errno %" PRId64 "\n", -answer);
    } else {
        printf("allowed\n");
    }
    stop(&running);
    return 0;
}

static int audit(const char *program) {
    for (uint32_t index = 0; index < cforcefield_audit_count(); index++) {
        if (attempt(program, index) != 0) return 1;
    }
    return 0;
}

static int count_descriptors(void) {
    int count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

// Starts and stops workers, and prints what is left of them: descriptors and children.
static int repeat(const char *program, int count) {
    int before = count_descriptors();
    for (int index = 0; index < count; index++) {
        struct running running;
        if (start(program, 0, &running) != 0) return 1;
        stop(&running);
    }
    int children = waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? 0 : 1;
    printf("descriptors %d children %d\n", count_descriptors() - before, children);
    return 0;
}

// Prints the warden's pid and waits to be killed.
static int linger(const char *program) {
    struct running running;
    if (start(program, 0, &running) != 0) return 1;
    printf("%d\n", running.warden);
    fflush(stdout);
    for (;;) pause();
}

// The pid of the warden's only child, as this process sees it; -1.
static int find_worker(int warden) {
    char path[64];
    int worker, other;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", warden, warden);
    FILE *file = fopen(path, "r");
    if (file == NULL) return -1;
    int count = fscanf(file, "%d %d", &worker, &other);
    fclose(file);
    return count == 1 ? worker : -1;
}

// Prints whether warden and worker have a memory each. The kernel says 0 for one and the same, and 1 or 2 for two.
static int compare_memory(const char *program, uint32_t off) {
    struct running running;
    if (start(program, off, &running) != 0) return 1;
    int worker = find_worker(running.warden);
    if (worker < 0) return 1;
    long order = syscall(SYS_kcmp, running.warden, worker, KCMP_VM, 0, 0);
    long same = syscall(SYS_kcmp, worker, worker, KCMP_VM, 0, 0);
    printf("itself %ld other %d\n", same, order == 1 || order == 2);
    stop(&running);
    return 0;
}

// Prints what a worker has of what this process was favoured with.
static int inherit(const char *program) {
    struct running running;
    if (start(program, 0, &running) != 0) return 1;
    char path[64], text[512] = "";
    int worker = find_worker(running.warden), class = -1, nice = -1, score = -1, core = -1;
    snprintf(path, sizeof path, "/proc/%d/stat", worker);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL) return 1;
    fclose(file);
    // Behind the name in parentheses, fields 3 to 52: 19 is the niceness, 41 the class.
    const char *field = strrchr(text, ')');
    for (int number = 3; field != NULL && number <= 41; number++) {
        field = strchr(field + 1, ' ');
        if (field != NULL && number == 19) nice = atoi(field);
        if (field != NULL && number == 41) class = atoi(field);
    }
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", worker);
    file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%d", &score) != 1) return 1;
    fclose(file);
    snprintf(path, sizeof path, "/proc/%d/limits", worker);
    file = fopen(path, "r");
    while (file != NULL && core < 0 && fgets(text, sizeof text, file) != NULL) sscanf(text, "Max core file size %d", &core);
    if (file == NULL) return 1;
    fclose(file);
    printf("class %d nice %d score %d core %d\n", class, nice, score, core);
    stop(&running);
    return 0;
}

int host_run(int count, char **arguments) {
    const char *verb = arguments[1];
    const char *program = count > 2 ? arguments[2] : "/proc/self/exe";
    if (strcmp(verb, "hello") == 0) return say_hello(program);
    if (strcmp(verb, "hidden-hello") == 0) {
        // As a host does that holds keys.
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        return say_hello(program);
    }
    if (strcmp(verb, "linger") == 0) return linger(program);
    if (strcmp(verb, "inherit") == 0) return inherit(program);
    if (strcmp(verb, "memory") == 0) return compare_memory(program, count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 0) : 0);
    if (strcmp(verb, "audit") == 0) return audit(program);
    if (strcmp(verb, "repeat") == 0) return repeat(program, 1000);
    if (strcmp(verb, "measure") == 0) return measure(program, 200, count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 0) : 0);
    return 2;
}

#endif
