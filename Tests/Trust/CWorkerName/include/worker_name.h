// The name by which this program was started: Swift has no arguments where there is no /proc.
#pragma once

const char *worker_name(void);

#include <stddef.h>
#include <sys/types.h>

// Receives and waits, with the descriptors that ride along; where none may, reads. `found` is filled with those there are.
ssize_t hostile_receive(int socket, void *bytes, size_t count, int *found, int capacity);

// Sends bytes with a copy of a descriptor on the first of them.
ssize_t hostile_send_with(int socket, const void *bytes, size_t count, int descriptor);

// Makes a system call of a number that no wrapper asks for.
long hostile_call(long number);
