// What the kernel takes for a worker of ForceField, with nothing of ForceField in it: the same program is started bare, with all
// that stage 0, warden and host ask the kernel for (a control group, seven namespaces, maps, an empty root, two processes,
// privileges, limits, Landlock, two filters) before it is executed, and with that done by the warden while the loader runs.
//
// It is a measure and no sandbox: the filters allow everything, Landlock does too, and the program keeps its libraries.
//
// cc -O2 -o forcefield-floor forcefield_floor.c && forcefield-floor PROGRAM [ROUNDS]    (root; control groups of version 1)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum way { bare, before, beside, way_count };
static const char *const names[] = {"bare", "the kernel's work before it", "the kernel's work beside it"};

static char *program;
static char *const environment[] = {"SWIFT_ROOT=/", "SWIFT_BACKTRACE=enable=no", "BENCH_ECHO=plain", NULL};

static void require(int holds, const char *what) {
    if (holds) return;
    perror(what);
    exit(1);
}

static void put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    require(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), path);
    close(file);
}

// MARK: The control group, as the host makes and leaves it

static const char *const controllers[] = {"memory", "pids"};
static char groups[2][256], parents[2][256];

static void find_groups(void) {
    char line[512];
    FILE *file = fopen("/proc/self/cgroup", "r");
    require(file != NULL, "/proc/self/cgroup");
    while (fgets(line, sizeof line, file) != NULL) {
        char *controller = strchr(line, ':') + 1, *path = strchr(controller, ':');
        *path++ = 0;
        path[strcspn(path, "\n")] = 0;
        for (int index = 0; index < 2; index++) {
            if (strcmp(controller, controllers[index]) != 0) continue;
            snprintf(parents[index], sizeof parents[index], "/sys/fs/cgroup/%s%s", controller, path[1] == 0 ? "" : path);
        }
    }
    fclose(file);
}

static void in_group(int index, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", groups[index], name);
    put(path, text);
}

static void enter_group(void) {
    static int number;
    for (int index = 0; index < 2; index++) {
        snprintf(groups[index], sizeof groups[index], "%.200s/floor-%d-%d", parents[index], getpid(), number);
        require(mkdir(groups[index], 0755) == 0, groups[index]);
    }
    number++;
    in_group(0, "memory.limit_in_bytes", "536870912");
    in_group(0, "memory.memsw.limit_in_bytes", "536870912");
    in_group(1, "pids.max", "66");
    for (int index = 0; index < 2; index++) in_group(index, "tasks", "0");
}

static void leave_group(void) {
    char path[300];
    for (int index = 0; index < 2; index++) {
        snprintf(path, sizeof path, "%s/tasks", parents[index]);
        put(path, "0");
    }
}

static void remove_group(void) {
    for (int index = 0; index < 2; index++) {
        while (rmdir(groups[index]) != 0 && errno == EBUSY) sched_yield();
    }
}

// MARK: The walls

// As many instructions as a filter of ours has, so that the kernel checks and compiles as much.
static void filter(unsigned short length, int flags) {
    struct sock_filter instructions[512];
    instructions[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    instructions[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, length - 3u, 0, 0);
    for (int index = 2; index < length - 1; index++) {
        instructions[index] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x10000u + index, 0, 0);
    }
    instructions[length - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {length, instructions};
    require(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) >= 0, "seccomp");
}

static void give_up_privileges(void) {
    prctl(PR_SET_SECUREBITS, 0xef, 0, 0, 0);
    for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {}
}

static void empty_root(void) {
    require(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "private");
    require(mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,nr_inodes=64,mode=755") == 0, "tmpfs");
    require(chdir("/tmp") == 0 && syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0, "pivot_root");
    require(chdir("/") == 0, "/");
    require(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0, "remount");
    require(sethostname("floor", 5) == 0 && setdomainname("", 0) == 0, "names");
}

static void landlock(void) {
    struct { uint64_t files, net, scoped; } rules = {0x2, 0, 0};
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    struct { uint64_t access; int32_t parent; } __attribute__((packed)) all = {0x2, open("/", O_PATH | O_CLOEXEC)};
    require(set >= 0 && syscall(SYS_landlock_add_rule, set, 1, &all, 0) == 0, "landlock");
    require(syscall(SYS_landlock_restrict_self, set, 0) == 0, "landlock");
    close(set);
    close(all.parent);
}

static void limits(void) {
    struct rlimit limit;
    for (int kind = 0; kind < RLIM_NLIMITS; kind++) {
        require(getrlimit(kind, &limit) == 0 && setrlimit(kind, &limit) == 0, "limit");
    }
}

// The filter's listener stays open in the program; nothing is ever asked.
static void run_worker(int gate) {
    char byte;
    if (gate >= 0) require(read(gate, &byte, 1) == 1, "gate");
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    limits();
    landlock();
    filter(316, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    execve(program, (char *[]){program, NULL}, environment);
    _exit(1);
}

static const int later = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

static void walls(void) {
    empty_root();
    give_up_privileges();
    filter(77, 0);
}

static void run_warden(enum way way) {
    int gate[2] = {-1, -1};
    if (way == before) require(pipe2(gate, O_CLOEXEC) == 0, "pipe");
    pid_t worker = fork();
    if (worker == 0) run_worker(gate[0]);
    require(unshare(way == before ? CLONE_NEWNS : later) == 0, "unshare");
    walls();
    if (way == before) require(write(gate[1], "", 1) == 1, "gate");
    // Else neither side of the program's socket would ever see the other's end.
    syscall(SYS_close_range, 0, ~0u, 0);
    while (waitpid(worker, NULL, 0) < 0 && errno == EINTR) {}
    _exit(0);
}

static char stack[65536];
static enum way asked;

static int warden(void *unused) {
    (void)unused;
    run_warden(asked);
    return 0;
}

static void run_stage(enum way way) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    require(unshare(CLONE_NEWUSER | CLONE_NEWPID | (way == before ? later & ~CLONE_NEWNS : 0)) == 0, "unshare");
    put("/proc/self/setgroups", "deny");
    put("/proc/self/uid_map", "0 0 1");
    put("/proc/self/gid_map", "0 0 1");
    asked = way;
    require(clone(warden, stack + sizeof stack, CLONE_PARENT | SIGCHLD, NULL) > 0, "clone");
    _exit(0);
}

// MARK: The measure

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static pid_t start_bare(int end) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, 0);
    posix_spawn_file_actions_adddup2(&actions, end, 1);
    pid_t process;
    require(posix_spawn(&process, program, &actions, NULL, (char *[]){program, NULL}, environment) == 0, "posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

// A message of 64 bytes behind its length, there and back.
static void echo(int socket) {
    char message[68] = {64}, reply[64];
    require(write(socket, message, sizeof message) == sizeof message, "write");
    for (size_t done = 0; done < sizeof reply;) {
        ssize_t count = read(socket, reply + done, sizeof reply - done);
        require(count > 0, "the program gave no answer");
        done += (size_t)count;
    }
}

// Microseconds of processor time of this process and of all that have ended below it.
static double used(void) {
    double sum = 0;
    for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
        struct rusage usage;
        require(getrusage(who, &usage) == 0, "getrusage");
        sum += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6;
        sum += (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return sum;
}

struct sample {
    double time, used; // until the reply; until all is cleared away
};

static struct sample measure(enum way way) {
    double begin = now(), used_before = used();
    int pair[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
    if (way != bare) enter_group();
    pid_t process = way == bare ? start_bare(pair[1]) : fork();
    if (process == 0) {
        dup2(pair[1], 0);
        dup2(pair[1], 1);
        run_stage(way);
    }
    close(pair[1]);
    if (way != bare) leave_group();
    echo(pair[0]);
    double time = now() - begin;
    close(pair[0]);
    while (wait(NULL) > 0) {}
    if (way != bare) remove_group();
    return (struct sample){time, used() - used_before};
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

int main(int count, char **arguments) {
    require(count >= 2, "usage: forcefield-floor PROGRAM [ROUNDS]");
    program = arguments[1];
    int rounds = count > 2 ? atoi(arguments[2]) : 200;
    double *times = calloc((size_t)rounds * way_count, sizeof *times);
    double *uses = calloc((size_t)rounds * way_count, sizeof *uses);
    require(rounds > 0 && times != NULL && uses != NULL, "ROUNDS");
    find_groups();
    for (int round = 0; round < rounds; round++) {
        int first = rand() % way_count, step = 1 + rand() % 2;
        for (int turn = 0; turn < way_count; turn++) {
            enum way way = (enum way)((first + turn * step) % way_count);
            struct sample sample = measure(way);
            times[way * rounds + round] = sample.time;
            uses[way * rounds + round] = sample.used;
        }
    }
    printf("| start to first reply | median | ratio | processor time | ratio |\n|---|---|---|---|---|\n");
    double time = 0, use = 0;
    for (enum way way = bare; way < way_count; way++) {
        double one = median(times + way * rounds, rounds), other = median(uses + way * rounds, rounds);
        if (way == bare) {
            time = one;
            use = other;
        }
        printf("| %s | %.2f ms | %.2f | %.2f ms | %.2f |\n", names[way], one / 1e3, one / time, other / 1e3, other / use);
    }
}
