#if defined(__linux__)
#define _GNU_SOURCE

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cforcefield_filter.h"
#include "cforcefield_spawn.h"
#include "stage.h"
#include "system_calls.h"

// linux/memfd.h since 6.3
enum { mfd_exec = 0x10 };

// More program headers than any static program has.
enum { most_headers = 128 };

#if defined(__x86_64__)
enum { native_machine = EM_X86_64 };
#else
enum { native_machine = EM_AARCH64 };
#endif

static bool is_native(const Elf64_Ehdr *header) {
    const unsigned char *mark = header->e_ident;
    return mark[EI_MAG0] == ELFMAG0 && mark[EI_MAG1] == ELFMAG1 && mark[EI_MAG2] == ELFMAG2 && mark[EI_MAG3] == ELFMAG3 &&
           mark[EI_CLASS] == ELFCLASS64 && mark[EI_DATA] == ELFDATA2LSB && header->e_machine == native_machine &&
           (header->e_type == ET_EXEC || header->e_type == ET_DYN) && header->e_phentsize == sizeof(Elf64_Phdr) &&
           header->e_phnum <= most_headers;
}

// A native program that asks for no interpreter: there would be none in an empty root.
static bool is_static(int descriptor) {
    Elf64_Ehdr header;
    if (pread(descriptor, &header, sizeof header, 0) != sizeof header || !is_native(&header)) return false;
    for (unsigned index = 0; index < header.e_phnum; index++) {
        Elf64_Phdr part;
        off_t offset = (off_t)(header.e_phoff + index * sizeof part);
        if (pread(descriptor, &part, sizeof part, offset) != sizeof part || part.p_type == PT_INTERP) return false;
    }
    return true;
}

void stage_open_executable(struct stage *stage) {
    struct stat status;
    if (fstat(cforcefield_target, &status) != 0) stage_fail(stage, cforcefield_stage_executable, errno);
    if (!S_ISREG(status.st_mode) || (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
        stage_fail(stage, cforcefield_stage_executable, EACCES);
    }
    if (!is_static(cforcefield_target)) stage_fail(stage, cforcefield_stage_executable, ENOEXEC);
    if (dup3(cforcefield_target, CFORCEFIELD_EXECUTABLE, O_CLOEXEC) < 0) {
        stage_fail(stage, cforcefield_stage_executable, errno);
    }
}

// Copies what the file has now, and no more than fits into the worker's memory: a file of nothing but a hole has any size.
static int copy(int from, int to, uint64_t most) {
    struct stat status;
    if (fstat(from, &status) != 0) return -1;
    if ((uint64_t)status.st_size > most) {
        errno = EFBIG;
        return -1;
    }
    off_t offset = 0;
    while (offset < status.st_size) {
        ssize_t count = sendfile(to, from, &offset, (size_t)(status.st_size - offset));
        if (count == 0) return 0;
        if (count < 0 && errno != EINTR) return -1;
    }
    return 0;
}

// The worker's uid may not be allowed to execute what the host could open, or the file system may forbid it: then a sealed
// copy in memory is executed. Once the uid is the worker's.
void stage_copy_executable(struct stage *stage) {
    if (syscall(native_faccessat2, CFORCEFIELD_EXECUTABLE, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) == 0) return;
    int memory = memfd_create("ff-executable", MFD_CLOEXEC | MFD_ALLOW_SEALING | mfd_exec);
    if (memory < 0 && errno == EINVAL) memory = memfd_create("ff-executable", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0 || copy(CFORCEFIELD_EXECUTABLE, memory, stage->policy.memory_bytes) != 0 || fchmod(memory, 0500) != 0 ||
        fcntl(memory, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) {
        stage_fail(stage, cforcefield_stage_executable, errno);
    }
    // A descriptor that could write would make the execution fail with ETXTBSY.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    int readable = open(path, O_RDONLY | O_CLOEXEC);
    if (readable < 0 || dup3(readable, CFORCEFIELD_EXECUTABLE, O_CLOEXEC) < 0) {
        stage_fail(stage, cforcefield_stage_executable, errno);
    }
    close(readable);
    close(memory);
}

#endif
