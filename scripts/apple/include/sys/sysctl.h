// sysctl(3).
#pragma once
#include <stddef.h>
#include <sys/time.h>

#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1

struct extern_proc {
    struct timeval p_starttime;
};

struct kinfo_proc {
    struct extern_proc kp_proc;
};

int sysctl(int *name, unsigned int count, void *old, size_t *old_size, void *new, size_t new_size);
