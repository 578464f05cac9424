// The numbers of the system calls as constants, for both architectures.
#pragma once

enum {
#define SYSTEM_CALL(name, x86_64, aarch64) x86_64_##name = x86_64, aarch64_##name = aarch64,
#include "system_calls.def"
#undef SYSTEM_CALL
};

// The numbers on the machine this is compiled for. libc's headers may be older than the kernel.
enum {
#if defined(__x86_64__)
#define SYSTEM_CALL(name, x86_64, aarch64) native_##name = x86_64,
#else
#define SYSTEM_CALL(name, x86_64, aarch64) native_##name = aarch64,
#endif
#include "system_calls.def"
#undef SYSTEM_CALL
};
