#include "clinux_camera.h"

#include <errno.h>
#include <string.h>

#ifndef __linux__

int clinux_camera_open(
    clinux_camera *camera, const char *path, unsigned width, unsigned height, const clinux_camera_calls *calls) {
    errno = ENOSYS;
    return -1;
}

int clinux_camera_next(clinux_camera *camera, int milliseconds, const uint8_t **bytes, size_t *count) {
    errno = ENOSYS;
    return -1;
}

void clinux_camera_close(clinux_camera *camera) {}

#else

#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int system_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

static int system_ioctl(int descriptor, unsigned long request, void *argument) {
    int result;
    do result = ioctl(descriptor, request, argument);
    while (result < 0 && errno == EINTR);
    return result;
}

static void *system_map(size_t length, int descriptor, int64_t offset) {
    return mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
}

static int system_wait(int descriptor, int milliseconds) {
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    int result = poll(&request, 1, milliseconds);
    // A signal ends the waiting, not the camera.
    if (result < 0 && errno == EINTR) return 0;
    if (result > 0 && !(request.revents & POLLIN)) {
        errno = ENODEV;
        return -1;
    }
    return result;
}

static const clinux_camera_calls system_calls = {system_open, close, system_ioctl, system_map, munmap, system_wait};

static const struct {
    uint32_t code;
    enum clinux_camera_format format;
    unsigned pixel_bytes;
} formats[] = {
    {V4L2_PIX_FMT_GREY, clinux_camera_grey, 1},
    {V4L2_PIX_FMT_YUYV, clinux_camera_yuyv, 2},
    {V4L2_PIX_FMT_MJPEG, clinux_camera_mjpeg, 0},
};

static int call(clinux_camera *camera, unsigned long request, void *argument) {
    return camera->calls->ioctl(camera->descriptor, request, argument);
}

static int check_capability(clinux_camera *camera) {
    struct v4l2_capability capability = {0};
    if (call(camera, VIDIOC_QUERYCAP, &capability) != 0) return -1;
    uint32_t able = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    if ((able & V4L2_CAP_VIDEO_CAPTURE) && (able & V4L2_CAP_STREAMING)) return 0;
    errno = EINVAL;
    return -1;
}

// A camera answers a wish that it cannot fulfil with what it can.
static int choose_format(clinux_camera *camera, unsigned width, unsigned height) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct v4l2_format wish = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
        wish.fmt.pix.width = width;
        wish.fmt.pix.height = height;
        wish.fmt.pix.pixelformat = formats[i].code;
        wish.fmt.pix.field = V4L2_FIELD_NONE;
        if (call(camera, VIDIOC_S_FMT, &wish) != 0) {
            // Whatever else it is, such as another program's stream, no other format changes it.
            if (errno != EINVAL) return -1;
            continue;
        }
        if (wish.fmt.pix.pixelformat != formats[i].code) continue;
        camera->width = wish.fmt.pix.width;
        camera->height = wish.fmt.pix.height;
        camera->format = formats[i].format;
        camera->stride = wish.fmt.pix.bytesperline;
        unsigned row = camera->width * formats[i].pixel_bytes;
        if (camera->stride < row) camera->stride = row;
        return 0;
    }
    errno = ENOTSUP;
    return -1;
}

// 30 pictures a second; cameras that cannot choose refuse, which does no harm.
static void choose_rate(clinux_camera *camera) {
    struct v4l2_streamparm rate = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    rate.parm.capture.timeperframe.numerator = 1;
    rate.parm.capture.timeperframe.denominator = 30;
    call(camera, VIDIOC_S_PARM, &rate);
}

static struct v4l2_buffer buffer_at(unsigned index) {
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP, .index = index};
    return buffer;
}

static int map_buffers(clinux_camera *camera) {
    struct v4l2_requestbuffers request = {
        .count = CLINUX_CAMERA_BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (call(camera, VIDIOC_REQBUFS, &request) != 0) return -1;
    if (request.count < 2) {
        errno = ENOMEM;
        return -1;
    }
    unsigned count = request.count < CLINUX_CAMERA_BUFFERS ? request.count : CLINUX_CAMERA_BUFFERS;
    for (unsigned i = 0; i < count; i++) {
        struct v4l2_buffer buffer = buffer_at(i);
        if (call(camera, VIDIOC_QUERYBUF, &buffer) != 0) return -1;
        void *address = camera->calls->map(buffer.length, camera->descriptor, buffer.m.offset);
        if (address == MAP_FAILED) return -1;
        camera->buffers[i] = address;
        camera->sizes[i] = buffer.length;
        camera->buffer_count = i + 1;
        if (call(camera, VIDIOC_QBUF, &buffer) != 0) return -1;
    }
    return 0;
}

int clinux_camera_open(
    clinux_camera *camera, const char *path, unsigned width, unsigned height, const clinux_camera_calls *calls) {
    memset(camera, 0, sizeof *camera);
    camera->calls = calls ? calls : &system_calls;
    camera->lent = -1;
    camera->descriptor = camera->calls->open(path);
    if (camera->descriptor < 0) return -1;
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (check_capability(camera) == 0 && choose_format(camera, width, height) == 0) {
        choose_rate(camera);
        if (map_buffers(camera) == 0 && call(camera, VIDIOC_STREAMON, &type) == 0) return 0;
    }
    int reason = errno;
    clinux_camera_close(camera);
    errno = reason;
    return -1;
}

static int give_back(clinux_camera *camera) {
    if (camera->lent < 0) return 0;
    struct v4l2_buffer buffer = buffer_at((unsigned)camera->lent);
    camera->lent = -1;
    return call(camera, VIDIOC_QBUF, &buffer);
}

int clinux_camera_next(clinux_camera *camera, int milliseconds, const uint8_t **bytes, size_t *count) {
    *count = 0;
    if (give_back(camera) != 0) return -1;
    int ready = camera->calls->wait(camera->descriptor, milliseconds);
    if (ready <= 0) return ready;
    for (;;) {
        struct v4l2_buffer buffer = buffer_at(0);
        if (call(camera, VIDIOC_DQBUF, &buffer) != 0) {
            // No more are waiting: the last one taken is the newest.
            if (errno == EAGAIN) return 0;
            return -1;
        }
        if (buffer.index >= camera->buffer_count) {
            errno = EIO;
            return -1;
        }
        if (give_back(camera) != 0) return -1;
        camera->lent = (int)buffer.index;
        // The driver marks pictures that were damaged on the way.
        size_t used = buffer.flags & V4L2_BUF_FLAG_ERROR ? 0 : buffer.bytesused;
        size_t size = camera->sizes[buffer.index];
        *bytes = camera->buffers[buffer.index];
        *count = used < size ? used : size;
    }
}

void clinux_camera_close(clinux_camera *camera) {
    if (camera->descriptor < 0 || !camera->calls) return;
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    call(camera, VIDIOC_STREAMOFF, &type);
    for (unsigned i = 0; i < camera->buffer_count; i++) camera->calls->unmap(camera->buffers[i], camera->sizes[i]);
    camera->calls->close(camera->descriptor);
    camera->descriptor = -1;
    camera->buffer_count = 0;
}

#endif
