// A camera that tests pretend: it answers the calls of clinux_camera_open and clinux_camera_next as a driver would, from a list of
// pictures, and counts what was done wrong. One at a time.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "clinux_camera.h"

typedef struct {
    // A FourCC that the camera offers, or 0 for one that is none of those asked for.
    uint32_t format;
    unsigned width, height;
    // Bytes behind the pixels of each row.
    unsigned row_padding;
    // Pictures that come, each of them as long as all; buffers are filled in this order.
    const uint8_t *pictures;
    size_t picture_size;
    unsigned picture_count;
    // Whether the first comes again behind the last, for ever.
    int goes_on;
    // How many are there at each wait.
    unsigned pictures_per_wait;
    // The call that fails, by the number of its request (the lower 8 bits), with this errno; 0 for none.
    unsigned failing_request;
    int failing_errno;
    // Whether the device is none that takes pictures.
    int is_no_camera;
    // Whether pictures are marked as damaged.
    int is_damaged;
    // A claim of more bytes than the buffer has.
    int lies_about_size;
} cfakecamera;

// Makes it the camera behind the calls.
void cfakecamera_set(const cfakecamera *camera);

// Pulls its plug, from any thread: no picture comes until another camera is set.
void cfakecamera_unplug(void);

// The calls, valid for ever.
const clinux_camera_calls *cfakecamera_calls(void);

// Buffers that are mapped and descriptors that are open now; rules that were broken (a buffer queued twice, and the like).
int cfakecamera_mapped(void);
int cfakecamera_opened(void);
int cfakecamera_mistakes(void);
