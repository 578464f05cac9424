// Plays pictures into the kernel's pretended camera (vivid), again and again: film-camera OUTPUT CAMERA FILE WIDTH HEIGHT
// The file holds pictures of one byte for each pixel (GREY), one behind the other.

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { buffer_count = 4, pause_nanoseconds = 60000000 };

static void must(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "film-camera: %s: %s\n", what, strerror(errno));
    exit(1);
}

// Sets a control by its name, where the device has it.
static int set_control(int device, const char *name, int value) {
    struct v4l2_query_ext_ctrl query = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (ioctl(device, VIDIOC_QUERY_EXT_CTRL, &query) == 0) {
        if (strcmp(query.name, name) == 0) {
            struct v4l2_control control = {.id = query.id, .value = value};
            must(ioctl(device, VIDIOC_S_CTRL, &control) == 0, name);
            return 1;
        }
        query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    return 0;
}

int main(int count, char **arguments) {
    must(count == 6, "usage: film-camera OUTPUT CAMERA FILE WIDTH HEIGHT");
    int device = open(arguments[1], O_RDWR);
    must(device >= 0, arguments[1]);
    int camera = open(arguments[2], O_RDWR);
    must(camera >= 0, arguments[2]);
    // The input shows what the first output gives, and nothing is written over it.
    must(set_control(camera, "HDMI 000-0 Is Connected To", 2), "there is no control that connects camera and output");
    must(set_control(camera, "OSD Text Mode", 2), "there is no control of the text over the picture");
    close(camera);
    FILE *film = fopen(arguments[3], "rb");
    must(film != NULL, arguments[3]);
    unsigned width = (unsigned)atoi(arguments[4]), height = (unsigned)atoi(arguments[5]);
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix = (struct v4l2_pix_format){
        .width = width, .height = height, .pixelformat = V4L2_PIX_FMT_GREY, .field = V4L2_FIELD_NONE, .colorspace = V4L2_COLORSPACE_SRGB};
    must(ioctl(device, VIDIOC_S_FMT, &format) == 0, "format");
    must(format.fmt.pix.width == width && format.fmt.pix.height == height && format.fmt.pix.pixelformat == V4L2_PIX_FMT_GREY,
         "the device takes no such pictures");
    size_t stride = format.fmt.pix.bytesperline;
    struct v4l2_requestbuffers request = {.count = buffer_count, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
    must(ioctl(device, VIDIOC_REQBUFS, &request) == 0 && request.count > 0, "buffers");
    unsigned char *places[VIDEO_MAX_FRAME] = {0};
    for (unsigned index = 0; index < request.count; index++) {
        struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP, .index = index};
        must(ioctl(device, VIDIOC_QUERYBUF, &buffer) == 0, "buffer");
        places[index] = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device, (off_t)buffer.m.offset);
        must(places[index] != MAP_FAILED, "mmap");
    }
    int is_on = 0;
    for (unsigned long number = 0;; number++) {
        struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP, .index = (unsigned)number};
        if (number >= request.count) must(ioctl(device, VIDIOC_DQBUF, &buffer) == 0, "take");
        for (unsigned row = 0; row < height; row++) {
            if (fread(places[buffer.index] + stride * row, 1, width, film) == width) continue;
            rewind(film);
            must(row == 0 && fread(places[buffer.index], 1, width, film) == width, "the film ends within a picture");
        }
        buffer.bytesused = (unsigned)(stride * height);
        buffer.field = V4L2_FIELD_NONE;
        must(ioctl(device, VIDIOC_QBUF, &buffer) == 0, "give");
        int type = V4L2_BUF_TYPE_VIDEO_OUTPUT;
        if (!is_on && number + 1 >= request.count) must((is_on = ioctl(device, VIDIOC_STREAMON, &type) == 0), "begin");
        nanosleep(&(struct timespec){.tv_nsec = pause_nanoseconds}, NULL);
    }
}
