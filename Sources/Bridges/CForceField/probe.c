#if defined(__linux__)
#define _GNU_SOURCE

#include "cforcefield_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cforcefield_control.h"
#include "cforcefield_filter.h"
#include "system_calls.h"

static int32_t error_of(long result) { return result < 0 ? errno : 0; }

static int position(uint32_t layer) { return __builtin_ctz(layer); }

static int32_t write_file(const char *path, const char *text) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int32_t error = error_of(write(descriptor, text, strlen(text)));
    close(descriptor);
    return error;
}

// Decimal digits without stdio, whose locks another thread of the host may have held.
static void write_number(char *text, uint32_t number) {
    char digits[10];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) *text++ = digits[--count];
    *text = 0;
}

static int32_t write_map(uid_t user) {
    char text[32] = "0 ";
    write_number(text + 2, user);
    strcat(text, " 1");
    int32_t error = write_file("/proc/self/setgroups", "deny");
    return error != 0 ? error : write_file("/proc/self/uid_map", text);
}

static void try_namespaces(struct cforcefield_machine *machine) {
    uid_t user = geteuid();
    static const struct {
        uint32_t layer;
        int flag;
    } namespaces[] = {
        {cforcefield_layer_user, CLONE_NEWUSER}, {cforcefield_layer_mount, CLONE_NEWNS},
        {cforcefield_layer_pid, CLONE_NEWPID},   {cforcefield_layer_net, CLONE_NEWNET},
        {cforcefield_layer_ipc, CLONE_NEWIPC},   {cforcefield_layer_uts, CLONE_NEWUTS},
        {cforcefield_layer_cgroup_namespace, CLONE_NEWCGROUP},
    };
    for (size_t index = 0; index < sizeof namespaces / sizeof namespaces[0]; index++) {
        machine->errors[position(namespaces[index].layer)] = error_of(unshare(namespaces[index].flag));
    }
    // A process that keeps secrets is not dumpable, and its copy must not become so; stage 0 is another program and can.
    bool is_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    int32_t user_error = machine->errors[position(cforcefield_layer_user)];
    machine->id_maps = user_error != 0 ? user_error : is_dumpable ? write_map(user) : 0;
}

static void try_root(struct cforcefield_machine *machine) {
    int32_t *error = &machine->errors[position(cforcefield_layer_empty_root)];
    *error = machine->errors[position(cforcefield_layer_mount)];
    // Without a mount namespace of its own the child must not touch a mount.
    if (*error != 0) return;
    *error = error_of(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    if (*error == 0) *error = error_of(mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k"));
}

// Installs a filter that allows everything.
static long install(unsigned long flags) {
    struct cforcefield_instruction allow = {0x06, 0, 0, SECCOMP_RET_ALLOW};
    struct {
        unsigned short length;
        struct cforcefield_instruction *instructions;
    } program = {1, &allow};
    return syscall(native_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static void try_all(struct cforcefield_machine *machine) {
    machine->errors[position(cforcefield_layer_distinct_uid)] = geteuid() == 0 ? 0 : EPERM;
    try_namespaces(machine);
    try_root(machine);
    // The last one that exists or not: what matters is whether it may be dropped.
    machine->errors[position(cforcefield_layer_capabilities)] = error_of(prctl(PR_CAPBSET_DROP, 0, 0, 0, 0));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    machine->errors[position(cforcefield_layer_notify)] = error_of(install(SECCOMP_FILTER_FLAG_NEW_LISTENER));
    machine->errors[position(cforcefield_layer_seccomp)] = error_of(install(SECCOMP_FILTER_FLAG_TSYNC));

    long abi = syscall(native_landlock_create_ruleset, NULL, 0, 1);
    machine->errors[position(cforcefield_layer_landlock)] = error_of(abi);
    machine->landlock_abi = abi > 0 ? (int32_t)abi : 0;
    machine->errors[position(cforcefield_layer_cgroup)] = ENOSYS;

    machine->pidfd = error_of(syscall(native_pidfd_open, getpid(), 0));
    machine->close_range = error_of(syscall(native_close_range, ~0u, ~0u, 0));
    enum { mfd_exec = 0x10 };
    int32_t with_flag = error_of(memfd_create("ff-probe", MFD_CLOEXEC | mfd_exec));
    machine->executable_memory = with_flag == EINVAL ? error_of(memfd_create("ff-probe", MFD_CLOEXEC)) : with_flag;
    // Of nothing: EFAULT or EBADF from a kernel that has it, ENOSYS from one that has not.
    long mounts = syscall(native_mount_setattr, -1, NULL, 0, NULL, 0);
    machine->file_mounts = mounts < 0 && errno == ENOSYS ? ENOSYS : 0;
}

int cforcefield_probe(struct cforcefield_machine *machine) {
    memset(machine, 0, sizeof *machine);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // Raw, without what libc does at a fork: the child makes system calls and nothing else, whatever locks threads held here.
    long child = syscall(native_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        try_all(machine);
        ssize_t written = write(ends[1], machine, sizeof *machine);
        syscall(native_exit_group, written == sizeof *machine ? 0 : 1);
    }
    int reason = errno;
    close(ends[1]);
    ssize_t count = -1;
    if (child > 0) {
        do count = read(ends[0], machine, sizeof *machine);
        while (count < 0 && errno == EINTR);
        reason = count < 0 ? errno : ECHILD;
        int status;
        while (waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR) {}
    }
    close(ends[0]);
    errno = reason;
    return count == sizeof *machine ? 0 : -1;
}

#endif
