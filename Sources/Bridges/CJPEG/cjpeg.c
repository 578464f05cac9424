#include "cjpeg.h"

#if !__has_include(<jpeglib.h>)
#error "jpeglib.h is missing: install it with  apt-get install libjpeg-dev  (or run  make deps)"
#else

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <jpeglib.h>

struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf back;
    char *message;
};

// Replaces libjpeg's handler, which would end the process.
static void fail(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(failure->message, CJPEG_MESSAGE_SIZE, "%s", text);
    longjmp(failure->back, 1);
}

// Level -1 is a warning about damaged data; others are traces.
static void emit(j_common_ptr info, int level) {
    if (level < 0) fail(info);
}

static void prepare(struct jpeg_decompress_struct *info, struct failure *failure, char *message) {
    info->err = jpeg_std_error(&failure->manager);
    failure->manager.error_exit = fail;
    failure->manager.emit_message = emit;
    failure->message = message;
}

int cjpeg_size(const unsigned char *bytes, size_t count, unsigned *width, unsigned *height, char *message) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    memset(&info, 0, sizeof info);
    prepare(&info, &failure, message);
    if (setjmp(failure.back)) {
        jpeg_destroy_decompress(&info);
        return -1;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, (unsigned long)count);
    jpeg_read_header(&info, TRUE);
    *width = info.image_width;
    *height = info.image_height;
    jpeg_destroy_decompress(&info);
    return 0;
}

int cjpeg_decode(
    const unsigned char *bytes, size_t count, int scan_limit, unsigned char *pixels, size_t pixel_count, char *message) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    memset(&info, 0, sizeof info);
    prepare(&info, &failure, message);
    if (setjmp(failure.back)) {
        jpeg_destroy_decompress(&info);
        return -1;
    }
    jpeg_create_decompress(&info);
    // A progressive picture keeps its coefficients: bounded, as the pixels are.
    info.mem->max_memory_to_use = 256L << 20;
    jpeg_mem_src(&info, bytes, (unsigned long)count);
    jpeg_read_header(&info, TRUE);
    if (info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK) {
        snprintf(message, CJPEG_MESSAGE_SIZE, "it has printing colours (CMYK)");
        jpeg_destroy_decompress(&info);
        return -1;
    }
    info.out_color_space = JCS_GRAYSCALE;
    info.buffered_image = jpeg_has_multiple_scans(&info);
    jpeg_start_decompress(&info);
    if ((size_t)info.output_width * info.output_height != pixel_count) {
        snprintf(message, CJPEG_MESSAGE_SIZE, "its size changed while it was read");
        jpeg_destroy_decompress(&info);
        return -1;
    }
    if (info.buffered_image) {
        int status;
        do {
            status = jpeg_consume_input(&info);
            if (info.input_scan_number > scan_limit) {
                snprintf(message, CJPEG_MESSAGE_SIZE, "it has more than %d scans", scan_limit);
                jpeg_destroy_decompress(&info);
                return -1;
            }
        } while (status != JPEG_REACHED_EOI && status != JPEG_SUSPENDED);
        jpeg_start_output(&info, info.input_scan_number);
    }
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = pixels + (size_t)info.output_scanline * info.output_width;
        jpeg_read_scanlines(&info, &row, 1);
    }
    if (info.buffered_image) jpeg_finish_output(&info);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return 0;
}

#endif
