#include "CUnicode.h"

// The compiler reads the file (#embed of C23); before C23 that is an extension of clang's.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char text[] = {
#embed "Files/decompositions.txt"
};

const char *casemate_decompositions(size_t *count) {
    *count = sizeof text;
    return text;
}
