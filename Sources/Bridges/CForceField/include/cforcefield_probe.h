// What this machine gives, for people who ask why a strict force field does not start.
#pragma once

#if defined(__linux__)

#include <stdint.h>

#define CFORCEFIELD_LAYER_COUNT 16

struct cforcefield_machine {
    // For each layer, by the position of its bit: 0 if it can be had, else the errno that the kernel gave. The layer `cgroup`
    // is not looked for here and has ENOSYS.
    int32_t errors[CFORCEFIELD_LAYER_COUNT];
    int32_t landlock_abi; // 0: none
    // 0 if it can be had, else an errno: writing the id maps of a user namespace, pidfds, closing a range of descriptors, an
    // executable copy in memory, and detached mounts of files.
    int32_t id_maps, pidfd, close_range, executable_memory, file_mounts;
};

// Tries each in a child that then ends; this process stays as it is. Returns 0, or -1 with errno set if no child can be had.
int cforcefield_probe(struct cforcefield_machine *machine);

// 1 if a control group of version 2 has been handed over to whoever runs in it ("delegated"), which systemd marks by an attribute;
// else 0.
int cforcefield_group_is_delegated(const char *folder);

#endif
