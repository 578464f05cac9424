#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <unistd.h>

#include "cforcefield_spawn.h"
#include "report.h"

void stage_wait_until_announced(struct stage *stage) {
    if (stage->announced < 0) return;
    char byte;
    while (read(stage->announced, &byte, 1) < 0 && errno == EINTR) {}
    close(stage->announced);
    stage->announced = -1;
}

void stage_fail(struct stage *stage, enum cforcefield_stage step, int error) {
    if (stage->handoff >= 0) {
        // The worker has no control channel; the warden passes it on.
        struct handoff text = {.kind = handoff_failed, .stage = step, .error = error};
        // If the warden is gone there is nobody to tell.
        if (write(stage->handoff, &text, sizeof text) < 0) _exit(exit_stage_failed);
        _exit(exit_stage_failed);
    }
    stage_wait_until_announced(stage);
    struct cforcefield_record record;
    cforcefield_record_make(&record, cforcefield_stage_failed);
    record.stage_failed.stage = step;
    record.stage_failed.error = error;
    cforcefield_control_send(cforcefield_control, &record);
    _exit(exit_stage_failed);
}

void stage_miss(struct stage *stage, uint32_t layer, enum cforcefield_stage step) {
    if ((stage->policy.layers_may_miss & layer) == 0) stage_fail(stage, step, errno);
}

#endif
