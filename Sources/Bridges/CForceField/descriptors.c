#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "stage.h"
#include "system_calls.h"

void stage_close_between(struct stage *stage, unsigned first, unsigned last) {
    if (syscall(native_close_range, first, last, 0) != 0) stage_fail(stage, cforcefield_stage_descriptors, errno);
}

// /dev/null, or a regular file that cannot be written.
static bool is_input(const struct stage *stage) {
    struct stat status;
    if (fstat(0, &status) != 0) return false;
    if (!stage_has_flag(stage, cforcefield_policy_input)) {
        return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
    }
    int flags = fcntl(0, F_GETFL);
    return S_ISREG(status.st_mode) && flags >= 0 && (flags & O_ACCMODE) == O_RDONLY;
}

// With no file size allowed, a write to a regular file would end the worker by SIGXFSZ.
static bool is_pipe(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

// Never a datagram socket: one can be sent to any other.
static bool is_stream(int descriptor) {
    int type, domain;
    socklen_t size = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return false;
    size = sizeof domain;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return false;
    return type == SOCK_STREAM && domain == AF_UNIX;
}

// What stays open is what it should be, and nothing else stays open.
void stage_descriptors(struct stage *stage) {
    bool channel = !stage_has_flag(stage, cforcefield_policy_no_channel);
    if (!is_input(stage) || !is_pipe(1) || !is_pipe(2) || (channel && !is_stream(3))) {
        stage_fail(stage, cforcefield_stage_descriptors, EBADF);
    }
    stage_close_between(stage, channel ? 4 : 3, CFORCEFIELD_EXECUTABLE - 1);
    bool exec = stage_has_flag(stage, cforcefield_policy_exec);
    stage_close_between(stage, CFORCEFIELD_EXECUTABLE + (exec ? 1 : 0), CFORCEFIELD_HANDOFF - 1);
    stage_close_between(stage, CFORCEFIELD_HANDOFF + 1, ~0u);
}

// A raw call: under the filter of a worker it is for the hand-off pair alone.
int stage_send_descriptor(int to, const void *text, size_t length, int descriptor) {
    struct iovec part = {(void *)text, length};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } ancillary = {0};
    ancillary.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&ancillary.header), &descriptor, sizeof descriptor);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    return syscall(native_sendmsg, to, &message, MSG_NOSIGNAL) == (long)length ? 0 : -1;
}

#endif
