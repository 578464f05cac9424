// Code that wants into a process: says that it came, by a file, each by its door. INTRUDER_MARK is the path of that file.
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void came(const char *door) {
    int mark = open(INTRUDER_MARK, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (mark < 0) return;
    while (*door) (void)!write(mark, door++, 1);
    (void)!write(mark, "\n", 1);
    close(mark);
}

// LD_PRELOAD. One that leaves takes its trace out of the environment, for whoever looks later.
__attribute__((constructor)) static void loaded(void) {
    came("constructor");
#ifdef INTRUDER_LEAVES
    unsetenv("LD_PRELOAD");
#endif
}

// LD_AUDIT; the loader takes a library back that wants no version.
unsigned int la_version(unsigned int version) {
    (void)version;
    came("la_version");
    return 0;
}

// A provider of OpenSSL, which fails.
int OSSL_provider_init(const void *core, const void *in, const void **out, void **context) {
    (void)core, (void)in, (void)out, (void)context;
    came("OSSL_provider_init");
    return 0;
}

// A converter of characters.
int gconv_init(void *step) {
    (void)step;
    came("gconv_init");
    return 1;
}
int gconv(void) { return 1; }

// A driver of a TPM.
const void *Tss2_Tcti_Info(void) {
    came("Tss2_Tcti_Info");
    return NULL;
}
