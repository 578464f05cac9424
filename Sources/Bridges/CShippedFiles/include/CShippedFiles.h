#pragma once

#include <stddef.h>

// A file that is part of the program: what the program is measured by covers it, and nobody can put another one in its place.
struct casemate_shipped_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

// The file of that name; one without bytes where there is none.
struct casemate_shipped_file casemate_shipped_file(const char *name);
