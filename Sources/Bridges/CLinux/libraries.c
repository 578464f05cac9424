#define _GNU_SOURCE
#include "clinux_libraries.h"

#include <stdio.h>

#ifndef __linux__

const void *clinux_open_libraries(const char *const *sonames, const char *const *functions, char *reason, size_t size) {
    (void)functions;
    snprintf(reason, size, "%s: libraries are opened on Linux alone", sonames[0] ? sonames[0] : "");
    return NULL;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { library_limit = 8 };

static size_t count(const char *const *names) {
    size_t number = 0;
    while (names[number]) number++;
    return number;
}

// The first library that has the function, as for whoever is linked with all of them.
static void *find(void *const *libraries, size_t number, const char *function) {
    for (size_t i = 0; i < number; i++) {
        void *address = dlsym(libraries[i], function);
        if (address) return address;
    }
    return NULL;
}

const void *clinux_open_libraries(const char *const *sonames, const char *const *functions, char *reason, size_t size) {
    void *libraries[library_limit];
    size_t opened = 0, wanted = count(sonames), page = (size_t)sysconf(_SC_PAGESIZE);
    size_t length = (count(functions) * sizeof(void *) + page) / page * page;
    void **table = MAP_FAILED;
    if (wanted > library_limit) {
        snprintf(reason, size, "more than %d libraries", library_limit);
        return NULL;
    }
    for (; opened < wanted; opened++) {
        libraries[opened] = dlopen(sonames[opened], RTLD_NOW | RTLD_LOCAL);
        if (libraries[opened]) continue;
        const char *words = dlerror();
        snprintf(reason, size, "%s", words ? words : sonames[opened]);
        goto failed;
    }
    table = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) {
        snprintf(reason, size, "%s", strerror(errno));
        goto failed;
    }
    for (size_t i = 0; functions[i]; i++) {
        table[i] = find(libraries, opened, functions[i]);
        if (table[i]) continue;
        snprintf(reason, size, "%s has no function %s", sonames[0], functions[i]);
        goto failed;
    }
    if (mprotect(table, length, PROT_READ) == 0) return table;
    snprintf(reason, size, "%s", strerror(errno));
failed:
    if (table != MAP_FAILED) munmap(table, length);
    while (opened > 0) dlclose(libraries[--opened]);
    return NULL;
}

#endif
