#if defined(__linux__)

#include "cforcefield_probe.h"

#include <stddef.h>
#include <sys/xattr.h>

// Of versions from 251 on, and of those before, which only root can read.
int cforcefield_group_is_delegated(const char *folder) {
    static const char *const marks[] = {"user.delegate", "trusted.delegate"};
    for (size_t index = 0; index < sizeof marks / sizeof marks[0]; index++) {
        char value;
        if (getxattr(folder, marks[index], &value, sizeof value) == 1 && value == '1') return 1;
    }
    return 0;
}

#endif
