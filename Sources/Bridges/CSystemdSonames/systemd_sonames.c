#include "systemd_sonames.h"

#include "clinux_libraries.h"

#include <stddef.h>

#define SYSTEMD "libsystemd.so.0"

CLINUX_OPENS_LATE(
    "[{\"feature\":\"logind\",\"description\":\"The screen's lock and sleep lock vaults\","
    "\"priority\":\"recommended\",\"soname\":[\"" SYSTEMD "\"]}]");

const char *const *systemd_sonames(void) {
    static const char *const sonames[] = {SYSTEMD, NULL};
    return sonames;
}
