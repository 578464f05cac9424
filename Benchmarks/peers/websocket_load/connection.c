// Sockets that never block, with and without TLS.
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

void connection_open(struct connection *connection, const struct options *options, int poll, int number) {
    int one = 1;
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) fail("socket");
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (options->sources > 1) {
        struct sockaddr_in source = {.sin_family = AF_INET};
        source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(number % options->sources));
        // The port is chosen when it connects: then only all four parts together have to be unique.
        setsockopt(socket_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        if (bind(socket_, (struct sockaddr *)&source, sizeof source) != 0) fail("bind");
    }
    connection->socket = socket_;
    connection->phase = phase_connecting;
    connection->output = NULL;
    connection->output_left = connection->input_count = 0;
    connection->is_upgraded = false;
    connection->pending_head = connection->pending_count = 0;
    if (options->tls != NULL) {
        if (connection->tls != NULL) SSL_free(connection->tls);
        connection->tls = SSL_new(options->tls);
        if (connection->tls == NULL || SSL_set_fd(connection->tls, socket_) != 1) fail("TLS");
        SSL_set_connect_state(connection->tls);
    }
    if (connect(socket_, (const struct sockaddr *)&options->target, sizeof options->target) != 0 && errno != EINPROGRESS)
        fail("connect");
    // Told once of every change, so that no call of epoll is needed later.
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, socket_, &event) != 0) fail("epoll_ctl");
}

bool connection_advance(struct connection *connection) {
    if (connection->phase == phase_connecting) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(connection->socket, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0) return false;
        struct tcp_info info;
        size = sizeof info;
        if (getsockopt(connection->socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || info.tcpi_state == TCP_SYN_SENT) return true;
        connection->phase = connection->tls != NULL ? phase_securing : phase_open;
    }
    if (connection->phase == phase_securing) {
        ERR_clear_error();
        int result = SSL_do_handshake(connection->tls);
        if (result == 1) {
            connection->phase = phase_open;
            return true;
        }
        int reason = SSL_get_error(connection->tls, result);
        return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE;
    }
    return true;
}

bool connection_flush(struct connection *connection) {
    while (connection->output_left > 0) {
        ssize_t count;
        if (connection->tls != NULL) {
            ERR_clear_error();
            count = SSL_write(connection->tls, connection->output, (int)connection->output_left);
            if (count <= 0) {
                int reason = SSL_get_error(connection->tls, (int)count);
                return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE;
            }
        } else {
            count = send(connection->socket, connection->output, connection->output_left, MSG_NOSIGNAL);
            if (count < 0) return errno == EAGAIN || errno == EINTR;
        }
        connection->output += count;
        connection->output_left -= (size_t)count;
    }
    return true;
}

bool connection_send(struct connection *connection, const void *bytes, size_t count) {
    // Whoever sends waits for an answer before it sends more than sockets hold.
    if (connection->output_left > 0) return false;
    connection->output = bytes;
    connection->output_left = count;
    return connection_flush(connection);
}

ssize_t connection_read(struct connection *connection) {
    size_t space = input_capacity - connection->input_count;
    uint8_t *place = connection->input + connection->input_count;
    if (space == 0) return -1;
    ssize_t count;
    if (connection->tls != NULL) {
        ERR_clear_error();
        count = SSL_read(connection->tls, place, (int)space);
        if (count <= 0) return SSL_get_error(connection->tls, (int)count) == SSL_ERROR_WANT_READ ? 0 : -1;
    } else {
        count = recv(connection->socket, place, space, 0);
        if (count == 0) return -1;
        if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    }
    connection->input_count += (size_t)count;
    return count;
}

void connection_drop(struct connection *connection, size_t count) {
    connection->input_count -= count;
    if (connection->input_count > 0) memmove(connection->input, connection->input + count, connection->input_count);
}

void connection_cut(struct connection *connection) {
    if (connection->phase == phase_none) return;
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection->socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    close(connection->socket);
    connection->phase = phase_none;
}
