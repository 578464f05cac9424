// Rights of this process beyond those of its user: how it was started, and those to look into other processes.
#pragma once

#include <stdint.h>

// 1 if the kernel started this process with more rights than its caller has (set-group-ID and the like), else 0. Such a process is
// hidden from its first instruction, also from itself: it cannot open its own page tables.
int clinux_started_elevated(void);

// The capabilities, as bits, without which nobody looks into a process of another user that hides: CAP_SYS_PTRACE, by which the kernel
// shows its memory map, page tables and environment, and CAP_DAC_READ_SEARCH, as the files of /proc that show the latter two belong to
// root alone.
uint64_t clinux_rights_to_look(void);

// Gives up every capability but those, which stay permitted where they are and have no effect until they are raised; what this process
// starts gets none. To be called before there are other threads. Does nothing for root, whose files are its own by capabilities.
//
// Returns 0, or -1 with errno set.
int clinux_keep_rights_to_look(void);

// Whether this thread may raise all of them: 1 or 0.
int clinux_has_rights_to_look(void);

// Gives those that are permitted effect in this thread, or takes it away.
//
// Returns 1 if that changed something, 0 if not, -1 with errno set.
int clinux_raise_rights_to_look(void);
int clinux_lower_rights_to_look(void);
