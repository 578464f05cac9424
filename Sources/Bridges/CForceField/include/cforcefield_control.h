// The control channel between host, stage 0 and warden: a SOCK_SEQPACKET pair, records of exactly 64 bytes, little endian.
#pragma once

#if defined(__linux__)

#include <stdint.h>

#define CFORCEFIELD_RECORD_SIZE 64
#define CFORCEFIELD_RECORD_MAGIC 0x31434646u // "FFC1"

enum cforcefield_record_kind {
    // To the host.
    cforcefield_stage_failed = 1,
    cforcefield_started = 2,
    cforcefield_violation = 3,
    cforcefield_exited = 4,
    cforcefield_limit = 5,
    cforcefield_warden = 6, // and a pidfd of the warden by SCM_RIGHTS
    // To stage 0 and the warden.
    cforcefield_go = 64,
    cforcefield_kill = 65,
    cforcefield_background = 66,
    cforcefield_foreground = 67,
};

// What makes up a force field; a set of these is a word with the bits or-ed.
enum cforcefield_layer {
    cforcefield_layer_user = 1 << 0,
    cforcefield_layer_mount = 1 << 1,
    cforcefield_layer_pid = 1 << 2,
    cforcefield_layer_net = 1 << 3,
    cforcefield_layer_ipc = 1 << 4,
    cforcefield_layer_uts = 1 << 5,
    cforcefield_layer_cgroup_namespace = 1 << 6,
    cforcefield_layer_distinct_uid = 1 << 7,
    cforcefield_layer_empty_root = 1 << 8,
    cforcefield_layer_capabilities = 1 << 9,
    cforcefield_layer_rlimits = 1 << 10,
    cforcefield_layer_cgroup = 1 << 11,
    cforcefield_layer_landlock = 1 << 12,
    cforcefield_layer_seccomp = 1 << 13,
    cforcefield_layer_notify = 1 << 14,
    cforcefield_layer_not_dumpable = 1 << 15,
};
#define CFORCEFIELD_ALL_LAYERS 0xffffu

enum cforcefield_limit_kind {
    cforcefield_limit_background = 1,
    cforcefield_limit_lifetime = 2,
    cforcefield_limit_processor_time = 3, // the hard one
};

// A record as it is sent.
struct cforcefield_record {
    uint32_t magic;
    uint16_t kind;
    uint16_t zero;
    union {
        struct {
            uint32_t stage; // enum cforcefield_stage
            int32_t error;
        } stage_failed;
        struct {
            uint32_t layers;
            uint32_t landlock_abi;
            int32_t worker; // its pid as it sees it itself
            uint32_t zero;
            uint64_t nanoseconds; // from the begin of stage 0 until the lock was complete
        } started;
        struct {
            uint32_t number, architecture;
            uint64_t instruction;
            uint64_t arguments[4];
            uint32_t thread;
        } violation;
        struct {
            int32_t status; // as wait4 gives it
            uint32_t zero;
            uint64_t user_microseconds, system_microseconds, most_resident_kib, wall_microseconds;
        } exited;
        struct {
            uint32_t which; // enum cforcefield_limit_kind
        } limit;
        struct {
            int32_t process; // in the host's PID namespace
        } warden;
        struct {
            uint32_t reason;
        } kill;
        struct {
            uint32_t grace_milliseconds;
        } background;
        uint8_t bytes[56];
    };
};

// The steps of stage 0, as STAGE_FAILED numbers them.
enum cforcefield_stage {
    cforcefield_stage_policy = 1,
    cforcefield_stage_go = 2,
    cforcefield_stage_no_new_privileges = 3,
    cforcefield_stage_executable = 4,
    cforcefield_stage_principal = 5,
    cforcefield_stage_namespaces = 6,
    cforcefield_stage_maps = 7,
    cforcefield_stage_clone = 8,
    cforcefield_stage_propagation = 9,
    cforcefield_stage_root = 10,
    cforcefield_stage_pivot = 11,
    cforcefield_stage_remount = 12,
    cforcefield_stage_uts = 13,
    cforcefield_stage_fork = 14,
    cforcefield_stage_die = 15,
    cforcefield_stage_rlimits = 16,
    cforcefield_stage_securebits = 17,
    cforcefield_stage_capabilities = 18,
    cforcefield_stage_descriptors = 19,
    cforcefield_stage_landlock = 20,
    cforcefield_stage_dumpable = 21,
    cforcefield_stage_seccomp = 22,
    cforcefield_stage_handoff = 23,
    cforcefield_stage_self_check = 24,
    cforcefield_stage_execute = 25,
};

// Clears the record and writes its head.
void cforcefield_record_make(struct cforcefield_record *record, enum cforcefield_record_kind kind);

// 1 if the head is that of a known kind, else 0.
int cforcefield_record_is_valid(const struct cforcefield_record *record);

// Sends a record whole, without SIGPIPE and without waiting. Returns 0, or -1 with errno set: EAGAIN if the other side does
// not read, EPIPE if it is gone.
int cforcefield_control_send(int control, const struct cforcefield_record *record);

// Receives one record, and the pidfd that rides on it or -1; any other descriptor is closed. Returns 1, 0 at the end (the
// other side is gone), or -1 with errno set: EAGAIN if there is none yet, EBADMSG if it is no record.
int cforcefield_control_receive(int control, struct cforcefield_record *record, int *pidfd);

#endif
