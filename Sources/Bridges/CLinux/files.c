#define _GNU_SOURCE
#include "clinux_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char backup_name[] = "user.xdg.robots.backup";
static const char backup_value[] = {'f', 'a', 'l', 's', 'e'};

#ifndef __linux__

int clinux_open_unnamed(int directory) {
    errno = ENOTSUP;
    return -1;
}

int clinux_open_nameable(int directory, unsigned permissions) {
    errno = ENOTSUP;
    return -1;
}

int clinux_give_name(int descriptor, int directory, const char *name) {
    errno = ENOTSUP;
    return -1;
}

int clinux_file_system(int descriptor, uint32_t *magic) {
    errno = ENOTSUP;
    return -1;
}

int clinux_set_nodump(int descriptor) {
    errno = ENOTSUP;
    return -1;
}

int clinux_has_nodump(int descriptor, int *marked) {
    errno = ENOTSUP;
    return -1;
}

int clinux_set_no_backup(int descriptor) {
    return fsetxattr(descriptor, backup_name, backup_value, sizeof backup_value, 0, 0);
}

static ssize_t get_attribute(int descriptor, char *value, size_t size) {
    return fgetxattr(descriptor, backup_name, value, size, 0, 0);
}

static const int no_attribute = ENOATTR;

int clinux_flush(int descriptor) {
    while (fcntl(descriptor, F_FULLFSYNC) != 0) {
        // File systems that cannot flush the drive still take fsync, by which a drive that failed would look well.
        if (errno == ENOTSUP || errno == ENOTTY || errno == EINVAL) return fsync(descriptor);
        if (errno != EINTR) return -1;
    }
    return 0;
}

int clinux_has_access_list(int descriptor, const char *path) { return 0; }

int64_t clinux_socket_protocol(const char *path, char *name, size_t size) {
    errno = ENOTSUP;
    return -1;
}

int clinux_has_raised_rights(void) { return issetugid(); }

#else

#include <linux/fs.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>

int clinux_open_unnamed(int directory) {
    // O_EXCL: nobody may give it a name later.
    return openat(directory, ".", O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

// Where linkat finds a descriptor's file.
static void path_of(int descriptor, char path[32]) { snprintf(path, 32, "/proc/self/fd/%d", descriptor); }

int clinux_open_nameable(int directory, unsigned permissions) {
    int descriptor = openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions);
    if (descriptor < 0) return -1;
    char path[32];
    path_of(descriptor, path);
    if (access(path, F_OK) == 0) return descriptor;
    close(descriptor);
    errno = ENOTSUP;
    return -1;
}

int clinux_give_name(int descriptor, int directory, const char *name) {
    char path[32];
    path_of(descriptor, path);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int clinux_file_system(int descriptor, uint32_t *magic) {
    struct statfs found;
    if (fstatfs(descriptor, &found) != 0) return -1;
    *magic = (uint32_t)found.f_type;
    return 0;
}

int clinux_set_nodump(int descriptor) {
    int flags;
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return -1;
    flags |= FS_NODUMP_FL;
    return ioctl(descriptor, FS_IOC_SETFLAGS, &flags);
}

int clinux_has_nodump(int descriptor, int *marked) {
    int flags;
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return -1;
    *marked = (flags & FS_NODUMP_FL) != 0;
    return 0;
}

int clinux_set_no_backup(int descriptor) {
    return fsetxattr(descriptor, backup_name, backup_value, sizeof backup_value, 0);
}

static ssize_t get_attribute(int descriptor, char *value, size_t size) {
    return fgetxattr(descriptor, backup_name, value, size);
}

static const int no_attribute = ENODATA;

int clinux_has_access_list(int descriptor, const char *path) {
    static const char name[] = "system.posix_acl_access";
    ssize_t size = path != NULL ? getxattr(path, name, NULL, 0) : fgetxattr(descriptor, name, NULL, 0);
    if (size >= 0) return 1;
    return errno == ENODATA || errno == ENOTSUP ? 0 : -1;
}

int64_t clinux_socket_protocol(const char *path, char *name, size_t size) {
    // What it leads to now, whatever its process puts there next: nothing but a socket is asked, for the server of a file might not
    // answer.
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = -1;
    // No path of a file begins so.
    static const char start[] = "socket:[";
    char own[32], target[sizeof start - 1];
    path_of(descriptor, own);
    ssize_t length = readlink(own, target, sizeof target);
    if (length == sizeof target && memcmp(target, start, sizeof target) == 0) {
        count = getxattr(own, "system.sockprotoname", name, size);
    } else if (length >= 0) {
        errno = ENOTSOCK;
    }
    int failure = errno;
    close(descriptor);
    errno = failure;
    return count;
}

int clinux_flush(int descriptor) { return fsync(descriptor); }

int clinux_has_raised_rights(void) { return getauxval(AT_SECURE) != 0; }

#endif

int clinux_has_no_backup(int descriptor, int *marked) {
    char value[16];
    ssize_t count = get_attribute(descriptor, value, sizeof value);
    if (count < 0 && errno != no_attribute) return -1;
    *marked = count == sizeof backup_value && memcmp(value, backup_value, sizeof backup_value) == 0;
    return 0;
}
