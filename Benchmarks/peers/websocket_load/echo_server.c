// The service behind the proxies: takes every WebSocket, and sends every message back.
#include "load.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { client_capacity = 16384 };

struct client {
    int socket;
    bool is_upgraded;
    size_t count;
    uint8_t *input;
};

static bool send_all(int socket_, const void *bytes, size_t count) {
    return send(socket_, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static void drop(struct client *client, size_t count) {
    client->count -= count;
    memmove(client->input, client->input + count, client->count);
}

static bool upgrade(struct client *client) {
    uint8_t *end = memmem(client->input, client->count, "\r\n\r\n", 4);
    if (end == NULL) return client->count < client_capacity;
    end[3] = 0;
    const char *key = strcasestr((const char *)client->input, "\nsec-websocket-key:");
    if (key == NULL) return false;
    key += strlen("\nsec-websocket-key:");
    while (*key == ' ') key++;
    char text[24 + 36 + 1];
    snprintf(text, sizeof text, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    uint8_t digest[SHA_DIGEST_LENGTH], accept[32];
    SHA1((const uint8_t *)text, strlen(text), digest);
    EVP_EncodeBlock(accept, digest, sizeof digest);
    char answer[256];
    int size = snprintf(
        answer, sizeof answer,
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n\r\n", accept);
    drop(client, (size_t)(end + 4 - client->input));
    client->is_upgraded = true;
    return send_all(client->socket, answer, (size_t)size);
}

// Answers all whole frames with one call. An answer is shorter than its question by the mask: it is written where that was.
static bool echo(struct client *client) {
    size_t offset = 0, written = 0;
    bool is_last = false;
    while (client->count - offset >= 2 && !is_last) {
        uint8_t *frame = client->input + offset;
        size_t header = 2, length = frame[1] & 0x7f;
        if (length == 127 || (frame[1] & 0x80) == 0) return false;
        if (length == 126) {
            if (client->count - offset < 4) break;
            length = (size_t)frame[2] << 8 | frame[3];
            header = 4;
        }
        if (header + 4 + length > client_capacity) return false;
        if (client->count - offset < header + 4 + length) break;
        offset += header + 4 + length;
        uint8_t key[4], opcode = frame[0] & 0x0f;
        memcpy(key, frame + header, 4);
        if (opcode == 0xa) continue;
        is_last = opcode == 0x8;
        uint8_t *answer = client->input + written;
        uint8_t first = opcode == 0x9 ? 0x8a : frame[0];
        memmove(answer + 1, frame + 1, header - 1);
        answer[0] = first;
        answer[1] &= 0x7f;
        memmove(answer + header, frame + header + 4, length);
        for (size_t i = 0; i < length; i++) answer[header + i] ^= key[i & 3];
        written += header + length;
    }
    bool is_sent = written == 0 || send_all(client->socket, client->input, written);
    drop(client, offset);
    return is_sent && !is_last;
}

static bool serve(struct client *client) {
    for (;;) {
        size_t space = client_capacity - client->count;
        if (space == 0) return false;
        ssize_t count = recv(client->socket, client->input + client->count, space, 0);
        if (count < 0 && errno == EAGAIN) return true;
        if (count <= 0) return false;
        client->count += (size_t)count;
        if (!client->is_upgraded && !upgrade(client)) return false;
        if (client->is_upgraded && !echo(client)) return false;
        if ((size_t)count < space) return true;
    }
}

static void take(int listener, int poll) {
    int socket_;
    while ((socket_ = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int one = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct client *client = calloc(1, sizeof *client);
        if (client == NULL || (client->input = malloc(client_capacity)) == NULL) fail("memory");
        client->socket = socket_;
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = client};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, socket_, &event) != 0) fail("epoll_ctl");
    }
}

int serve_echo(const struct options *options) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in place = options->target;
    socklen_t size = sizeof place;
    if (bind(listener, (struct sockaddr *)&place, size) != 0 || listen(listener, 4096) != 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&place, &size);
    printf("%d\n", ntohs(place.sin_port));
    fflush(stdout);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) != 0) fail("epoll");
    for (;;) {
        struct epoll_event events[256];
        int count = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            struct client *client = events[i].data.ptr;
            if (client == NULL) {
                take(listener, poll);
            } else if (!serve(client)) {
                close(client->socket);
                free(client->input);
                free(client);
            }
        }
    }
}
