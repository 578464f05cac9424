#if defined(__linux__)
#define _GNU_SOURCE

#include "cforcefield_control.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Fields are written as the machine has them, and that is the wire's order.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are little endian");
_Static_assert(sizeof(struct cforcefield_record) == CFORCEFIELD_RECORD_SIZE, "one record, one packet");
_Static_assert(__builtin_offsetof(struct cforcefield_record, violation.arguments) == 24, "as `forcefield` section 13 says");
_Static_assert(__builtin_offsetof(struct cforcefield_record, started.nanoseconds) == 24, "as `forcefield` section 13 says");

void cforcefield_record_make(struct cforcefield_record *record, enum cforcefield_record_kind kind) {
    memset(record, 0, sizeof *record);
    record->magic = CFORCEFIELD_RECORD_MAGIC;
    record->kind = (uint16_t)kind;
}

int cforcefield_record_is_valid(const struct cforcefield_record *record) {
    if (record->magic != CFORCEFIELD_RECORD_MAGIC || record->zero != 0) return 0;
    return (record->kind >= cforcefield_stage_failed && record->kind <= cforcefield_warden) ||
           (record->kind >= cforcefield_go && record->kind <= cforcefield_foreground);
}

int cforcefield_control_send(int control, const struct cforcefield_record *record) {
    for (;;) {
        ssize_t count = send(control, record, sizeof *record, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count == sizeof *record) return 0;
        if (count < 0 && errno == EINTR) continue;
        return -1;
    }
}

// Keeps the one descriptor of a message that bears one, and closes what more there is.
static int take_descriptor(struct msghdr *message) {
    int kept = -1;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(part) + index * sizeof(int), sizeof descriptor);
            if (kept < 0) {
                kept = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return kept;
}

int cforcefield_control_receive(int control, struct cforcefield_record *record, int *pidfd) {
    // One byte more than a record, so that a long packet is not taken for one.
    uint8_t bytes[sizeof *record + 1];
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr aligned;
    } ancillary;
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    ssize_t count;
    // The other side was closed with a record of ours unread (an order to a warden that was about to end). That is told once, and
    // before what the other side said last.
    do {
        count = recvmsg(control, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (count < 0 && (errno == EINTR || errno == ECONNRESET));
    *pidfd = -1;
    if (count < 0) return -1;
    *pidfd = take_descriptor(&message);
    if (count == 0 && *pidfd < 0) return 0;
    memcpy(record, bytes, sizeof *record);
    if (count == sizeof *record && cforcefield_record_is_valid(record)) return 1;
    if (*pidfd >= 0) close(*pidfd);
    *pidfd = -1;
    errno = EBADMSG;
    return -1;
}

#endif
