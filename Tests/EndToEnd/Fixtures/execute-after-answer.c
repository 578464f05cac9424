// Connects to a validator, hands its challenge to standard output, sends what comes from standard input as its own answer, and
// becomes the genuine program before the validator looks.
//
//     execute-after-answer SOCKET HANDLES PROGRAM ARGUMENT...      HANDLES: 3 to send descriptors of itself, 0 for none
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void read_all(int from, unsigned char *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = read(from, bytes + done, count - done);
        if (got <= 0) exit(1);
        done += (size_t)got;
    }
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    int validator = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    if (connect(validator, (struct sockaddr *)&address, sizeof address) != 0) return 1;

    static unsigned char frame[65540];
    read_all(validator, frame, 4);
    size_t length = (size_t)frame[2] << 8 | frame[3];
    read_all(validator, frame + 4, length);
    if (write(STDOUT_FILENO, frame, 4 + length) < 0) return 1;

    read_all(STDIN_FILENO, frame, 4);
    length = (size_t)frame[2] << 8 | frame[3];
    read_all(STDIN_FILENO, frame + 4, length);

    int handles[3] = {
        open("/proc/self/exe", O_RDONLY), open("/proc/self/maps", O_RDONLY), open("/proc/self/pagemap", O_RDONLY)};
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof handles)]; } control = {0};
    struct iovec part = {frame, 4 + length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (arguments[2][0] == '3') {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        control.header = (struct cmsghdr){CMSG_LEN(sizeof handles), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), handles, sizeof handles);
    }
    if (sendmsg(validator, &message, 0) < 0) return 1;
    execv(arguments[3], arguments + 3);
    return 1;
}
