// A worker that does what the tests tell it, one command of eight bytes after another; each is answered by an int64, if at
// all.
#pragma once

#include <stdint.h>

enum worker_verb {
    worker_echo = 0,
    worker_attempt = 1,
    worker_exit = 2,
    worker_abort = 3,
    worker_fault = 4,
    worker_spin = 5,
    worker_stop = 6,
    worker_descriptors = 7,
    worker_lock = 8,
    worker_open = 9,
    worker_open_writing = 10,
    worker_map_executable = 11,
    worker_print = 12,
    worker_uid = 13,
    worker_environment = 14,
    worker_pid = 15,
    worker_send_urgent = 16,
    worker_core_limit = 17,
    worker_spin_without_signal = 18,
    worker_look_at_path = 19,
    // The processor that the kernel has noted where libc keeps it; negative: it notes none.
    worker_noted_processor = 20,
    worker_thread = 21,
};

struct worker_command {
    uint32_t verb, argument;
};

// Until the channel ends. Returns the exit code.
int worker_run(void);
