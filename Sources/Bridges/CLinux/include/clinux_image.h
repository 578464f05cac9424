// What the kernel knows of a file that holds code.
#pragma once

#include <stdint.h>

// The digest by which the kernel verifies each page of a file that fs-verity protects (FS_IOC_MEASURE_VERITY): its algorithm, 1
// SHA-256 or 2 SHA-512, and its length in bytes. Returns 0, or -1 with errno set: ENODATA if the file is not protected, ENOTTY
// or EOPNOTSUPP if its file system knows no fs-verity. Linux only; elsewhere ENOTSUP.
int clinux_measure_verity(int descriptor, uint8_t digest[64], uint16_t *algorithm, uint16_t *size);
