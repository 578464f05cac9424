// What a program is started with.
#pragma once

#ifdef __linux__

#include <spawn.h>

// Has the program that is started close every descriptor from `first` on, at once. Returns 0 or an error's number.
int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int first);

#endif
