#if defined(__linux__)
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#endif

#include "cforcefield_audit.h"
#include "cforcefield_lock.h"

static const char *const paths[] = {"/dev/urandom", "/etc/shared/text", "/"};

// How many descriptors are open, by asking for each number that could be.
static int64_t count_descriptors(void) {
    int64_t count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

static int64_t open_and_read(uint32_t index) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, paths[index], O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    char bytes[8];
    ssize_t count = read(descriptor, bytes, sizeof bytes);
    int64_t result = count < 0 ? -errno : count;
    close(descriptor);
    return result;
}

static int64_t open_for_writing(uint32_t index) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, paths[index], O_RDWR | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

static int64_t map_executable(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -errno : 1;
}

// A path beside the flag that means fstat().
static int64_t look_at_path(void) {
    struct stat status;
    return syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, AT_EMPTY_PATH) < 0 ? -errno : 1;
}

static int64_t noted_processor(void) {
#if __GLIBC_PREREQ(2, 35)
    if (__rseq_size == 0) return -1;
    const struct rseq *area = (const struct rseq *)((const char *)__builtin_thread_pointer() + __rseq_offset);
    return (int32_t)area->cpu_id;
#else
    return -1;
#endif
}

static void spin(void) {
    for (volatile uint64_t count = 0;; count++) {}
}

static int64_t obey(struct worker_command command) {
    switch (command.verb) {
    case worker_echo: return command.argument;
    case worker_attempt: return cforcefield_audit_attempt(command.argument);
    case worker_exit: exit((int)command.argument);
    case worker_abort: abort();
    case worker_fault: *(volatile int *)8 = 1; return 0;
    case worker_spin: spin(); return 0;
    case worker_stop: return raise(SIGSTOP);
    case worker_descriptors: return count_descriptors();
    case worker_lock: return cforcefield_lock_now() == 0 ? 0 : -errno;
    case worker_open: return open_and_read(command.argument);
    case worker_open_writing: return open_for_writing(command.argument);
    case worker_map_executable: return map_executable();
    case worker_print: return write(1, "printed\n", 8) + write(2, "complained\n", 11);
    case worker_uid: return (int64_t)getuid();
    case worker_environment: {
        int64_t count = 0;
        while (environ[count] != NULL) count++;
        return count;
    }
    case worker_pid: return getpid();
    case worker_send_urgent: return send(3, "", 1, MSG_OOB) < 0 ? -errno : 1;
    case worker_core_limit: {
        struct rlimit limit;
        return getrlimit(RLIMIT_CORE, &limit) != 0 ? -errno : (int64_t)limit.rlim_cur;
    }
    case worker_spin_without_signal:
        signal(SIGXCPU, SIG_IGN);
        spin();
        return 0;
    case worker_look_at_path: return look_at_path();
    case worker_noted_processor: return noted_processor();
    case worker_thread: return syscall(SYS_gettid);
    default: return -ENOSYS;
    }
}

int worker_run(void) {
    struct worker_command command;
    while (read(3, &command, sizeof command) == sizeof command) {
        int64_t answer = obey(command);
        if (write(3, &answer, sizeof answer) != sizeof answer) return 1;
    }
    return 0;
}

#endif
