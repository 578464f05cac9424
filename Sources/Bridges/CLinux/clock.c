#define _GNU_SOURCE
#include "clinux_clock.h"

#include <errno.h>

#ifdef __APPLE__

#include <sys/sysctl.h>
#include <sys/types.h>

int clinux_process_start(int process, uint64_t *start) {
    struct kinfo_proc found;
    size_t size = sizeof found;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    if (sysctl(name, 4, &found, &size, NULL, 0) != 0) return -1;
    if (size != sizeof found) {
        errno = ESRCH;
        return -1;
    }
    *start = (uint64_t)found.kp_proc.p_starttime.tv_sec * 1000000 + (uint64_t)found.kp_proc.p_starttime.tv_usec;
    return 0;
}

#else

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// proc(5): the 22nd field; the second, the name in brackets, may itself hold spaces and brackets.
int clinux_process_start(int process, uint64_t *start) {
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ENOENT) errno = ESRCH;
        return -1;
    }
    ssize_t count = read(descriptor, text, sizeof text - 1);
    int reason = errno;
    close(descriptor);
    errno = reason;
    if (count < 0) return -1;
    text[count] = 0;
    const char *rest = strrchr(text, ')');
    unsigned long long found;
    if (!rest || sscanf(rest + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &found) != 1) {
        errno = EIO;
        return -1;
    }
    *start = found;
    return 0;
}

#endif

#ifndef __linux__

int clinux_boot_timer_open(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_boot_timer_set(int descriptor, int64_t milliseconds) {
    errno = ENOSYS;
    return -1;
}

int64_t clinux_boot_timer_take(int descriptor) {
    errno = ENOSYS;
    return -1;
}

#else

#include <sys/timerfd.h>
#include <time.h>

int clinux_boot_timer_open(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_boot_timer_set(int descriptor, int64_t milliseconds) {
    struct itimerspec when = {0};
    if (milliseconds >= 0) {
        when.it_value.tv_sec = milliseconds / 1000;
        // All zero would stop the timer; a nanosecond after the start of the machine is past as well.
        when.it_value.tv_nsec = milliseconds ? milliseconds % 1000 * 1000000 : 1;
    }
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

int64_t clinux_boot_timer_take(int descriptor) {
    uint64_t fired;
    ssize_t count = read(descriptor, &fired, sizeof fired);
    if (count == sizeof fired) return (int64_t)fired;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

#endif
