#define _GNU_SOURCE
#include "zeroing_heap.h"

#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>
#include <string.h>

// The names under which glibc keeps its own for programs that replace these (malloc/malloc.c, exported since 2.2.5).
extern void __libc_free(void *memory);

// A definition in the program takes the place of the library's for every library of the process.
void free(void *memory) {
    if (!memory) return;
    explicit_bzero(memory, malloc_usable_size(memory));
    __libc_free(memory);
}

// The library's own would give the old block back as it is.
void *realloc(void *memory, size_t size) {
    if (!memory) return malloc(size);
    if (size == 0) {
        free(memory);
        return NULL;
    }
    size_t held = malloc_usable_size(memory);
    if (size <= held && size >= held / 2) return memory;
    void *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, memory, size < held ? size : held);
    free(memory);
    return moved;
}

#endif
