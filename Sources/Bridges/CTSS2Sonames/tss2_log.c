// tpm2-tss writes to standard error of its own accord, wrong PINs included, unless TSS2_LOG says otherwise when it first has something to
// say. To change the environment later would be to change it under threads that read it (setlocale and getaddrinfo do, and any library
// may), so it is done where the program has no other thread yet. The programs of this house begin with it (CCleanStart). Where this is loaded
// into a running program, or linked into one together with Swift's libraries, that program sets TSS2_LOG=all+NONE.

#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>

// Swift finds the arguments of a program by the place of its environment, which a new variable moves. A program that carries Swift's
// libraries may come here before they have looked.
extern char **_swift_stdlib_getUnsafeArgvArgc(int *count) __attribute__((weak));

static int has_arguments(void) {
    int count = 0;
    if (!_swift_stdlib_getUnsafeArgvArgc) return 1;
    _swift_stdlib_getUnsafeArgvArgc(&count);
    return count > 0;
}

__attribute__((constructor)) static void keep_quiet(void) {
    const char *known = getenv("TSS2_LOG");
    if (known && strcmp(known, "all+NONE") == 0) return;
    if (__libc_single_threaded && has_arguments()) setenv("TSS2_LOG", "all+NONE", 1);
}

#endif
#endif
