#define _GNU_SOURCE
#include "clinux_measure.h"

#include <errno.h>

#ifndef __linux__

static int missing(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_pagemap_private(
    int pagemap, uint64_t start, uint64_t end, clinux_page_region *regions, size_t capacity, uint64_t *reached) {
    return missing();
}

int clinux_find_mapping(
    int maps, uint64_t address, int executable_only, clinux_mapping *found, char *name, size_t name_capacity) {
    return missing();
}

int64_t clinux_read_memory(int process, uint64_t address, void *buffer, size_t count) { return missing(); }
int clinux_forbid_new_privileges(void) { return missing(); }

int clinux_iterate_images(
    int (*report)(
        void *context, const char *name, uint64_t bias, const clinux_image_segment *segments, size_t segment_count),
    void *context) {
    return missing();
}

#else

#include <fcntl.h>
#include <link.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/uio.h>

// struct pm_scan_arg of linux/fs.h since 6.7: what it asks for is named by bits.
struct scan_request {
    uint64_t size, flags, start, end, walk_end, regions, region_count, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

enum { page_is_file = 1 << 2, page_is_present = 1 << 3, page_is_swapped = 1 << 4 };

#define PAGEMAP_SCAN_REQUEST 0xC0606610UL

_Static_assert(CLINUX_O_PATH == O_PATH, "another number on this architecture");
_Static_assert(sizeof(struct scan_request) == 96, "the number of the request holds its size");
_Static_assert(sizeof(clinux_page_region) == 24, "the kernel writes three words a region");

int clinux_pagemap_private(
    int pagemap, uint64_t start, uint64_t end, clinux_page_region *regions, size_t capacity, uint64_t *reached) {
    struct scan_request request = {
        .size = sizeof request,
        .start = start,
        .end = end,
        .regions = (uint64_t)(uintptr_t)regions,
        .region_count = capacity,
        .category_inverted = page_is_file,
        .category_mask = page_is_file,
        .category_anyof_mask = page_is_present | page_is_swapped,
        .return_mask = page_is_file | page_is_present | page_is_swapped,
    };
    int found = ioctl(pagemap, PAGEMAP_SCAN_REQUEST, &request);
    *reached = request.walk_end;
    return found;
}

// struct procmap_query of linux/fs.h since 6.11.
struct mapping_query {
    uint64_t size, flags, address;
    uint64_t start, end, protection, page_size, offset, inode;
    uint32_t device_major, device_minor;
    uint32_t name_size, build_id_size;
    uint64_t name, build_id;
};

enum { query_executable = 1 << 2, query_covering_or_next = 1 << 4, query_protection_bits = 0xf };

#define PROCMAP_QUERY_REQUEST 0xC0686611UL

_Static_assert(sizeof(struct mapping_query) == 104, "the number of the request holds its size");

int clinux_find_mapping(
    int maps, uint64_t address, int executable_only, clinux_mapping *found, char *name, size_t name_capacity) {
    struct mapping_query query = {
        .size = sizeof query,
        .flags = query_covering_or_next | (executable_only ? query_executable : 0),
        .address = address,
        .name_size = (uint32_t)name_capacity,
        .name = (uint64_t)(uintptr_t)name,
    };
    name[0] = 0; // The kernel writes nothing where there is no name.
    if (ioctl(maps, PROCMAP_QUERY_REQUEST, &query) != 0) return -1;
    *found = (clinux_mapping){
        .start = query.start,
        .end = query.end,
        .offset = query.offset,
        .inode = query.inode,
        .device_major = query.device_major,
        .device_minor = query.device_minor,
        .protection = (uint32_t)query.protection & query_protection_bits,
    };
    return 0;
}

int64_t clinux_read_memory(int process, uint64_t address, void *buffer, size_t count) {
    struct iovec to = {buffer, count};
    struct iovec from = {(void *)(uintptr_t)address, count};
    return process_vm_readv(process, &to, 1, &from, 1, 0);
}

int clinux_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

struct walk {
    int (*report)(void *, const char *, uint64_t, const clinux_image_segment *, size_t);
    void *context;
};

// As many as a file may have (`vigil` section 3.5).
#define SEGMENT_LIMIT 512

static int visit(struct dl_phdr_info *image, size_t size, void *context) {
    const struct walk *walk = context;
    clinux_image_segment segments[SEGMENT_LIMIT];
    size_t count = 0;
    for (size_t i = 0; i < image->dlpi_phnum && count < SEGMENT_LIMIT; i++) {
        const ElfW(Phdr) *header = &image->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        segments[count++] = (clinux_image_segment){
            .address = header->p_vaddr,
            .file_offset = header->p_offset,
            .file_size = header->p_filesz,
            .memory_size = header->p_memsz,
            .flags = header->p_flags,
        };
    }
    return walk->report(walk->context, image->dlpi_name, image->dlpi_addr, segments, count);
}

int clinux_iterate_images(
    int (*report)(
        void *context, const char *name, uint64_t bias, const clinux_image_segment *segments, size_t segment_count),
    void *context) {
    struct walk walk = {report, context};
    return dl_iterate_phdr(visit, &walk);
}

#endif
