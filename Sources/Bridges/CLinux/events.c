#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "clinux_events.h"

#include <errno.h>

#ifndef __linux__

static int none(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_events_open(void) { return none(); }
int clinux_events_add(int events, int descriptor, uint64_t token, int interest) { return none(); }
int clinux_events_change(int events, int descriptor, uint64_t token, int interest) { return none(); }
int clinux_events_remove(int events, int descriptor) { return none(); }
int clinux_events_wait(int events, struct clinux_event *found, int capacity) { return none(); }
int clinux_accept(int listener, void *address) { return none(); }
int clinux_wait(int descriptor, int interest, int64_t nanoseconds) { return none(); }

#else

#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

enum { most_events = 64 };

static int control(int events, int operation, int descriptor, uint64_t token, int interest) {
    struct epoll_event event = {.data.u64 = token};
    if (interest & clinux_event_readable) event.events |= EPOLLIN;
    if (interest & clinux_event_writable) event.events |= EPOLLOUT;
    if (interest & clinux_event_once) event.events |= EPOLLET | EPOLLRDHUP;
    return epoll_ctl(events, operation, descriptor, &event);
}

int clinux_events_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_events_add(int events, int descriptor, uint64_t token, int interest) {
    return control(events, EPOLL_CTL_ADD, descriptor, token, interest);
}

int clinux_events_change(int events, int descriptor, uint64_t token, int interest) {
    return control(events, EPOLL_CTL_MOD, descriptor, token, interest);
}

int clinux_events_remove(int events, int descriptor) { return control(events, EPOLL_CTL_DEL, descriptor, 0, 0); }

int clinux_events_wait(int events, struct clinux_event *found, int capacity) {
    struct epoll_event ready[most_events];
    int count = epoll_wait(events, ready, capacity < most_events ? capacity : most_events, -1);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        int32_t interest = 0;
        if (ready[index].events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) interest |= clinux_event_readable;
        if (ready[index].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) interest |= clinux_event_writable;
        if (ready[index].events & (EPOLLRDHUP | EPOLLERR | EPOLLHUP)) interest |= clinux_event_ended;
        found[index] = (struct clinux_event){ready[index].data.u64, interest, 0};
    }
    return count;
}

int clinux_accept(int listener, void *address) {
    socklen_t length = sizeof(struct sockaddr_storage);
    return accept4(listener, address, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int clinux_wait(int descriptor, int interest, int64_t nanoseconds) {
    struct pollfd watched = {.fd = descriptor};
    if (interest & clinux_event_readable) watched.events |= POLLIN;
    if (interest & clinux_event_writable) watched.events |= POLLOUT;
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(&watched, 1, &time, NULL) > 0;
}

#endif
