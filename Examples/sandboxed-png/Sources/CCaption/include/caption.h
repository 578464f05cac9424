#pragma once

#include <stddef.h>
#include <stdint.h>

#define CAPTION_ROOM 256

// Finds the first caption (chunk tEXt) of a PNG file and copies it, with a zero at its end. Returns its length, 0 if there is
// none.
size_t caption_read(const uint8_t *png, size_t count, char caption[CAPTION_ROOM]);
