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
#elif defined(__APPLE__)
#include <TargetConditionals.h>
#if TARGET_OS_OSX
#include <sys/types.h>
#include <sys/ptrace.h>
#endif
#endif

// The signals that Swift's runtime catches to print a back-trace.
static const int crash_signals[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
static const size_t crash_signal_count = sizeof crash_signals / sizeof crash_signals[0];

static void show_and_end(int signal, siginfo_t *information, void *context);

int clinux_harden_process(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
#ifdef __linux__
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
#elif defined(__APPLE__) && TARGET_OS_OSX
    // iOS has no such call for apps, and lets nobody trace those that are not made for that.
    if (ptrace(PT_DENY_ATTACH, 0, NULL, 0) != 0) return -1;
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
        if (sigaction(crash_signals[i], NULL, &now) != 0) return 0;
        if (now.sa_handler != SIG_DFL && now.sa_sigaction != show_and_end) return 0;
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

// TSTP is held back, and does not end anything: what is shown would stay on the screen of a program that sleeps.
static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
enum { ending_signal_count = sizeof ending_signals / sizeof ending_signals[0] };

// What is brought back. Written before its flag is set and after it is cleared, so that the handler reads whole values. A flag is
// cleared behind what it stands for: a signal in between brings back what is back already, and none finds it half done and ends.
static struct termios shown;
static int hidden_terminal;
static int covered_terminal;
static int covers_secrets;
static struct sigaction handlers_before[ending_signal_count];
static atomic_flag hide_taken = ATOMIC_FLAG_INIT;
static atomic_flag cover_taken = ATOMIC_FLAG_INIT;
static atomic_int hidden;
static atomic_int covered;
// How many of the two hold the signals.
static atomic_int holders;
static atomic_int given_up;

static void write_control(int descriptor, const char *text, size_t count) {
    if (write(descriptor, text, count) < 0) return;
}

// Not every terminal has another screen, and some keep what was on it: it is erased. The last sequence but two forgets what went
// out at the top, which is where secrets are that did not fit.
static void uncover(void) {
    static const char erase[] = "\033[H\033[2J", forget[] = "\033[3J", leave[] = "\033[?25h\033[?1049l";
    write_control(covered_terminal, erase, sizeof erase - 1);
    if (covers_secrets) write_control(covered_terminal, forget, sizeof forget - 1);
    write_control(covered_terminal, leave, sizeof leave - 1);
}

// tcsetattr, write, sigaction and raise may be called in a handler (POSIX.1-2017, 2.4.3).
static void show_and_end(int signal, siginfo_t *information, void *context) {
    if (signal == SIGTSTP) return;
    int reason = errno;
    atomic_store(&given_up, 1);
    if (atomic_load(&covered)) uncover();
    atomic_store(&covered, 0);
    if (atomic_load(&hidden)) tcsetattr(hidden_terminal, TCSANOW, &shown);
    atomic_store(&hidden, 0);
    for (int i = 0; i < ending_signal_count; i++) {
        // Who handled it before ends the program.
        if (ending_signals[i] != signal || handlers_before[i].sa_handler == SIG_DFL) continue;
        if (handlers_before[i].sa_flags & SA_SIGINFO) handlers_before[i].sa_sigaction(signal, information, context);
        else handlers_before[i].sa_handler(signal);
        errno = reason;
        return;
    }
    struct sigaction usual = {0};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, NULL);
    raise(signal);
}

static void hold_signals(void) {
    if (atomic_fetch_add(&holders, 1) > 0) return;
    atomic_store(&given_up, 0);
    struct sigaction ending = {0};
    ending.sa_sigaction = show_and_end;
    ending.sa_flags = SA_RESTART | SA_SIGINFO;
    // Writing waits while output is stopped: another of them waits as well, and does not end the program meanwhile.
    for (int i = 0; i < ending_signal_count; i++) sigaddset(&ending.sa_mask, ending_signals[i]);
    for (int i = 0; i < ending_signal_count; i++) {
        sigaction(ending_signals[i], NULL, &handlers_before[i]);
        // Who ignores a signal goes on to.
        if (handlers_before[i].sa_handler != SIG_IGN) sigaction(ending_signals[i], &ending, NULL);
    }
}

static void release_signals(void) {
    if (atomic_fetch_sub(&holders, 1) > 1) return;
    for (int i = 0; i < ending_signal_count; i++) sigaction(ending_signals[i], &handlers_before[i], NULL);
}

int clinux_terminal_hide(int descriptor) {
    if (atomic_flag_test_and_set(&hide_taken)) {
        errno = EBUSY;
        return -1;
    }
    if (tcgetattr(descriptor, &shown) != 0) {
        atomic_flag_clear(&hide_taken);
        return -1;
    }
    hidden_terminal = descriptor;
    hold_signals();
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
    int result = atomic_load(&hidden) ? tcsetattr(hidden_terminal, TCSAFLUSH, &shown) : 0;
    atomic_store(&hidden, 0);
    release_signals();
    atomic_flag_clear(&hide_taken);
    return result;
}

int clinux_terminal_cover(int descriptor, int secrets) {
    if (atomic_flag_test_and_set(&cover_taken)) {
        errno = EBUSY;
        return -1;
    }
    covered_terminal = descriptor;
    covers_secrets = secrets;
    hold_signals();
    atomic_store(&covered, 1);
    static const char other[] = "\033[?1049h";
    write_control(descriptor, other, sizeof other - 1);
    return 0;
}

void clinux_terminal_uncover(void) {
    if (atomic_load(&covered)) uncover();
    atomic_store(&covered, 0);
    release_signals();
    atomic_flag_clear(&cover_taken);
}

int clinux_terminal_is_given_up(void) { return atomic_load(&holders) > 0 && atomic_load(&given_up); }

int clinux_finish_output(void) {
    int lost = ferror(stdout);
    if (fflush(stdout) != 0) return -1;
    if (!lost) return 0;
    errno = EIO;
    return -1;
}
