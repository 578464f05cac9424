#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "stage.h"
#include "system_calls.h"

// The filter of exec mode lets execveat of one descriptor through, but cannot see its path: an absolute one is executed in
// spite of the descriptor, also long after that is closed. So a filter below it asks for a random number in the sixth argument,
// which the kernel does not look at. Stage 0 knows it; the exec takes its memory away, and then nobody knows it any more.

enum {
    offset_number = offsetof(struct seccomp_data, nr),
    offset_descriptor = offsetof(struct seccomp_data, args[0]),
    offset_ticket = offsetof(struct seccomp_data, args[5]),
};

static long install(uint64_t ticket) {
    // What is no execveat of the descriptor, and the architecture, is the other filter's.
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_number),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, native_execveat, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_descriptor),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CFORCEFIELD_EXECUTABLE, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_ticket),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ticket, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_ticket + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(ticket >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof instructions / sizeof instructions[0], instructions};
    return syscall(native_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

void stage_install_ticket(struct stage *stage) {
    if (getrandom(&stage->ticket, sizeof stage->ticket, 0) != sizeof stage->ticket) {
        stage_fail(stage, cforcefield_stage_seccomp, errno);
    }
    if (install(stage->ticket) != 0) stage_miss(stage, cforcefield_layer_seccomp, cforcefield_stage_seccomp);
}

#endif
