#include "tss2_sonames.h"

#include "clinux_libraries.h"

#include <stddef.h>

#define MU "libtss2-mu.so.0"
#define ESYS "libtss2-esys.so.0"
#define TCTILDR "libtss2-tctildr.so.0"
#define OPENED(SONAME) \
    "{\"feature\":\"tpm\",\"description\":\"Keys in a TPM 2.0\",\"priority\":\"recommended\",\"soname\":[\"" SONAME "\"]}"

CLINUX_OPENS_LATE("[" OPENED(MU) "," OPENED(ESYS) "," OPENED(TCTILDR) "]");

const char *const *tss2_sonames(void) {
    static const char *const sonames[] = {MU, ESYS, TCTILDR, NULL};
    return sonames;
}
