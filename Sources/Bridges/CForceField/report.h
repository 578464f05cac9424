// The state of stage 0, and how it reports that a step has failed. Every step includes this; report.c calls none of them.
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
    handoff_worker = 4,   // process; the first one, if there is a worker
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
        int32_t process; // as the worker sees itself
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

// Nothing is reported before the host knows of the warden: waits until its announcement is on its way.
void stage_wait_until_announced(struct stage *stage);
