#if defined(__linux__)

#include <errno.h>

#include "cforcefield_filter.h"
#include "filter_rules.h"
#include "system_calls.h"

// Kernel constants of the conditions, by value: headers of libc hide some and change others.
enum {
    prot_exec = 0x4,
    at_empty_path = 0x1000,
    futex_private_or_realtime = 0x180,
    f_setfl = 4,
    o_async = 0x2000,
    fionread = 0x541b,
    // MSG_DONTWAIT, MSG_NOSIGNAL, MSG_MORE
    plain_send_flags = 0x40 | 0x4000 | 0x8000,
    // MSG_PEEK, MSG_DONTWAIT, MSG_WAITALL, MSG_NOSIGNAL, MSG_CMSG_CLOEXEC
    plain_receive_flags = 0x2 | 0x40 | 0x100 | 0x4000 | 0x40000000,
    arch_set_fs = 0x1002,
    seccomp_set_mode_filter = 1,
    pr_set_name = 15,
    pr_set_vma = 0x53564d41,
    // O_ACCMODE, O_CREAT, O_TRUNC, O_APPEND, the bit of O_TMPFILE that no other flag has, O_PATH
    anything_but_reading = 03 | 0100 | 01000 | 02000 | 020000000 | 010000000,
};

static const struct rule rules[] = {
    // The channel, standard input and output.
    ALLOW(read),
    ALLOW(write),
    ALLOW(readv),
    ALLOW(writev),
    // Bytes out of band (MSG_OOB) neither come nor go: that part of the kernel's sockets no worker needs, and others have got out by it.
    {CALL(recvfrom), OR_FORBID, .conditions = {{test_in, LOW_MASKED(3, ~(uint32_t)plain_receive_flags), VALUES(0)}}},
    // send() on the channel. With an address it could reach another socket. Of the flags only those that change nothing but how
    // long it waits.
    {CALL(sendto), OR_FORBID,
     .conditions = {{test_zero, LOW(4)}, {test_in, LOW_MASKED(3, ~(uint32_t)plain_send_flags), VALUES(0)}}},
    ALLOW(poll),
    ALLOW(ppoll),
    ALLOW(close),
    ALLOW(dup),
    ALLOW(lseek),
    ALLOW(fstat),

    // Memory, none of it executable.
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(brk),
    {CALL(mmap), .without = cforcefield_filter_before_ready, OR_FORBID,
     .conditions = {{test_in, LOW_MASKED(2, prot_exec), VALUES(0)}}},
    {CALL(mmap), .with = cforcefield_filter_before_ready, .otherwise = action_allow},
    {CALL(mprotect), .without = cforcefield_filter_before_ready, OR_FORBID,
     .conditions = {{test_in, LOW_MASKED(2, prot_exec), VALUES(0)}}},
    {CALL(mprotect), .with = cforcefield_filter_before_ready, .otherwise = action_allow},
    // NORMAL WILLNEED DONTNEED FREE HUGEPAGE NOHUGEPAGE DONTDUMP
    {CALL(madvise), OR_FAIL(EINVAL), .conditions = {{test_in, LOW(2), VALUES(0, 3, 4, 8, 14, 15, 16)}}},
    // None that lends a priority: LOCK_PI 6, UNLOCK_PI 7, TRYLOCK_PI 8, WAIT_REQUEUE_PI 11, CMP_REQUEUE_PI 12, LOCK_PI2 13. Swift's Mutex
    // asks for 6 and 7 where two threads want it, and a worker has one: it traps rather than waits for itself.
    {CALL(futex), OR_FAIL(ENOSYS),
     .conditions = {{test_in, LOW_MASKED(1, ~(uint32_t)futex_private_or_realtime), VALUES(0, 1, 3, 4, 5, 9, 10)}}},

    // The end, and signals to oneself.
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigaction),
    ALLOW(sigaltstack),
    ALLOW(rt_sigsuspend),
    // abort() and raise(). Not the signals by which the kernel and the warden say why a process ends (KILL, XCPU, XFSZ, SYS): a worker
    // would choose what it is said to have died of.
    {CALL(tgkill), OR_FORBID,
     .conditions = {{test_in, LOW(0), VALUES(OWN_PROCESS)}, {test_not_in, LOW(2), VALUES(9, 24, 25, 31)}}},

    // Time, randomness and constants.
    ALLOW(sched_yield),
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(clock_gettime),
    ALLOW(clock_getres),
    ALLOW(clock_nanosleep),
    ALLOW(nanosleep),
    ALLOW(gettimeofday),
    ALLOW(time),
    ALLOW(times),
    ALLOW(getrusage),
    ALLOW(getrandom),
    ALLOW(getcpu),
    ALLOW(set_robust_list),
    ALLOW(rseq),
    ALLOW(getuid),
    ALLOW(geteuid),
    ALLOW(getgid),
    ALLOW(getegid),
    ALLOW(sched_getaffinity),

    // Calls that serve many ends: the harmless one of them.
    // fstat() of glibc. The flag only says that the path *may* be empty, and no filter sees whether it is.
    {CALL(newfstatat), .without = cforcefield_filter_host_root, OR_FAIL(ENOENT),
     .conditions = {{test_not_in, LOW_MASKED(3, at_empty_path), VALUES(0)}}},
    {CALL(newfstatat), .with = cforcefield_filter_host_root, .without = cforcefield_filter_before_ready, OR_FAIL(ENOENT)},
    {CALL(prctl), OR_FAIL(EPERM), .conditions = {{test_in, LOW(0), VALUES(pr_set_name, pr_set_vma)}}},
    {CALL(ioctl), OR_FAIL(ENOTTY), .conditions = {{test_in, LOW(1), VALUES(fionread)}}},
    // F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC, F_GET_SEALS
    {CALL(fcntl), OR_FAIL(EPERM), .conditions = {{test_in, LOW(1), VALUES(1, 2, 3, 1030, 1034)}}},
    {CALL(fcntl), OR_FAIL(EPERM),
     .conditions = {{test_in, LOW(1), VALUES(f_setfl)}, {test_in, LOW_MASKED(2, o_async), VALUES(0)}}},
    // getrlimit() only
    {CALL(prlimit64), OR_FAIL(EPERM), .conditions = {{test_in, LOW(0), VALUES(0)}, {test_zero, LOW(2)}}},

    // No threads and no processes. The arguments of clone3 lie in memory, where no filter sees them; libc then tries clone.
    FAIL(clone, EPERM),
    FAIL(clone3, ENOSYS),

    // Looking for a path is as on an empty file system.
    FAIL(open, ENOENT),
    {CALL(openat), .without = cforcefield_filter_files | cforcefield_filter_before_ready, OR_FAIL(ENOENT)},
    {CALL(openat), .with = cforcefield_filter_files, OR_FAIL(EACCES),
     .conditions = {{test_in, LOW_MASKED(2, anything_but_reading), VALUES(0)}}},
    {CALL(openat), .with = cforcefield_filter_before_ready, OR_FAIL(EACCES),
     .conditions = {{test_in, LOW_MASKED(2, anything_but_reading), VALUES(0)}}},
    FAIL(stat, ENOENT),
    FAIL(lstat, ENOENT),
    FAIL(statx, ENOENT),
    FAIL(access, ENOENT),
    FAIL(faccessat, ENOENT),
    FAIL(faccessat2, ENOENT),
    FAIL(readlink, ENOENT),
    FAIL(readlinkat, ENOENT),
    FAIL(getcwd, ENOENT),

    // syslog() and resolvers must fail softly, not die.
    FAIL(socket, EACCES),
    FAIL(socketpair, EACCES),

    // Runtimes ask these at odd times.
    FAIL(setpriority, EPERM),
    FAIL(getpriority, EPERM),
    FAIL(sched_setscheduler, EPERM),
    FAIL(sched_getscheduler, EPERM),
    FAIL(sched_getparam, EPERM),
    FAIL(uname, EPERM),
    FAIL(sysinfo, EPERM),
    FAIL(getppid, EPERM),
    FAIL(membarrier, EPERM),
    FAIL(memfd_create, EPERM),
    FAIL(pipe, EPERM),
    FAIL(pipe2, EPERM),
    FAIL(umask, EPERM),
    FAIL(capget, EPERM),

    // The listener goes to the warden once; the number of the descriptor can never exist again.
    {CALL(sendmsg), .with = cforcefield_filter_notify, OR_FORBID,
     .conditions = {{test_in, LOW(0), VALUES(CFORCEFIELD_HANDOFF)}}},

    // Exec mode: once, and what static glibc asks for at its start.
    {CALL(execveat), .with = cforcefield_filter_exec, OR_FORBID,
     .conditions = {
         {test_in, LOW(0), VALUES(CFORCEFIELD_EXECUTABLE)}, {test_in, LOW(4), VALUES(at_empty_path)}}},
    {CALL(arch_prctl), .with = cforcefield_filter_exec, OR_FAIL(EINVAL),
     .conditions = {{test_in, LOW(0), VALUES(arch_set_fs)}}},
    {CALL(set_tid_address), .with = cforcefield_filter_exec, .otherwise = action_allow},

    // Capabilities.
    {CALL(recvmsg), .with = cforcefield_filter_descriptors, OR_FORBID,
     .conditions = {{test_in, LOW_MASKED(2, ~(uint32_t)plain_receive_flags), VALUES(0)}}},
    {CALL(pread64), .with = cforcefield_filter_descriptors, .otherwise = action_allow},
    {CALL(shutdown), .with = cforcefield_filter_network, .otherwise = action_allow},

    // Before the lock: what the loader and the lock itself need.
    {CALL(pread64), .with = cforcefield_filter_before_ready, .without = cforcefield_filter_descriptors,
     .otherwise = action_allow},
    {CALL(landlock_create_ruleset), .with = cforcefield_filter_before_ready, .otherwise = action_allow},
    {CALL(landlock_restrict_self), .with = cforcefield_filter_before_ready, .otherwise = action_allow},
    {CALL(seccomp), .with = cforcefield_filter_before_ready, OR_FORBID,
     .conditions = {{test_in, LOW(0), VALUES(seccomp_set_mode_filter)}}},
};

const struct rule_table compute_rules = {rules, sizeof rules / sizeof rules[0]};

#endif
