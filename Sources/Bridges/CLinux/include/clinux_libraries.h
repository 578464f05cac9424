// Libraries of the system that are opened when they are first used, and not when the program starts.
#pragma once

#include <stddef.h>

// Opens libraries by their sonames, in this order, and looks functions up in them. Each is bound at once and lends its
// names to nobody.
//
// sonames, functions: ended by NULL.
// Returns the addresses of the functions in the order of their names, in pages of their own that are read-only by then;
// they stay for the life of the process. NULL on failure: reason then says which one is missing, in the loader's words.
// Nothing stays open.
const void *_Nullable clinux_open_libraries(
    const char *_Nullable const *_Nonnull sonames, const char *_Nullable const *_Nonnull functions,
    char *_Nonnull reason, size_t size);

// Has the program say which libraries it opens late, for whoever makes packages of it or a list of what it loads.
//
// JSON: an array of objects with "feature", "description", "priority" and "soname", as a literal.
// Source: <https://uapi-group.org/specifications/specs/elf_dlopen_metadata/>
#ifdef __linux__
#define CLINUX_OPENS_LATE(JSON) \
    __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct { \
        unsigned int name_size, content_size, type; \
        char name[4]; \
        __attribute__((aligned(4))) char content[sizeof(JSON)]; \
    } clinux_opens_late = {4, sizeof(JSON), 0x407c0c0a, "FDO", JSON}
#else
#define CLINUX_OPENS_LATE(JSON) _Static_assert(sizeof(JSON) > 0, "")
#endif
