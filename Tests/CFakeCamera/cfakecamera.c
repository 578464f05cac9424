#include "cfakecamera.h"

#ifdef __linux__

#include <errno.h>
#include <linux/videodev2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static cfakecamera camera;
static int mapped, opened, mistakes, streaming;
static uint8_t *buffers[CLINUX_CAMERA_BUFFERS];
static int queued[CLINUX_CAMERA_BUFFERS];
// Buffers in the order in which they were queued.
static unsigned order[CLINUX_CAMERA_BUFFERS], order_count;
static unsigned next_picture, ready;
static atomic_int unplugged;

static size_t buffer_size(void) { return camera.picture_size; }

void cfakecamera_set(const cfakecamera *new_camera) {
    camera = *new_camera;
    mapped = opened = mistakes = streaming = 0;
    order_count = next_picture = ready = 0;
    unplugged = 0;
    memset(queued, 0, sizeof queued);
}

void cfakecamera_unplug(void) { unplugged = 1; }

int cfakecamera_mapped(void) { return mapped; }
int cfakecamera_opened(void) { return opened; }
int cfakecamera_mistakes(void) { return mistakes; }

static int fake_open(const char *path) {
    if (strcmp(path, "/dev/none") == 0) {
        errno = ENOENT;
        return -1;
    }
    opened++;
    return 77;
}

static int fake_close(int descriptor) {
    if (descriptor != 77 || streaming) mistakes++;
    opened--;
    return 0;
}

static void *fake_map(size_t length, int descriptor, int64_t offset) {
    if (length != buffer_size() || descriptor != 77 || offset < 0 || offset >= CLINUX_CAMERA_BUFFERS) {
        mistakes++;
        return MAP_FAILED;
    }
    mapped++;
    buffers[offset] = calloc(length, 1);
    return buffers[offset];
}

static int fake_unmap(void *address, size_t length) {
    if (length != buffer_size()) mistakes++;
    mapped--;
    free(address);
    return 0;
}

static int fake_wait(int descriptor, int milliseconds) {
    if (!streaming) mistakes++;
    // A device that is gone has something to say.
    if (unplugged) return 1;
    unsigned left = camera.goes_on ? camera.picture_count : camera.picture_count - next_picture;
    ready = left < camera.pictures_per_wait ? left : camera.pictures_per_wait;
    return ready > 0;
}

static int give_picture(struct v4l2_buffer *buffer) {
    if (unplugged) {
        errno = ENODEV;
        return -1;
    }
    if (ready == 0 || order_count == 0) {
        errno = EAGAIN;
        return -1;
    }
    ready--;
    buffer->index = order[0];
    memmove(order, order + 1, --order_count * sizeof order[0]);
    queued[buffer->index] = 0;
    size_t place = next_picture++ % camera.picture_count;
    memcpy(buffers[buffer->index], camera.pictures + place * camera.picture_size, camera.picture_size);
    buffer->bytesused = (uint32_t)camera.picture_size * (camera.lies_about_size ? 2 : 1);
    buffer->flags = camera.is_damaged ? V4L2_BUF_FLAG_ERROR : 0;
    return 0;
}

static int queue(unsigned index) {
    if (index >= CLINUX_CAMERA_BUFFERS || queued[index]) {
        mistakes++;
        errno = EINVAL;
        return -1;
    }
    queued[index] = 1;
    order[order_count++] = index;
    return 0;
}

static int fake_ioctl(int descriptor, unsigned long request, void *argument) {
    if (descriptor != 77) mistakes++;
    if (camera.failing_request && (request & 0xff) == camera.failing_request) {
        errno = camera.failing_errno;
        return -1;
    }
    switch (request) {
        case VIDIOC_QUERYCAP: {
            struct v4l2_capability *capability = argument;
            capability->capabilities = V4L2_CAP_DEVICE_CAPS | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
            capability->device_caps = camera.is_no_camera ? V4L2_CAP_VIDEO_OUTPUT : V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
            return 0;
        }
        case VIDIOC_S_FMT: {
            // A driver gives what it has instead of what it was asked for.
            struct v4l2_pix_format *pixels = &((struct v4l2_format *)argument)->fmt.pix;
            pixels->pixelformat = camera.format;
            pixels->width = camera.width;
            pixels->height = camera.height;
            unsigned pixel_bytes = camera.format == V4L2_PIX_FMT_YUYV ? 2 : 1;
            pixels->bytesperline = camera.width * pixel_bytes + camera.row_padding;
            return 0;
        }
        case VIDIOC_S_PARM: errno = ENOTTY; return -1;
        case VIDIOC_REQBUFS: return 0;
        case VIDIOC_QUERYBUF: {
            struct v4l2_buffer *buffer = argument;
            buffer->length = (uint32_t)buffer_size();
            buffer->m.offset = buffer->index;
            return 0;
        }
        case VIDIOC_QBUF: return queue(((struct v4l2_buffer *)argument)->index);
        case VIDIOC_DQBUF: return give_picture(argument);
        case VIDIOC_STREAMON: streaming = 1; return 0;
        case VIDIOC_STREAMOFF: streaming = 0; return 0;
        default: mistakes++; errno = ENOTTY; return -1;
    }
}

const clinux_camera_calls *cfakecamera_calls(void) {
    static const clinux_camera_calls calls = {fake_open, fake_close, fake_ioctl, fake_map, fake_unmap, fake_wait};
    return &calls;
}

#endif
