// Time that goes on while the machine sleeps and that nobody can set.
#pragma once

#include <stdint.h>

// A descriptor that becomes readable at a time of the clock that counts sleep (CLOCK_BOOTTIME), also right after sleep. Linux
// only; elsewhere ENOSYS.
int clinux_boot_timer_open(void);

// Sets the timer to a time of that clock in milliseconds; one that is past fires at once. Below zero: stops it.
int clinux_boot_timer_set(int descriptor, int64_t milliseconds);

// Takes what makes the descriptor readable. Returns how often the timer fired since the last call, 0 if it did not.
int64_t clinux_boot_timer_take(int descriptor);

// When a process started, in units of its own that never go back while the machine runs: with the number of the process it
// names one process for good. ESRCH: there is none.
int clinux_process_start(int process, uint64_t *start);
