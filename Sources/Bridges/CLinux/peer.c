#define _GNU_SOURCE
#include "clinux_peer.h"

#include <errno.h>

#ifndef __linux__

static int missing(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group) { return missing(); }
int clinux_peer_accept(int socket) { return missing(); }
int clinux_peer_process(int socket) { return missing(); }
int clinux_process_open(int process) { return missing(); }
int clinux_process_runs(int descriptor) { return missing(); }
int clinux_peer_pass_credentials(int socket) { return missing(); }
int clinux_peer_pass_processes(int socket) { return missing(); }

int64_t clinux_peer_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    return missing();
}

int64_t clinux_peer_receive(int socket, void *bytes, size_t count, clinux_peer_ancillary *ancillary) { return missing(); }

#else

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// Linux 6.5; the same numbers on x86-64, AArch64 and RISC-V. Older headers do not know them.
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SCM_PIDFD
#define SCM_PIDFD 4
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

int clinux_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group) {
    struct ucred found;
    socklen_t size = sizeof found;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) return -1;
    *process = found.pid;
    *user = found.uid;
    *group = found.gid;
    return 0;
}

int clinux_peer_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC); }

int clinux_peer_process(int socket) {
    int descriptor = -1;
    socklen_t size = sizeof descriptor;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) != 0) return -1;
    return descriptor;
}

int clinux_process_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_process_runs(int descriptor) {
    // poll passes over what is no descriptor at all.
    if (descriptor < 0) {
        errno = EBADF;
        return -1;
    }
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    int result;
    do result = poll(&request, 1, 0);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -1;
    if (request.revents & POLLNVAL) {
        errno = EBADF;
        return -1;
    }
    return result == 0;
}

static int switch_on(int socket, int option) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, option, &on, sizeof on);
}

int clinux_peer_pass_credentials(int socket) { return switch_on(socket, SO_PASSCRED); }

int clinux_peer_pass_processes(int socket) { return switch_on(socket, SO_PASSPIDFD); }

int64_t clinux_peer_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    if (descriptor_count > CLINUX_PEER_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(CLINUX_PEER_DESCRIPTORS * sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(&control.header), descriptors, descriptor_count * sizeof(int));
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

// Keeps the descriptors for which there is room; a message may bring several lists of them.
static void take_descriptors(clinux_peer_ancillary *ancillary, const struct cmsghdr *header) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + i * sizeof descriptor, sizeof descriptor);
        if (ancillary->descriptor_count < CLINUX_PEER_DESCRIPTORS) {
            ancillary->descriptors[ancillary->descriptor_count++] = descriptor;
        } else {
            close(descriptor);
            ancillary->is_truncated = 1;
        }
    }
}

int64_t clinux_peer_receive(int socket, void *bytes, size_t count, clinux_peer_ancillary *ancillary) {
    memset(ancillary, 0, sizeof *ancillary);
    ancillary->process_descriptor = -1;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))
                   + CMSG_SPACE(CLINUX_PEER_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {bytes, count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    if (message.msg_flags & MSG_CTRUNC) ancillary->is_truncated = 1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_RIGHTS) take_descriptors(ancillary, header);
        if (header->cmsg_type == SCM_PIDFD && header->cmsg_len >= CMSG_LEN(sizeof(int))) {
            // Below zero where the kernel could not make one.
            memcpy(&ancillary->process_descriptor, CMSG_DATA(header), sizeof(int));
        }
        if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
            struct ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            ancillary->has_credentials = 1;
            ancillary->process = sender.pid;
            ancillary->user = sender.uid;
            ancillary->group = sender.gid;
        }
    }
    return received;
}

#endif
