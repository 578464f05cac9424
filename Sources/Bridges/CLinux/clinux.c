#include "clinux.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// The signals that Swift's runtime catches to print a back-trace.
static const int crash_signals[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
static const size_t crash_signal_count = sizeof crash_signals / sizeof crash_signals[0];

int clinux_harden_process(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
#ifdef __linux__
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
#endif
    struct sigaction usual = {0};
    usual.sa_handler = SIG_DFL;
    for (size_t i = 0; i < crash_signal_count; i++) {
        if (sigaction(crash_signals[i], &usual, NULL) != 0) return -1;
    }
    return 0;
}

int clinux_is_hardened(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_cur != 0 || limit.rlim_max != 0) return 0;
#ifdef __linux__
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) return 0;
#endif
    for (size_t i = 0; i < crash_signal_count; i++) {
        struct sigaction now;
        if (sigaction(crash_signals[i], NULL, &now) != 0 || now.sa_handler != SIG_DFL) return 0;
    }
    return 1;
}

int clinux_terminal_size(int descriptor, unsigned short *columns, unsigned short *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}
