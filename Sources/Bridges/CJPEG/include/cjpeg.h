// JPEG bytes to grey pixels through libjpeg, whose errors leave by longjmp: they end inside this bridge.
#pragma once

#include <stddef.h>

#define CJPEG_MESSAGE_SIZE 200

// Reads the size of a picture without decoding it. Returns 0, or -1 with a message.
int cjpeg_size(const unsigned char *bytes, size_t count, unsigned *width, unsigned *height, char *message);

// Decodes into pixels, which hold width times height bytes as cjpeg_size gave them. Warnings (a file that ends too early, wrong
// markers) are errors here. Progressive pictures are given up after scan_limit scans. Returns 0, or -1 with a message.
int cjpeg_decode(
    const unsigned char *bytes, size_t count, int scan_limit, unsigned char *pixels, size_t pixel_count, char *message);
