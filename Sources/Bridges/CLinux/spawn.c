#define _GNU_SOURCE
#include "clinux_spawn.h"

#ifdef __linux__

int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

#endif
