// Messages and their echoes on connections that are opened before: as many as come back, or so many a second with a look at the time
// that each takes.
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

// Messages under way on one connection.
enum { maximum_pending = 1024 };
// Not counted: until caches are warm and buffers have their size.
static const double warm_up_seconds = 0.5;
enum { maximum_samples = 1 << 22 };

static uint32_t *samples;
static size_t sample_count, message_count;
static bool is_paced, is_counting;

static bool send_message(struct connection *connection, uint64_t now) {
    // Somebody is so far behind that there is nothing to be measured.
    if (connection->pending_count == maximum_pending) return false;
    connection->pending[(connection->pending_head + connection->pending_count++) % maximum_pending] = now;
    return connection_send(connection, message, message_bytes);
}

static void note_echo(struct connection *connection, uint64_t now) {
    uint64_t sent = connection->pending[connection->pending_head];
    connection->pending_head = (connection->pending_head + 1) % maximum_pending;
    connection->pending_count--;
    message_count++;
    if (is_counting && is_paced && sample_count < maximum_samples) samples[sample_count++] = (uint32_t)((now - sent) / 100);
}

static bool drive(struct connection *connection) {
    bool was_open = connection->phase == phase_open;
    if (!connection_advance(connection)) return false;
    if (connection->phase != phase_open) return true;
    if (!was_open && !connection_send(connection, plain_handshake, plain_handshake_bytes)) return false;
    if (!connection_flush(connection)) return false;
    for (;;) {
        size_t before = connection->input_count;
        ssize_t count = connection_read(connection);
        if (count <= 0) return count == 0;
        bool is_drained = connection->tls == NULL && before + (size_t)count < input_capacity;
        if (!connection->is_upgraded) {
            int status = take_answer(connection);
            if (status != 0 && status != 101) return false;
            connection->is_upgraded = status == 101;
            continue;
        }
        int echoes = take_messages(connection);
        if (echoes < 0) return false;
        uint64_t now = is_paced ? now_nanoseconds() : 0;
        for (int i = 0; i < echoes; i++) {
            if (connection->pending_count == 0) return false;
            note_echo(connection, now);
            if (!is_paced && !send_message(connection, 0)) return false;
        }
        if (is_drained) return true;
    }
}

// Waits for events and takes them up.
static void turn(int poll, int64_t wait_nanoseconds) {
    struct epoll_event events[256];
    struct timespec wait = {wait_nanoseconds / 1000000000, wait_nanoseconds % 1000000000};
    int count = epoll_pwait2(poll, events, 256, &wait, NULL);
    for (int i = 0; i < count; i++)
        if (!drive(events[i].data.ptr)) fail("a connection was lost");
}

static int ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static double quantile(double part) { return sample_count == 0 ? 0 : samples[(size_t)((double)(sample_count - 1) * part)] / 10.0; }

int load_echo(const struct options *options) {
    // Sleeps are as short as they are asked to be.
    prctl(PR_SET_TIMERSLACK, 1);
    is_paced = options->rate > 0;
    int poll = epoll_create1(EPOLL_CLOEXEC), count = options->connections;
    struct connection *connections = calloc((size_t)count, sizeof *connections);
    samples = malloc(maximum_samples * sizeof *samples);
    if (poll < 0 || connections == NULL || samples == NULL) fail("memory");
    for (int i = 0; i < count; i++) {
        connections[i].pending = malloc(maximum_pending * sizeof *connections[i].pending);
        if (connections[i].pending == NULL) fail("memory");
        connection_open(&connections[i], options, poll, i);
    }
    uint64_t limit = now_nanoseconds() + 60000000000;
    for (int upgraded = 0; upgraded < count && now_nanoseconds() < limit;) {
        turn(poll, 100000000);
        upgraded = 0;
        for (int i = 0; i < count; i++) upgraded += connections[i].is_upgraded;
    }
    for (int i = 0; i < count; i++) {
        if (!connections[i].is_upgraded) fail("no handshake");
        if (!is_paced && !send_message(&connections[i], 0)) fail("send");
    }

    uint64_t start = now_nanoseconds(), begin = start + (uint64_t)(warm_up_seconds * 1e9);
    uint64_t end = begin + (uint64_t)(options->seconds * 1e9), now, counted_from = begin;
    double processor = 0;
    size_t first = 0, scheduled = 0;
    while ((now = now_nanoseconds()) < end) {
        if (!is_counting && now >= begin) {
            is_counting = true;
            counted_from = now;
            first = message_count;
            processor = processor_seconds(options->processes);
        }
        uint64_t next = end;
        if (is_paced) {
            next = start + (uint64_t)((double)scheduled * 1e9 / options->rate);
            if (next <= now) {
                if (!send_message(&connections[scheduled++ % (size_t)count], now_nanoseconds())) fail("send");
                // Answers are looked for between messages that are late, too.
                next = now;
            }
        } else if (!is_counting) {
            next = begin;
        }
        turn(poll, next > now ? (int64_t)(next - now) : 0);
    }
    double seconds = (double)(now_nanoseconds() - counted_from) / 1e9;
    processor = processor_seconds(options->processes) - processor;
    qsort(samples, sample_count, sizeof *samples, ascending);
    printf(
        "{\"count\": %zu, \"seconds\": %.3f, \"processor\": %.2f, \"p50_us\": %.1f, \"p99_us\": %.1f}\n", message_count - first, seconds,
        processor, quantile(0.5), quantile(0.99));
    return 0;
}
