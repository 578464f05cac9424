// Memory for secrets that no other process can read, and reading one's own memory without the risk of a fault.
//
// On systems other than Linux every function fails with ENOSYS.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Maps zeroed bytes that the kernel takes out of its own address space (memfd_secret): neither a debugger nor root's tools
// can read them, they are never swapped, are left out of core dumps and of children made by fork, and have an inaccessible
// page before and behind. They count against RLIMIT_MEMLOCK, and the machine does not hibernate while there are any.
//
// length: a multiple of the page size. NULL with errno set on failure; ENOSYS where the kernel has none.
void *clinux_secret_map(size_t length);

// Gives back what clinux_secret_map returned. The bytes are not zeroised here.
int clinux_secret_unmap(void *start, size_t length);

// Keeps children made by fork from having these pages.
int clinux_keep_from_children(void *start, size_t length);

// Copies bytes at an address of this process; what is not mapped, not readable or secret is an error (EFAULT), not a signal.
// Returns the number of bytes, or -1.
int64_t clinux_read_own_memory(uintptr_t address, void *buffer, size_t count);
