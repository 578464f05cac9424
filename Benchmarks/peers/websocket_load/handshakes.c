// Opens WebSockets one after the other on a number of connections, and cuts each as soon as it is there.
//
// With a script it sends what that says, once: a file of requests, each as a line with the expected status and the number of bytes,
// and then those bytes. What has 101 expected of it is the last of its connection.
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

struct request {
    int status;
    size_t count;
    const char *bytes;
};

struct script {
    struct request *requests;
    size_t count, next;
};

static struct script read_script(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail(path);
    struct script script = {0};
    int status;
    size_t count;
    while (fscanf(file, "%d %zu", &status, &count) == 2 && fgetc(file) == '\n') {
        char *bytes = malloc(count);
        script.requests = realloc(script.requests, (script.count + 1) * sizeof *script.requests);
        if (bytes == NULL || script.requests == NULL || fread(bytes, 1, count, file) != count) fail(path);
        script.requests[script.count++] = (struct request){status, count, bytes};
    }
    fclose(file);
    return script;
}

static struct script script;
static size_t done, failed;

static const struct request *request_of(const struct connection *connection) {
    static struct request plain = {101, 0, plain_handshake};
    plain.count = plain_handshake_bytes;
    return script.requests == NULL ? &plain : &script.requests[connection->job];
}

// Takes the requests of one connection off the script; returns false if there are no more.
static bool take_job(struct connection *connection) {
    if (script.requests == NULL) return true;
    connection->job = script.next;
    while (script.next < script.count && script.requests[script.next].status != 101) script.next++;
    return script.next++ < script.count;
}

// Returns whether the connection has still something to do.
static bool drive(struct connection *connection) {
    bool was_open = connection->phase == phase_open;
    if (!connection_advance(connection)) goto lost;
    if (connection->phase != phase_open) return true;
    const struct request *request = request_of(connection);
    if (!was_open && !connection_send(connection, request->bytes, request->count)) goto lost;
    if (!connection_flush(connection)) goto lost;
    for (;;) {
        ssize_t count = connection_read(connection);
        if (count == 0) return true;
        int status = count < 0 ? -1 : take_answer(connection);
        if (status == 0) continue;
        if (status != request->status) {
            if (status > 0 && failed == 0) fprintf(stderr, "refused with %d\n", status);
            goto lost;
        }
        if (status == 101) {
            done++;
            return false;
        }
        connection->job++;
        request = request_of(connection);
        if (!connection_send(connection, request->bytes, request->count)) goto lost;
    }
lost:
    failed++;
    return false;
}

int load_handshakes(const struct options *options) {
    if (options->script != NULL) script = read_script(options->script);
    int poll = epoll_create1(EPOLL_CLOEXEC), active = 0;
    struct connection *connections = calloc((size_t)options->connections, sizeof *connections);
    if (poll < 0 || connections == NULL) fail("memory");
    uint64_t start = now_nanoseconds(), end = start + (uint64_t)(options->seconds * 1e9);
    double processor = processor_seconds(options->processes);
    for (int i = 0; i < options->connections && take_job(&connections[i]); i++, active++)
        connection_open(&connections[i], options, poll, i);
    bool is_over = false;
    while (active > 0 && !(is_over && script.requests == NULL)) {
        struct epoll_event events[256];
        int count = epoll_wait(poll, events, 256, 1000);
        is_over = now_nanoseconds() >= end;
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if (drive(connection)) continue;
            connection_cut(connection);
            if ((is_over && script.requests == NULL) || !take_job(connection)) {
                active--;
            } else {
                connection_open(connection, options, poll, (int)(connection - connections));
            }
        }
        // Nothing takes a minute but what will never come.
        if (is_over && now_nanoseconds() > end + 60000000000) break;
    }
    double seconds = (double)(now_nanoseconds() - start) / 1e9;
    printf(
        "{\"count\": %zu, \"failed\": %zu, \"seconds\": %.3f, \"processor\": %.2f}\n", done, failed + (script.requests ? active : 0),
        seconds, processor_seconds(options->processes) - processor);
    return 0;
}
