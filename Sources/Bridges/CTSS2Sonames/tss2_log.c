// tpm2-tss writes to standard error of its own accord, wrong PINs included, unless TSS2_LOG says otherwise when it first has something to
// say. To change the environment later would be to change it under threads that read it (setlocale and getaddrinfo do, and any library
// may), so it is done where the program has no other thread yet. Where this is loaded into a running program, that program sets TSS2_LOG.

#include <stdlib.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>

__attribute__((constructor)) static void keep_quiet(void) {
    if (__libc_single_threaded) setenv("TSS2_LOG", "all+NONE", 1);
}

#endif
#endif
