// Opens many connections and holds them. Prints how many are open; a line on standard input has it send a message on each and print
// how many echoes came; the end of the input ends it.
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

// Handshakes under way: fewer than any proxy has room for.
enum { maximum_opening = 64 };

static int open_count, lost_count, echo_count;

static bool drive(struct connection *connection) {
    bool was_open = connection->phase == phase_open;
    if (!connection_advance(connection)) return false;
    if (connection->phase != phase_open) return true;
    if (!was_open && !connection_send(connection, plain_handshake, plain_handshake_bytes)) return false;
    if (!connection_flush(connection)) return false;
    for (;;) {
        ssize_t count = connection_read(connection);
        if (count <= 0) return count == 0;
        if (!connection->is_upgraded) {
            int status = take_answer(connection);
            if (status != 0 && status != 101) return false;
            connection->is_upgraded = status == 101;
            open_count += connection->is_upgraded;
            continue;
        }
        int echoes = take_messages(connection);
        if (echoes < 0) return false;
        echo_count += echoes;
    }
}

static void turn(int poll, struct epoll_event *input) {
    struct epoll_event events[256];
    int count = epoll_wait(poll, events, 256, 100);
    if (input != NULL) input->events = 0;
    for (int i = 0; i < count; i++) {
        struct connection *connection = events[i].data.ptr;
        if (connection == NULL) {
            if (input != NULL) *input = events[i];
        } else if (connection->phase != phase_none && !drive(connection)) {
            open_count -= connection->is_upgraded;
            lost_count++;
            connection_cut(connection);
        }
    }
}

static void report(const char *name, int count) {
    printf("{\"%s\": %d, \"lost\": %d}\n", name, count, lost_count);
    fflush(stdout);
}

int hold_idle(const struct options *options) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = calloc((size_t)options->connections, sizeof *connections);
    if (poll < 0 || connections == NULL) fail("memory");
    uint64_t limit = now_nanoseconds() + 300000000000;
    for (int begun = 0; open_count + lost_count < options->connections && now_nanoseconds() < limit;) {
        for (; begun < options->connections && begun - open_count - lost_count < maximum_opening; begun++)
            connection_open(&connections[begun], options, poll, begun);
        turn(poll, NULL);
    }
    report("open", open_count);

    struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) fail("epoll_ctl");
    for (;;) {
        turn(poll, &input);
        char line[64];
        if (input.events == 0) continue;
        if (read(STDIN_FILENO, line, sizeof line) <= 0) return 0;
        echo_count = 0;
        for (int i = 0; i < options->connections; i++)
            if (connections[i].phase == phase_open && !connection_send(&connections[i], message, message_bytes)) lost_count++;
        limit = now_nanoseconds() + 60000000000;
        while (echo_count < open_count && now_nanoseconds() < limit) turn(poll, NULL);
        report("echoed", echo_count);
    }
}
