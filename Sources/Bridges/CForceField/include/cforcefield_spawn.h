// Starting a worker from a host that has threads and secrets: nothing of the host's address space is used in between.
#pragma once

#if defined(__linux__)

#include <stdint.h>

#include "cforcefield_policy.h"

// Descriptors of stage 0 and the worker.
enum cforcefield_descriptor {
    cforcefield_input = 0,
    cforcefield_output = 1,
    cforcefield_errors = 2,
    cforcefield_channel = 3,
    cforcefield_control = 4,
    cforcefield_policy_memory = 5,
    cforcefield_program = 6,
    cforcefield_target = 7,
};

struct cforcefield_spawn_request {
    const struct cforcefield_policy *policy;
    int program; // executable that links this room, open for reading
    int target;  // exec mode: static executable, open for reading; else -1
    int input;   // file to be descriptor 0, or -1 for /dev/null
    // The worker's arguments, the first its name; ends with NULL.
    const char *const *arguments;
};

// The host's ends: close-on-exec and non-blocking.
struct cforcefield_spawned {
    int32_t process; // of stage 0, to be reaped by cforcefield_reap
    int channel;     // stream socket to descriptor 3 of the worker
    int control;     // records: cforcefield_control_receive
    int output;      // descriptor 1 of the worker, and 2 unless in exec mode
    int errors;      // descriptor 2 in exec mode, else -1
};

// Starts stage 0. Descriptors of the request stay the caller's. Returns 0, or an errno; nothing is left behind then.
int cforcefield_spawn(const struct cforcefield_spawn_request *request, struct cforcefield_spawned *spawned);

// Waits for the end of a child; status as wait4 gives it. Returns 0, or -1 with errno set: ECHILD if another part of the host
// has waited for it already.
int cforcefield_reap(int32_t process, int *status);

// The same for a child by its pidfd, without waiting: returns 1 if it has ended, 0 if not yet.
int cforcefield_reap_pidfd(int pidfd, int *status);

// Kills the process of a pidfd. Returns 0, or -1 with errno set: ESRCH if it is gone.
int cforcefield_kill_pidfd(int pidfd);

#endif
