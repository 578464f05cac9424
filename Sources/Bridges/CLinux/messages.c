#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "clinux_messages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // Apple's systems have SO_NOSIGPIPE instead.
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif

// Room for this many refused descriptors; what is beyond is closed by the kernel and told by MSG_CTRUNC.
enum { most_refused = 4 };

ssize_t clinux_send(
    int socket, const void *head, size_t head_count, const void *body, size_t body_count, const int *descriptors,
    size_t descriptor_count) {
    if (descriptor_count > CLINUX_MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    struct iovec parts[2] = {{(void *)head, head_count}, {(void *)body, body_count}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = body_count > 0 ? 2 : 1};
    union {
        char bytes[CMSG_SPACE(CLINUX_MOST_DESCRIPTORS * sizeof(int))];
        struct cmsghdr aligned;
    } ancillary;
    if (descriptor_count > 0) {
        memset(&ancillary, 0, sizeof ancillary);
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(rights), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

static int close_rights(struct msghdr *message) {
    int closed = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(part) + index * sizeof(int), sizeof descriptor);
            close(descriptor);
            closed++;
        }
    }
    return closed;
}

ssize_t clinux_receive(int socket, void *bytes, size_t count, int *refused) {
    struct iovec part = {bytes, count};
    union {
        char bytes[CMSG_SPACE(most_refused * sizeof(int))];
        struct cmsghdr aligned;
    } ancillary;
    struct msghdr message;
    ssize_t received;
    do {
        message = (struct msghdr){
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    *refused = 0;
    if (received < 0) return -1;
    *refused = close_rights(&message);
    if (*refused == 0 && (message.msg_flags & MSG_CTRUNC) != 0) *refused = 1;
    return received;
}

#if defined(__linux__)

int clinux_sealed_memory(const char *name, uint64_t size) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        return memory;
    }
    int reason = errno;
    close(memory);
    errno = reason;
    return -1;
}

int clinux_seals(int descriptor) { return fcntl(descriptor, F_GET_SEALS); }

#else

int clinux_sealed_memory(const char *name, uint64_t size) {
    errno = ENOSYS;
    return -1;
}

int clinux_seals(int descriptor) {
    errno = ENOSYS;
    return -1;
}

#endif
