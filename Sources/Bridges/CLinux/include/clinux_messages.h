// Messages over sockets with descriptors riding on them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The most descriptors that one message may carry here.
#define CLINUX_MOST_DESCRIPTORS 16

// Sends two parts as one, without SIGPIPE and without waiting. The descriptors ride on the first byte and are sent if anything
// is. Returns the bytes that were taken, or -1 with errno set: EAGAIN if there is no room now, EPIPE if the other side is gone.
ssize_t clinux_send(
    int socket, const void *head, size_t head_count, const void *body, size_t body_count, const int *descriptors,
    size_t descriptor_count);

// Receives without waiting. Descriptors that arrive are closed; refused is set to how many there were, or to 1 if they were too
// many to be told. Returns the bytes received, 0 at the end, or -1 with errno set: EAGAIN if there are none now.
ssize_t clinux_receive(int socket, void *bytes, size_t count, int *refused);

// A file in memory of a size, close-on-exec, that can neither grow nor shrink any more nor be sealed otherwise. Linux only.
int clinux_sealed_memory(const char *name, uint64_t size);

// The seals of a file in memory, as F_GET_SEALS has them: bits of F_SEAL_…, -1 for another file. Linux only.
int clinux_seals(int descriptor);
