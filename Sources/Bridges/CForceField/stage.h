// Stage 0: the steps by which a process locks itself in. Each file has the steps of one concept; stage0.c calls them in order.
// A step that fails ends the process with a report, unless the policy says that its layer may be missing.
#pragma once

#include "report.h"

// namespaces.c
void stage_principal(struct stage *stage);
void stage_maps(struct stage *stage);

// clone.c
// Makes warden and worker. Returns in the worker only.
void stage_processes(struct stage *stage);
void stage_tie_to_warden(struct stage *stage);

// root.c
void stage_root(struct stage *stage);
void stage_uts(struct stage *stage);

// privileges.c
void stage_rlimits(struct stage *stage);
void stage_bound_privileges(struct stage *stage);
void stage_privileges(struct stage *stage);

// descriptors.c
void stage_descriptors(struct stage *stage);
// Sends a text with a descriptor. Returns 0, or -1 with errno set.
int stage_send_descriptor(int to, const void *text, size_t length, int descriptor);
void stage_close_between(struct stage *stage, unsigned first, unsigned last);

// inheritance.c
void stage_out_of_memory_score(void);
void stage_core_limit(void);
void stage_scheduling(struct stage *stage);

// executable.c
void stage_open_executable(struct stage *stage);
void stage_copy_executable(struct stage *stage);

// landlock.c
void stage_landlock(struct stage *stage);

// ticket.c
void stage_install_ticket(struct stage *stage);

// lock.c
void stage_lock_before_ready(struct stage *stage);
void stage_lock(struct stage *stage);

// warden.c
_Noreturn void warden_run(struct stage *stage);
