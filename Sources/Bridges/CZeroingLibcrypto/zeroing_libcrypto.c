#include "zeroing_libcrypto.h"

#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>
#include <openssl/crypto.h>
#include <string.h>

static void *take(size_t size, const char *file, int line) {
    (void)file, (void)line;
    return malloc(size);
}

static void give_back(void *memory, const char *file, int line) {
    (void)file, (void)line;
    if (!memory) return;
    OPENSSL_cleanse(memory, malloc_usable_size(memory));
    free(memory);
}

// The C library's own would give the old block back as it is.
static void *resize(void *memory, size_t size, const char *file, int line) {
    void *moved = size > 0 ? take(size, file, line) : NULL;
    size_t held = memory ? malloc_usable_size(memory) : 0;
    if (moved && held > 0) memcpy(moved, memory, size < held ? size : held);
    if (moved || size == 0) give_back(memory, file, line);
    return moved;
}

// Refused once libcrypto has taken memory: it has to come before its first use.
__attribute__((constructor)) static void start(void) { (void)CRYPTO_set_mem_functions(take, resize, give_back); }

#endif
