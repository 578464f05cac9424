#define _GNU_SOURCE
#include "clinux_keyring.h"

#include <errno.h>

#ifndef __linux__

int clinux_keyring_available(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_keyring_write(const char *name, const void *payload, size_t count, unsigned seconds) {
    errno = ENOSYS;
    return -1;
}

int64_t clinux_keyring_read(const char *name, void *buffer, size_t capacity) {
    errno = ENOSYS;
    return -1;
}

int clinux_keyring_remove(const char *name) {
    errno = ENOSYS;
    return -1;
}

int clinux_keyring_list(void (*report)(void *context, const char *name), void *context) {
    errno = ENOSYS;
    return -1;
}

#else

#include <linux/keyctl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// keyctl(2), KEYCTL_SETPERM: all rights to the possessor, none to the user, the group and others.
#define POSSESSOR_ONLY 0x3f000000u

// The most keys of one user, and room to spare: /proc/sys/kernel/keys/maxkeys is 200.
#define MOST_KEYS 1024

// Without a session keyring the kernel would make one for this thread alone when a key is added; asking for its number first
// settles on the user's, which all processes without one share. Keys are then added by that number: named by the special one,
// the kernel would leave the user's keyring for a new one of this thread (security/keys/process_keys.c, lookup_user_key).
static long session(void) { return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0); }

static long find(const char *name) {
    if (session() < 0) return -1;
    return syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", name, 0);
}

int clinux_keyring_available(void) { return session() < 0 ? -1 : 0; }

int clinux_keyring_write(const char *name, const void *payload, size_t count, unsigned seconds) {
    long keyring = session();
    if (keyring < 0) return -1;
    long key = syscall(SYS_add_key, "user", name, payload, count, keyring);
    if (key < 0) return -1;
    if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, POSSESSOR_ONLY) == 0 &&
        syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) == 0) {
        return 0;
    }
    int reason = errno;
    syscall(SYS_keyctl, KEYCTL_INVALIDATE, key);
    errno = reason;
    return -1;
}

int64_t clinux_keyring_read(const char *name, void *buffer, size_t capacity) {
    long key = find(name);
    return key < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_READ, key, buffer, capacity);
}

int clinux_keyring_remove(const char *name) {
    long key = find(name);
    if (key < 0) return -1;
    // Revoking erases the payload at once; unlinking alone leaves it to the collector.
    if (syscall(SYS_keyctl, KEYCTL_REVOKE, key) != 0) return -1;
    return syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_SESSION_KEYRING) == 0 ? 0 : -1;
}

// The description of a key reads "type;uid;gid;permissions;name".
static const char *user_key_name(char *description) {
    if (strncmp(description, "user;", 5) != 0) return NULL;
    char *rest = description;
    for (int field = 0; field < 4 && rest; field++) {
        rest = strchr(rest, ';');
        if (rest) rest++;
    }
    return rest;
}

int clinux_keyring_list(void (*report)(void *context, const char *name), void *context) {
    if (session() < 0) return -1;
    int32_t keys[MOST_KEYS];
    long bytes = syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, keys, sizeof keys);
    if (bytes < 0) return -1;
    if ((size_t)bytes > sizeof keys) bytes = sizeof keys;
    for (size_t i = 0; i < (size_t)bytes / sizeof keys[0]; i++) {
        char description[4200];
        long length = syscall(SYS_keyctl, KEYCTL_DESCRIBE, keys[i], description, sizeof description);
        // Expired and revoked keys, and other users' that cannot be seen, are not ours to list.
        if (length <= 0 || (size_t)length > sizeof description) continue;
        const char *name = user_key_name(description);
        if (name) report(context, name);
    }
    return 0;
}

#endif
