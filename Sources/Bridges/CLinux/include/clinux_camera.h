// Pictures of a camera through Video4Linux2, newest first: what is older than the last complete picture is given back unread.
//
// Every function returns 0, or -1 with errno set. On systems other than Linux, opening fails with ENOSYS.
#pragma once

#include <stddef.h>
#include <stdint.h>

// How a picture's bytes are to be read.
enum clinux_camera_format {
    clinux_camera_grey = 0,  // A byte a pixel.
    clinux_camera_yuyv = 1,  // Two bytes a pixel, the first of which is its brightness.
    clinux_camera_mjpeg = 2, // A JPEG file.
};

#define CLINUX_CAMERA_BUFFERS 4

typedef struct {
    int descriptor;
    unsigned width, height;
    enum clinux_camera_format format;
    // Bytes from a row to the next; of no meaning for JPEG.
    unsigned stride;
    unsigned buffer_count;
    void *buffers[CLINUX_CAMERA_BUFFERS];
    size_t sizes[CLINUX_CAMERA_BUFFERS];
    // The buffer that is lent, or -1.
    int lent;
    const struct clinux_camera_calls *calls;
} clinux_camera;

// The system calls, so that tests can put a camera of their own behind them.
typedef struct clinux_camera_calls {
    int (*open)(const char *path);
    int (*close)(int descriptor);
    int (*ioctl)(int descriptor, unsigned long request, void *argument);
    void *(*map)(size_t length, int descriptor, int64_t offset);
    int (*unmap)(void *address, size_t length);
    // Above 0 when a picture is there, 0 when the time is over.
    int (*wait)(int descriptor, int milliseconds);
} clinux_camera_calls;

// Opens a device, asks for a size and starts it; the camera may choose another size, which the structure tells.
//
// calls: NULL for the system's. EINVAL: no device that takes pictures in this way. ENOTSUP: none of the formats.
int clinux_camera_open(
    clinux_camera *camera, const char *path, unsigned width, unsigned height, const clinux_camera_calls *calls);

// Lends the newest picture until the next call. count is 0 when none came within the time.
int clinux_camera_next(clinux_camera *camera, int milliseconds, const uint8_t **bytes, size_t *count);

void clinux_camera_close(clinux_camera *camera);
