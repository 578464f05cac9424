// What a processor has of randomness. Each function returns 0, or -1 with errno set.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Bytes of the processor's own random source (RDSEED, else RDRAND), which the kernel has no part in. ENOTSUP: it has none. EIO:
// it gives none.
int clinux_processor_random(void *output, size_t count);

// The finest clock there is; only differences of near times mean something.
int clinux_fine_time(uint64_t *time);
