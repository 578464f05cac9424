#if defined(__linux__)
#define _GNU_SOURCE

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "audit.h"
#include "system_calls.h"

enum { init_process = 1, read_implies_exec = 0x0400000, seccomp_set_mode_filter = 1 };

// A child that comes to be after all ends at once.
static long end_child(long process) {
    if (process == 0) syscall(native_exit_group, 0);
    return process;
}

static long clone_with(long flags) { return end_child(syscall(native_clone, flags, 0, 0, 0, 0)); }

long audit_proc_fork(void) {
#if defined(__x86_64__)
    return end_child(syscall(native_fork));
#else
    return clone_with(SIGCHLD);
#endif
}

long audit_proc_vfork(void) { return clone_with(CLONE_VFORK | SIGCHLD); }
long audit_proc_clone_newuser(void) { return clone_with(CLONE_NEWUSER | SIGCHLD); }

long audit_proc_clone3(void) {
    // struct clone_args up to its first version
    unsigned long long arguments[8] = {0};
    return end_child(syscall(native_clone3, arguments, sizeof arguments));
}

long audit_proc_unshare_user(void) { return syscall(native_unshare, CLONE_NEWUSER); }
long audit_proc_setns(void) { return syscall(native_setns, 0, 0); }

long audit_proc_execve(void) {
    const char *arguments[] = {"sh", NULL};
    return syscall(native_execve, "/bin/sh", arguments, arguments + 1);
}

long audit_proc_execveat(void) {
    const char *none[] = {NULL};
    return syscall(native_execveat, 0, "", none, none, AT_EMPTY_PATH);
}

long audit_proc_memfd(void) { return syscall(native_memfd_create, "x", 0); }
long audit_proc_ptrace_host(void) { return syscall(native_ptrace, PTRACE_ATTACH, init_process, 0, 0); }
long audit_proc_ptrace_me(void) { return syscall(native_ptrace, PTRACE_TRACEME, 0, 0, 0); }

long audit_proc_vm_readv(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    return syscall(native_process_vm_readv, init_process, &here, 1, &there, 1, 0);
}

long audit_proc_pidfd_open(void) { return syscall(native_pidfd_open, init_process, 0); }
long audit_proc_kill_init(void) { return syscall(native_kill, init_process, 0); }
long audit_proc_kill_all(void) { return syscall(native_kill, -1, 0); }
long audit_proc_tgkill_other(void) { return syscall(native_tgkill, init_process, init_process, 0); }
long audit_proc_setuid(void) { return syscall(native_setuid, 0); }

long audit_proc_setgroups(void) {
    gid_t group = 0;
    return syscall(native_setgroups, 1, &group);
}

long audit_proc_capset(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct all[_LINUX_CAPABILITY_U32S_3];
    memset(all, 0xff, sizeof all);
    return syscall(native_capset, &header, all);
}

long audit_proc_personality(void) { return syscall(native_personality, read_implies_exec); }

long audit_proc_setrlimit(void) {
    struct rlimit limit = {1024, 1024};
    return syscall(native_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
}

long audit_proc_prctl_dumpable(void) { return syscall(native_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }
long audit_proc_prctl_pdeathsig(void) { return syscall(native_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }
long audit_proc_seccomp(void) { return syscall(native_seccomp, seccomp_set_mode_filter, 0, NULL); }
long audit_proc_nice(void) { return syscall(native_setpriority, PRIO_PROCESS, 0, -10); }

#endif
