// A program that is linked with this target runs with an environment of its own choice, from before the first line of any library.
//
// Of what the caller put into the environment only the variables that clean_start.c lists are left. Where the loader has read others
// already (LD_PRELOAD, LD_AUDIT, GLIBC_TUNABLES), the program replaces itself by itself, once, without them. Where it was started
// set-group-ID, the loader has ignored them; the group then stays as the saved one alone, as which nothing is made or opened, and the
// process stays hidden.
//
// It keeps out what a library would read or load later. It does not keep out code that is in the process before it: a library that
// the loader was made to load has run its resolvers by then, and may change what it likes. Only set-group-ID keeps that out.
#pragma once

// What a program keeps beyond that list, as `NAME=` for any value and `NAME=value` for that one alone; NULL ends it. A program that needs
// more than others defines it (CWindowStart).
extern const char *const clean_start_further[] __attribute__((weak));

// Whether a variable, as `NAME=value`, is left in the environment.
int clean_start_keeps(const char *variable);

// Whether the loader itself reads a variable, as `NAME=value`, so that taking it away later is too late.
int clean_start_is_read_by_loader(const char *variable);
