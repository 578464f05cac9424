#if defined(__linux__)
#define _GNU_SOURCE

#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "audit.h"
#include "system_calls.h"

static long open_path(const char *path, int flags) { return syscall(native_openat, AT_FDCWD, path, flags, 0600); }

long audit_fs_open_passwd(void) { return open_path("/etc/passwd", O_RDONLY); }
long audit_fs_open_root(void) { return open_path("/", O_RDONLY | O_DIRECTORY); }
long audit_fs_create_tmp(void) { return open_path("/tmp/ff-audit", O_CREAT | O_WRONLY); }
long audit_fs_create_cwd(void) { return open_path("ff-audit", O_CREAT | O_WRONLY); }
long audit_fs_open_home(void) { return open_path("/root/.ssh", O_RDONLY); }
long audit_fs_dev_mem(void) { return open_path("/dev/mem", O_RDWR); }
long audit_fs_dev_null(void) { return open_path("/dev/null", O_RDWR); }
long audit_fs_proc_self(void) { return open_path("/proc/self/maps", O_RDONLY); }
long audit_fs_proc_1(void) { return open_path("/proc/1/environ", O_RDONLY); }
long audit_fs_sys(void) { return open_path("/sys/kernel", O_RDONLY); }
long audit_fs_dotdot(void) { return open_path("../../../../etc/passwd", O_RDONLY); }

long audit_fs_stat(void) {
    struct stat status;
#if defined(__x86_64__)
    return syscall(native_stat, "/etc", &status);
#else
    return syscall(native_newfstatat, AT_FDCWD, "/etc", &status, 0);
#endif
}

long audit_fs_openat2(void) {
    // struct open_how: flags, mode, resolve
    unsigned long long how[3] = {O_RDONLY, 0, 0};
    return syscall(native_openat2, AT_FDCWD, "/etc/passwd", how, sizeof how);
}

long audit_fs_mkdir(void) { return syscall(native_mkdirat, AT_FDCWD, "d", 0700); }
long audit_fs_mount(void) { return syscall(native_mount, "tmpfs", "/", "tmpfs", 0, NULL); }
long audit_fs_umount(void) { return syscall(native_umount2, "/", MNT_DETACH); }
long audit_fs_pivot(void) { return syscall(native_pivot_root, ".", "."); }
long audit_fs_chroot(void) { return syscall(native_chroot, "/"); }

long audit_fs_open_by_handle(void) {
    // struct file_handle of no bytes
    unsigned handle[2 + 32];
    memset(handle, 0, sizeof handle);
    return syscall(native_open_by_handle_at, AT_FDCWD, handle, O_RDONLY);
}

#endif
