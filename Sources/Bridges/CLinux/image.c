#include "clinux_image.h"

#include <errno.h>

#ifndef __linux__

int clinux_measure_verity(int descriptor, uint8_t digest[64], uint16_t *algorithm, uint16_t *size) {
    errno = ENOTSUP;
    return -1;
}

#else

#include <linux/fsverity.h>
#include <string.h>
#include <sys/ioctl.h>

int clinux_measure_verity(int descriptor, uint8_t digest[64], uint16_t *algorithm, uint16_t *size) {
    // The digest follows the header, in an array without a length of its own.
    union {
        struct fsverity_digest header;
        uint8_t bytes[sizeof(struct fsverity_digest) + 64];
    } answer;
    memset(&answer, 0, sizeof answer);
    answer.header.digest_size = 64;
    if (ioctl(descriptor, FS_IOC_MEASURE_VERITY, &answer) != 0) return -1;
    memcpy(digest, answer.bytes + sizeof answer.header, 64);
    *algorithm = answer.header.digest_algorithm;
    *size = answer.header.digest_size;
    return 0;
}

#endif
