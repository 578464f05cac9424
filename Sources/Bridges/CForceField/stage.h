// Stage 0: the steps by which a process locks itself in. Each file has the steps of one concept; stage0.c calls them in order.
// A step that fails ends the process with a report, unless the policy says that its layer may be missing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cforcefield_control.h"
#include "cforcefield_policy.h"

// Status of a process that ended in stage 0, and of one whose lock proved to have no effect.
enum { exit_stage_failed = 125, exit_not_locked = 124 };

// What the worker tells the warden on the hand-off pair, a SOCK_SEQPACKET one.
enum handoff_kind {
    handoff_listener = 1, // and the listener of the filter by SCM_RIGHTS
    handoff_complete = 2, // the lock; layers, landlock_abi
    handoff_failed = 3,   // stage, error
};

struct handoff {
    uint32_t kind;
    union {
        struct {
            uint32_t layers, landlock_abi;
        };
        struct {
            uint32_t stage;
            int32_t error;
        };
    };
};

struct stage {
    struct cforcefield_policy policy;
    struct timespec begin;
    uint32_t layers;       // in force so far
    uint32_t landlock_abi; // 0: none
    bool has_bounds;       // no exec can give a capability any more
    int announced;         // readable or at its end when WARDEN is on its way; -1: it is
    int handoff;           // the worker's end; -1 before there is one
    int warden_handoff;    // the warden's
    int warden;            // pid of the warden as the worker sees it
    int file_trees[CFORCEFIELD_MOST_FILES]; // detached mounts of the policy's files
    uint64_t ticket;       // for the one exec of exec mode
};

static inline bool stage_has_flag(const struct stage *stage, enum cforcefield_policy_flags flag) {
    return (stage->policy.flags & (uint32_t)flag) != 0;
}

// Whether a layer is to be tried.
static inline bool stage_wants(const struct stage *stage, uint32_t layer) { return (stage->policy.layers_off & layer) == 0; }

// Whether a layer is in force.
static inline bool stage_has(const struct stage *stage, uint32_t layer) { return (stage->layers & layer) == layer; }

// Reports and ends the process.
_Noreturn void stage_fail(struct stage *stage, enum cforcefield_stage step, int error);

// A layer could not be had: returns if the policy allows that, else reports errno and ends the process.
void stage_miss(struct stage *stage, uint32_t layer, enum cforcefield_stage step);

// namespaces.c
void stage_principal(struct stage *stage);
void stage_maps(struct stage *stage);

// clone.c
// Returns in the first process of the PID namespace only, where there is one.
void stage_clone(struct stage *stage);
// Nothing is reported before the host knows of the warden.
void stage_wait_until_announced(struct stage *stage);

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
_Noreturn void warden_run(struct stage *stage, int worker);
