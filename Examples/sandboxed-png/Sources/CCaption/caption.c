#include "caption.h"

#include <string.h>

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The mistake that has been in readers of every format, and the point of this example: the length in the file is believed, and the
// room is not looked at. A caption of more than CAPTION_ROOM bytes overwrites the stack.
size_t caption_read(const uint8_t *png, size_t count, char caption[CAPTION_ROOM]) {
    size_t place = 8;
    while (place + 12 <= count) {
        uint32_t length = number(png + place);
        if (memcmp(png + place + 4, "tEXt", 4) == 0) {
            memcpy(caption, png + place + 8, length);
            caption[length] = 0;
            return length;
        }
        place += 12 + (size_t)length;
    }
    return 0;
}
