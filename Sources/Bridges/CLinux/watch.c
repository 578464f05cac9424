#include "clinux_watch.h"

#include <errno.h>

#ifndef __linux__

int clinux_watch_open(int directory) {
    errno = ENOSYS;
    return -1;
}

int clinux_watch_take(
    int descriptor, void (*report)(void *context, enum clinux_watch_event event, const char *name), void *context) {
    errno = ENOSYS;
    return -1;
}

#else

#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int clinux_watch_open(int directory) {
    int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0) return -1;
    // By the descriptor, not by its path: the folder that was checked is the folder that is watched.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    const unsigned events = IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    if (inotify_add_watch(descriptor, path, events) >= 0) return descriptor;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

int clinux_watch_take(
    int descriptor, void (*report)(void *context, enum clinux_watch_event event, const char *name), void *context) {
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    for (;;) {
        ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno == EAGAIN ? 0 : -1;
        for (char *next = buffer; next < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)next;
            if (event->mask & IN_Q_OVERFLOW) {
                report(context, clinux_watch_overflow, "");
            } else if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) {
                report(context, clinux_watch_gone, "");
            } else if (event->len > 0) {
                int is_removal = event->mask & (IN_DELETE | IN_MOVED_FROM);
                report(context, is_removal ? clinux_watch_removed : clinux_watch_name, event->name);
            }
            next += sizeof *event + event->len;
        }
    }
}

#endif
