#define _GNU_SOURCE
#include "worker_name.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *worker_name(void) { return program_invocation_short_name; }

ssize_t hostile_receive(int socket, void *bytes, size_t count, int *found, int capacity) {
    // The filter allows recvmsg only where a capability needs it, and a forbidden call is the end.
    if (strcmp(worker_name(), "takes-descriptors") != 0) return read(socket, bytes, count);
    struct iovec part = {bytes, count};
    union {
        char bytes[CMSG_SPACE(16 * sizeof(int))];
        struct cmsghdr aligned;
    } ancillary;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    int next = 0;
    for (struct cmsghdr *rights = CMSG_FIRSTHDR(&message); rights != NULL; rights = CMSG_NXTHDR(&message, rights)) {
        size_t rights_count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < rights_count && next < capacity; index++) {
            memcpy(&found[next++], CMSG_DATA(rights) + index * sizeof(int), sizeof(int));
        }
    }
    return received;
}

ssize_t hostile_send_with(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {(void *)bytes, count};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } ancillary;
    memset(&ancillary, 0, sizeof ancillary);
    ancillary.aligned = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&ancillary.aligned), &descriptor, sizeof descriptor);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    return sendmsg(socket, &message, 0);
}

long hostile_call(long number) { return syscall(number, 16, 1, 0, 0, 0, 0); }
