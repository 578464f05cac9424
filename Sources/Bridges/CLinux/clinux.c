#include "clinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
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

static const int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { ending_signal_count = sizeof ending_signals / sizeof ending_signals[0] };

// What is brought back. Written before `hidden` is set and after it is cleared, so that the handler reads whole values.
static struct termios shown;
static struct sigaction handlers_before[ending_signal_count];
static int hidden_terminal;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int hidden;

// tcsetattr, sigaction and raise may be called in a handler (POSIX.1-2017, 2.4.3).
static void show_and_end(int signal) {
    if (atomic_exchange(&hidden, 0)) tcsetattr(hidden_terminal, TCSANOW, &shown);
    struct sigaction usual = {0};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, NULL);
    raise(signal);
}

int clinux_terminal_hide(int descriptor) {
    if (atomic_flag_test_and_set(&taken)) {
        errno = EBUSY;
        return -1;
    }
    if (tcgetattr(descriptor, &shown) != 0) {
        atomic_flag_clear(&taken);
        return -1;
    }
    hidden_terminal = descriptor;
    struct sigaction ending = {0};
    ending.sa_handler = show_and_end;
    for (int i = 0; i < ending_signal_count; i++) {
        sigaction(ending_signals[i], NULL, &handlers_before[i]);
        // Who ignores a signal, or handles it in another way, goes on to.
        if (handlers_before[i].sa_handler == SIG_DFL) sigaction(ending_signals[i], &ending, NULL);
    }
    atomic_store(&hidden, 1);
    struct termios without = shown;
    without.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    if (tcsetattr(descriptor, TCSAFLUSH, &without) == 0) return 0;
    int reason = errno;
    clinux_terminal_show();
    errno = reason;
    return -1;
}

int clinux_terminal_show(void) {
    int result = atomic_exchange(&hidden, 0) ? tcsetattr(hidden_terminal, TCSAFLUSH, &shown) : 0;
    for (int i = 0; i < ending_signal_count; i++) sigaction(ending_signals[i], &handlers_before[i], NULL);
    atomic_flag_clear(&taken);
    return result;
}

int clinux_finish_output(void) {
    int lost = ferror(stdout);
    if (fflush(stdout) != 0) return -1;
    if (!lost) return 0;
    errno = EIO;
    return -1;
}
