#define _GNU_SOURCE
#include "clinux_rights.h"

#ifdef __linux__

#include <errno.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Both are among the first 32.
static const uint32_t to_look = CAP_TO_MASK(CAP_SYS_PTRACE) | CAP_TO_MASK(CAP_DAC_READ_SEARCH);

int clinux_started_elevated(void) { return getauxval(AT_SECURE) != 0; }

uint64_t clinux_rights_to_look(void) { return to_look; }

struct capabilities {
    struct __user_cap_data_struct parts[_LINUX_CAPABILITY_U32S_3];
};

// Of the calling thread: the C library has no call for it, and each thread has its own.
static int get(struct capabilities *now) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    return (int)syscall(SYS_capget, &header, now->parts);
}

static int set(const struct capabilities *wanted) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    return (int)syscall(SYS_capset, &header, wanted->parts);
}

int clinux_keep_rights_to_look(void) {
    if (geteuid() == 0) return 0;
    struct capabilities now, wanted = {0};
    if (get(&now) != 0) return -1;
    wanted.parts[0].permitted = now.parts[0].permitted & to_look;
    // What a program gets that this one starts. Kernels before 4.3 have no such thing.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) return -1;
    if (set(&wanted) != 0) return -1;
    return wanted.parts[0].permitted == 0 ? 0 : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int clinux_has_rights_to_look(void) {
    struct capabilities now;
    return get(&now) == 0 && (now.parts[0].permitted & to_look) == to_look;
}

static int have_effect(int is_raised) {
    struct capabilities now;
    if (get(&now) != 0) return -1;
    uint32_t before = now.parts[0].effective;
    uint32_t after = is_raised ? before | (now.parts[0].permitted & to_look) : before & ~to_look;
    if (after == before) return 0;
    now.parts[0].effective = after;
    return set(&now) == 0 ? 1 : -1;
}

int clinux_raise_rights_to_look(void) { return have_effect(1); }
int clinux_lower_rights_to_look(void) { return have_effect(0); }

#else

int clinux_started_elevated(void) { return 0; }
uint64_t clinux_rights_to_look(void) { return 0; }
int clinux_keep_rights_to_look(void) { return 0; }
int clinux_has_rights_to_look(void) { return 0; }
int clinux_raise_rights_to_look(void) { return 0; }
int clinux_lower_rights_to_look(void) { return 0; }

#endif
