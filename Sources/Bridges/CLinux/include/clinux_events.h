// Waiting for many descriptors at once (epoll). Linux only; elsewhere ENOSYS.
//
// Every function returns 0 or what it says, or -1 with errno set.
#pragma once

#include <stdint.h>

enum clinux_event_interest {
    clinux_event_readable = 1,
    clinux_event_writable = 2,
    // To be asked for beside others: each is told once, and again when there is more of it, or after a change, even to the same
    // (EPOLLET). Without, it is told again and again.
    clinux_event_once = 4,
    // Told of those that are told once: the peer sends nothing more, or the connection is broken.
    clinux_event_ended = 8,
};

struct clinux_event {
    uint64_t token;
    int32_t interest; // of clinux_event_interest; an error or the end of a peer counts as readable and writable
    int32_t zero;
};

// Returns a descriptor, close-on-exec.
int clinux_events_open(void);

// Watches a descriptor for as long as it is open, or not removed. interest 0: only for errors and the end of its peer.
int clinux_events_add(int events, int descriptor, uint64_t token, int interest);
int clinux_events_change(int events, int descriptor, uint64_t token, int interest);
int clinux_events_remove(int events, int descriptor);

// Waits without end for at least one event. Returns how many were written, at most capacity; 0 if a signal came in between.
int clinux_events_wait(int events, struct clinux_event *found, int capacity);

// Takes a connection at a listening socket. Returns its descriptor, close-on-exec, which does not block, and writes the
// address of the other end, a struct sockaddr_storage.
int clinux_accept(int listener, void *address);

// Waits for one descriptor, at most so many nanoseconds. Returns 1 if it is ready, or 0; also 0 if a signal came in between.
int clinux_wait(int descriptor, int interest, int64_t nanoseconds);
