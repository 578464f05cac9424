// Who is at the other end of a Unix socket, and descriptors that travel over it.
//
// Every function returns 0, a count or a descriptor, or -1 with errno set. Linux only; elsewhere ENOSYS.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Who connected (at the side that accepts) or who listens (at the side that connects), as the kernel wrote it down then.
int clinux_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group);

// Takes the next connection of a listening socket; the descriptor is closed by exec (accept4, which Swift's Glibc leaves out).
int clinux_peer_accept(int socket);

// A descriptor of that same process (SO_PEERPIDFD, Linux 6.5): unlike its number it never comes to mean another one. ENOPROTOOPT
// says that the kernel is older; whatever else fails says that the peer is gone. The descriptor is closed by exec.
int clinux_peer_process(int socket);

// A descriptor of the process that has the number now.
int clinux_process_open(int process);

// 1 as long as the process runs, 0 when it has ended, also when nobody has waited for it yet. Unlike a signal it needs no
// permission.
int clinux_process_runs(int descriptor);

// From now on every message that is received tells who sent it.
int clinux_peer_pass_credentials(int socket);

// The same by a descriptor of the process (SO_PASSPIDFD, Linux 6.5); ENOPROTOOPT: the kernel is older.
int clinux_peer_pass_processes(int socket);

// How many descriptors one message may bring: handles for a measurement are five.
#define CLINUX_PEER_DESCRIPTORS 8

// What came beside the bytes of a message. All descriptors are the receiver's to close.
typedef struct {
    // Whether the next three were told.
    int has_credentials;
    int32_t process;
    uint32_t user, group;
    // Of the sender, or -1.
    int process_descriptor;
    int descriptor_count;
    int descriptors[CLINUX_PEER_DESCRIPTORS];
    // 1 if more came than there was room for: what was left out is closed already.
    int is_truncated;
} clinux_peer_ancillary;

// Sends bytes, and descriptors with the first of them. A peer that is gone is an error (EPIPE), not a signal. Returns the number
// of bytes that were taken.
int64_t clinux_peer_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

// Receives what is there of one sender. 0 bytes: the peer has closed. The descriptors are closed by exec.
int64_t clinux_peer_receive(int socket, void *bytes, size_t count, clinux_peer_ancillary *ancillary);
