#define _GNU_SOURCE
#include "clinux_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach/vm_inherit.h>
#endif

int clinux_keep_from_children(void *start, size_t length) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)start & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length + page - 1) & ~(page - 1);
#ifdef __APPLE__
    return minherit((void *)first, end - first, VM_INHERIT_NONE);
#else
    return madvise((void *)first, end - first, MADV_DONTFORK);
#endif
}

#ifndef __linux__

void *clinux_secret_map(size_t length) {
    errno = ENOSYS;
    return NULL;
}

int clinux_secret_unmap(void *start, size_t length) {
    errno = ENOSYS;
    return -1;
}

int64_t clinux_read_own_memory(uintptr_t address, void *buffer, size_t count) {
    errno = ENOSYS;
    return -1;
}

#else

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

// The same number on every architecture; older headers do not know it.
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

static size_t whole_pages(size_t length, size_t page) { return (length + page - 1) / page * page; }

// Maps the descriptor between two guard pages.
static void *map_guarded(int descriptor, size_t length, size_t page) {
    size_t whole = length + 2 * page;
    char *start = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return NULL;
    void *inner = mmap(start + page, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
    if (inner != MAP_FAILED && madvise(inner, length, MADV_DONTFORK) == 0 && madvise(inner, length, MADV_DONTDUMP) == 0) {
        return inner;
    }
    int reason = errno;
    munmap(start, whole);
    errno = reason;
    return NULL;
}

void *clinux_secret_map(size_t length) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (length == 0 || length > SIZE_MAX / 2) {
        errno = EINVAL;
        return NULL;
    }
    length = whole_pages(length, page);
    int descriptor = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
    if (descriptor < 0) return NULL;
    void *start = ftruncate(descriptor, (off_t)length) == 0 ? map_guarded(descriptor, length, page) : NULL;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return start;
}

int clinux_secret_unmap(void *start, size_t length) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return munmap((char *)start - page, whole_pages(length, page) + 2 * page);
}

int64_t clinux_read_own_memory(uintptr_t address, void *buffer, size_t count) {
    struct iovec to = {buffer, count};
    struct iovec from = {(void *)address, count};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0);
}

#endif
