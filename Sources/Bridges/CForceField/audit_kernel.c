#if defined(__linux__)
#define _GNU_SOURCE

#include <fcntl.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "audit.h"
#include "system_calls.h"

// Memory that could hold code.

enum { page = 4096 };

static void *map_page(void) { return mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

long audit_mem_rwx_mmap(void) {
    return syscall(native_mmap, NULL, page, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

long audit_mem_mprotect_x(void) { return syscall(native_mprotect, map_page(), page, PROT_READ | PROT_EXEC); }
long audit_mem_pkey_mprotect(void) { return syscall(native_pkey_mprotect, map_page(), page, PROT_READ | PROT_EXEC, -1); }

// UFFD_USER_MODE_ONLY
long audit_mem_userfaultfd(void) { return syscall(native_userfaultfd, 1); }
long audit_mem_memfd_secret(void) { return syscall(native_memfd_secret, 0); }

// Large parts of the kernel. The structures are zero and so ask for nothing.

long audit_ker_bpf(void) {
    char attributes[128] = {0};
    enum { prog_load = 5 };
    return syscall(native_bpf, prog_load, attributes, sizeof attributes);
}

long audit_ker_perf(void) {
    char attributes[128] = {0};
    return syscall(native_perf_event_open, attributes, 0, -1, -1, 0);
}

long audit_ker_io_uring(void) {
    char parameters[128] = {0};
    return syscall(native_io_uring_setup, 1, parameters);
}

enum { get_keyring_id = 0, session_keyring = -3, process_keyring = -2 };

long audit_ker_keyctl(void) { return syscall(native_keyctl, get_keyring_id, session_keyring, 0); }
long audit_ker_add_key(void) { return syscall(native_add_key, "user", "forcefield-audit", "x", 1, process_keyring); }
long audit_ker_module(void) { return syscall(native_finit_module, 0, "", 0); }

// Magic numbers that no reboot has.
long audit_ker_reboot(void) { return syscall(native_reboot, 0, 0, 0, NULL); }

long audit_ker_syslog(void) {
    char buffer[64];
    enum { read_all = 3 };
    return syscall(native_syslog, read_all, buffer, sizeof buffer);
}

// Without an IPC namespace of their own these two would outlive the attempt, and stand in the way of the next one.

long audit_ipc_shmget(void) {
    long segment = syscall(native_shmget, IPC_PRIVATE, page, IPC_CREAT | 0600);
    if (segment >= 0) syscall(native_shmctl, segment, IPC_RMID, NULL);
    return segment;
}

long audit_ipc_msgget(void) {
    long queue = syscall(native_msgget, IPC_PRIVATE, IPC_CREAT | 0600);
    if (queue >= 0) syscall(native_msgctl, queue, IPC_RMID, NULL);
    return queue;
}

long audit_ipc_mq_open(void) { return syscall(native_mq_open, "ff-audit", O_CREAT | O_RDWR, 0600, NULL); }
long audit_ipc_inotify(void) { return syscall(native_inotify_init1, 0); }

// Other doors to the same calls.

long audit_abi_x32(void) {
    enum { x32 = 0x40000000 };
    return syscall(x32 | native_getpid);
}

long audit_abi_int80(void) {
#if defined(__x86_64__)
    long result;
    enum { getpid_of_i386 = 20 };
    __asm__ volatile("int $0x80" : "=a"(result) : "a"((long)getpid_of_i386) : "memory", "cc", "r8", "r9", "r10", "r11");
    return result;
#else
    // Never called: this architecture has no such door.
    return -1;
#endif
}

#endif
