#include "clean_start.h"

// Nothing here calls a library: the symbols of any may be somebody else's until the program has replaced itself.

// Variables that a program of this house reads, and those by which a terminal and the places of a user are known. None names code.
static const char *const kept_names[] = {
    "COLORTERM=", "COLUMNS=", "HOME=", "LANG=", "LANGUAGE=", "LINES=", "LISTEN_FDNAMES=", "LISTEN_FDS=", "LISTEN_PID=", "LOGNAME=",
    "NO_COLOR=", "STATE_DIRECTORY=", "TERM=", "TMPDIR=", "TZ=", "USER=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_RUNTIME_DIR=", "XDG_SESSION_ID=",
    "XDG_STATE_HOME=",
};
static const char *const kept_prefixes[] = {"CASEMATE_", "LC_", "MAINKEY_", "VIGIL_"};
// Swift reads how to tell of a crash from it, the path of a program included; to have nothing told is all that may be asked for.
static const char no_backtrace[] = "SWIFT_BACKTRACE=enable=no";
// tpm2-tss writes to standard error of its own accord, wrong PINs included, unless this is there when it first has something to say.
static const char quiet_tpm[] = "TSS2_LOG=all+NONE";

static const char *const loader_prefixes[] = {"LD_", "GLIBC_TUNABLES=", "MALLOC_"};

static int has_prefix(const char *text, const char *prefix) {
    while (*prefix)
        if (*text++ != *prefix++) return 0;
    return 1;
}

static int is_equal(const char *one, const char *other) {
    while (*one && *one == *other) {
        one++;
        other++;
    }
    return *one == *other;
}

static int ends_with_equals_sign(const char *text) {
    while (text[0] && text[1]) text++;
    return *text == '=';
}

#define COUNT(table) (sizeof table / sizeof table[0])

int clean_start_keeps(const char *variable) {
    for (unsigned long i = 0; i < COUNT(kept_names); i++)
        if (has_prefix(variable, kept_names[i])) return 1;
    for (unsigned long i = 0; i < COUNT(kept_prefixes); i++)
        if (has_prefix(variable, kept_prefixes[i])) return 1;
    if (clean_start_further)
        for (const char *const *further = clean_start_further; *further; further++)
            if (ends_with_equals_sign(*further) ? has_prefix(variable, *further) : is_equal(variable, *further)) return 1;
    return is_equal(variable, no_backtrace) || is_equal(variable, quiet_tpm);
}

int clean_start_is_read_by_loader(const char *variable) {
    for (unsigned long i = 0; i < COUNT(loader_prefixes); i++)
        if (has_prefix(variable, loader_prefixes[i])) return 1;
    return 0;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <sys/prctl.h>
#include <sys/syscall.h>

static long call(long number, long a, long b, long c, long d, long e) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#endif
}

// EX_SOFTWARE of sysexits.h.
enum { internal_failure = 70 };

static void end(const char *message) {
    long length = 0;
    while (message[length]) length++;
    call(SYS_write, 2, (long)message, length, 0, 0);
    call(SYS_exit_group, internal_failure, 0, 0, 0, 0);
}

// Takes away what is not kept, also from what /proc shows. The list stays where it is: Swift finds the arguments by it, and whoever adds
// to it by a library before Swift has looked hides them. What a library would write is turned off in the place of what was taken away.
//
// - Parameters:
//   - was_read: whether the loader has read something of what was taken away.
//   - is_quiet: whether tpm2-tss is turned off, for which there may have been no place.
static void clean(char **environment, int *was_read, int *is_quiet) {
    char **rest = environment, **variable = environment;
    for (; *variable; variable++) {
        if (clean_start_keeps(*variable)) {
            *is_quiet |= is_equal(*variable, quiet_tpm);
            *rest++ = *variable;
            continue;
        }
        *was_read |= clean_start_is_read_by_loader(*variable);
        for (volatile char *letter = *variable; *letter; letter++) *letter = 0;
    }
    if (!*is_quiet && rest < variable) {
        *rest++ = (char *)quiet_tpm;
        *is_quiet = 1;
    }
    *rest = 0;
}

// Starts the program anew, with tpm2-tss turned off in any case. Comes back where /proc is not mounted.
static void start_anew(char **arguments, char **environment, int is_quiet) {
    unsigned long count = 0;
    while (environment[count]) count++;
    char *all[count + 2];
    for (unsigned long i = 0; i < count; i++) all[i] = environment[i];
    if (!is_quiet) all[count++] = (char *)quiet_tpm;
    all[count] = 0;
    call(SYS_execve, (long)"/proc/self/exe", (long)arguments, (long)all, 0, 0);
}

// The group of the file becomes the saved one: whoever looks sees by it that the kernel hid this process from its first instruction,
// nobody of the caller's groups may trace it, and what it makes or starts has nothing of it.
//
// - Returns: whether the process was started set-group-ID.
static int put_group_aside(void) {
    unsigned int real, effective, saved;
    if (call(SYS_getresgid, (long)&real, (long)&effective, (long)&saved, 0, 0) != 0) end("getresgid failed\n");
    if (effective == real) return 0;
    if (call(SYS_setresgid, real, real, effective, 0, 0) != 0) end("setresgid failed\n");
    // Changing groups has not made it visible; in a kernel that is set to dump such programs (fs.suid_dumpable) it was so from the start.
    if (call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) end("the process cannot be hidden\n");
    return 1;
}

static void clean_start(int count, char **arguments, char **environment) {
    (void)count;
    int was_read = 0, is_quiet = 0;
    clean(environment, &was_read, &is_quiet);
    // The loader has taken no notice then.
    if (put_group_aside()) return;
    if (was_read || !is_quiet) start_anew(arguments, environment, is_quiet);
    // What is left for a second start has nothing of the kind.
    if (!was_read) return;
    end("LD_ variables are set, and the program cannot start anew without them: unset them, or mount /proc\n");
}

// Before the constructors of all libraries (System V ABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = clean_start;

#endif
