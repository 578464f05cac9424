// What the kernel tells about the memory of a process, and what a process may let others see of itself.
//
// Every function returns 0 or a count, or -1 with errno set. Linux only; elsewhere ENOSYS.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A run of pages, from the first address to behind the last.
typedef struct {
    uint64_t start, end;
    uint64_t categories;
} clinux_page_region;

// Finds the pages between two addresses that are private copies: there, or swapped out, and of no file (PAGEMAP_SCAN on an open
// /proc/PID/pagemap, Linux 6.7). Returns how many regions were written, at most capacity; *reached is how far the walk came. In
// memory that is gone it finds nothing, without an error: reading the file tells. ENOTTY or EINVAL: the kernel is older.
int clinux_pagemap_private(
    int pagemap, uint64_t start, uint64_t end, clinux_page_region *regions, size_t capacity, uint64_t *reached);

// A mapping of memory. protection: readable 1, writable 2, executable 4, shared 8. Without a file, what is said of one is 0.
typedef struct {
    uint64_t start, end;
    uint64_t offset, inode;
    uint32_t device_major, device_minor;
    uint32_t protection;
} clinux_mapping;

// Finds the mapping at an address, or the first one behind it (PROCMAP_QUERY on an open /proc/PID/maps, Linux 6.11).
// executable_only: among those that are executable. name: gets what the map shows behind the numbers, without escapes and with a
// zero at its end. ENOENT: there is none. ESRCH: the memory is gone. ENAMETOOLONG. ENOTTY: the kernel is older.
int clinux_find_mapping(
    int maps, uint64_t address, int executable_only, clinux_mapping *found, char *name, size_t name_capacity);

// Copies bytes at an address of another process (process_vm_readv). Returns how many, or -1.
int64_t clinux_read_memory(int process, uint64_t address, void *buffer, size_t count);

// No exec in this process gives more rights any more. There is no way back.
int clinux_forbid_new_privileges(void);

// A descriptor opened with this names a file and reads nothing (O_PATH of open(2), which Swift's Glibc leaves out).
#define CLINUX_O_PATH 010000000

// A part of an image that the loader mapped into this process.
typedef struct {
    uint64_t address;
    uint64_t file_offset, file_size, memory_size;
    // PF_X 1, PF_W 2, PF_R 4
    uint32_t flags;
} clinux_image_segment;

// Calls report with each image that the loader has mapped: its name (empty for the program itself), by how much it was moved, and
// its loadable segments. The order is the loader's. The pointers are valid during the call. A report that returns other than 0
// ends the walk; the result is what it returned last.
int clinux_iterate_images(
    int (*report)(
        void *context, const char *name, uint64_t bias, const clinux_image_segment *segments, size_t segment_count),
    void *context);
