import ForceField

/// Forbidden calls in words for people who bring a library into a worker.
struct ForbiddenCallAdvice {
    /// What the call does.
    let meaning: String
    /// What to do instead.
    let advice: String

    static func of(_ call: Termination.ForbiddenCall) -> ForbiddenCallAdvice {
        guard let name = call.name else { return unknown }
        return entries.first { $0.names.contains(name) }?.advice ?? unknown
    }

    private static let unknown = ForbiddenCallAdvice(
        meaning: "It reaches beyond computing.",
        advice:
            "Find out which part of the library asks (strace -k), and switch that part off or do its work in the host.")

    private static let entries: [(names: Set<String>, advice: ForbiddenCallAdvice)] = [
        (
            ["mmap", "mprotect", "pkey_mprotect"],
            ForbiddenCallAdvice(
                meaning:
                    "It makes memory executable: a just-in-time compiler, a plug-in, or a callback made at run time.",
                advice:
                    "Build the library without JIT (PCRE2: no --enable-jit; ORC, LLVM: their C back end) and link plug-ins in."
            )
        ),
        (
            ["fork", "vfork", "execve", "execveat", "wait4", "waitid"],
            ForbiddenCallAdvice(
                meaning: "It starts another program.",
                advice:
                    "Do in the host what the program does, or make that a worker of its own; look for system() and popen()."
            )
        ),
        (
            [
                "mkdir", "mkdirat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "chmod", "fchmod",
                "ftruncate",
                "creat", "link", "linkat", "symlink", "symlinkat", "rmdir", "mknod", "mknodat", "truncate", "utimensat",
            ],
            ForbiddenCallAdvice(
                meaning: "It changes files.",
                advice:
                    "Let it work in memory: most libraries have callbacks or a memory interface beside their file interface."
            )
        ),
        (
            [
                "openat2", "open_by_handle_at", "getdents64", "statfs", "fstatfs", "inotify_init1", "inotify_init",
                "chdir",
                "fchdir", "getxattr", "listxattr", "flock", "fadvise64",
            ],
            ForbiddenCallAdvice(
                meaning: "It looks at files.",
                advice: "Send what it looks for with the request, or grant one file by readOnlyFile.")
        ),
        (
            ["pread64", "recvmsg", "sendfile", "splice", "copy_file_range", "preadv"],
            ForbiddenCallAdvice(
                meaning: "It reads from a descriptor that it was given.",
                advice: "Grant the capability descriptors, or send the bytes with the request.")
        ),
        (
            [
                "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvmmsg",
                "getsockname",
                "getpeername", "setsockopt", "getsockopt", "shutdown",
            ],
            ForbiddenCallAdvice(
                meaning: "It uses the network.",
                advice: "Let the host fetch, or grant networkClient with the places that it may reach.")
        ),
        (
            [
                "epoll_create1", "epoll_create", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "timerfd_create",
                "timerfd_settime", "signalfd4", "io_uring_setup",
            ],
            ForbiddenCallAdvice(
                meaning: "It runs an event loop, as Dispatch does.",
                advice:
                    "Use no Dispatch and no event library in a worker: handlers of ForceFieldWorker run on one thread.")
        ),
        (
            [
                "setuid", "setgid", "setresuid", "setresgid", "setgroups", "capset", "unshare", "setns", "chroot",
                "mount",
                "umount2", "pivot_root",
            ],
            ForbiddenCallAdvice(
                meaning: "It changes who it is, or where it lives.",
                advice: "A worker is nobody already: switch the library's own sandbox off.")
        ),
        (
            [
                "kill", "tkill", "tgkill", "rt_sigqueueinfo", "pidfd_open", "pidfd_send_signal", "ptrace",
                "process_vm_readv", "process_vm_writev",
            ],
            ForbiddenCallAdvice(
                meaning: "It reaches for another process, or signals itself from outside of abort().",
                advice: "Switch crash reporters and watchdogs off; the host sees how a worker ends.")
        ),
        (
            ["shmget", "shmat", "msgget", "semget", "mq_open", "memfd_secret", "userfaultfd", "mlock", "mlockall"],
            ForbiddenCallAdvice(
                meaning: "It shares memory, or pins it.",
                advice: "Send bytes with requests; 4 MiB and more as a sealed descriptor.")
        ),
        (
            [
                "perf_event_open", "bpf", "keyctl", "add_key", "request_key", "syslog", "personality", "seccomp",
                "finit_module", "init_module", "reboot", "quotactl",
            ],
            ForbiddenCallAdvice(
                meaning: "It talks to parts of the kernel that only administrators need.",
                advice: "No library that computes needs this. Look at what it is before you go on.")
        ),
    ]
}
