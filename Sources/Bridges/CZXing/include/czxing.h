// QR codes of a grey picture through zxing-cpp. No C++ exception and no C++ type passes this border.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Called once for each code: its exact bytes, and its corners as x and y of top left, top right, bottom right, bottom left.
typedef void (*czxing_found)(void *context, const unsigned char *bytes, size_t count, const int corners[8]);

#define CZXING_MESSAGE_SIZE 200

// Searches pixels (one byte each, row by row, without gaps). Returns the number of codes, or -1 with a message.
int czxing_read(
    const unsigned char *pixels, int width, int height, int global_threshold, czxing_found found, void *context,
    char *message);

#ifdef __cplusplus
}
#endif
