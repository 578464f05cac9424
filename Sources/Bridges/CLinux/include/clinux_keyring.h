// The kernel's key retention service: secrets that live in the kernel until the session ends, a time is over or they are
// removed. Keys are of type "user" in the session keyring, and only who possesses that keyring may do anything with them.
//
// -1 with errno set: ENOSYS or EPERM where the kernel or a container's filter offers none, ENOKEY, EKEYEXPIRED or EKEYREVOKED
// when there is no such key (any more), EDQUOT when the user's quota is used up. Linux only; elsewhere ENOSYS.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Whether there is a session keyring to be used.
int clinux_keyring_available(void);

// Adds or replaces a key. seconds: how long it lives; 0: until the session ends.
int clinux_keyring_write(const char *name, const void *payload, size_t count, unsigned seconds);

// Copies at most capacity bytes of a key. Returns its whole length, which may be more.
int64_t clinux_keyring_read(const char *name, void *buffer, size_t capacity);

int clinux_keyring_remove(const char *name);

// Calls report with the name of each user key in the keyring.
int clinux_keyring_list(void (*report)(void *context, const char *name), void *context);
