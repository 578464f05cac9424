// Makes what the loader has closed writable again, if asked, and waits.
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int reopen(struct dl_phdr_info *info, size_t size, void *protection) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_GNU_RELRO) continue;
        ElfW(Addr) start = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) & ~(ElfW(Addr))4095;
        ElfW(Addr) end = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz) & ~(ElfW(Addr))4095;
        if (mprotect((void *)start, end - start, *(int *)protection) != 0) return 2;
    }
    return 1; // The program itself comes first.
}

int main(int count, char **arguments) {
    int protection = PROT_READ | (count > 1 && strcmp(arguments[1], "write") == 0 ? PROT_WRITE : 0);
    if (count > 1 && dl_iterate_phdr(reopen, &protection) != 1) return 1;
    puts("ready");
    fflush(stdout);
    getchar();
    return 0;
}
