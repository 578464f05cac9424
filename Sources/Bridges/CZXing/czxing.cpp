#include "czxing.h"

#if !__has_include(<ZXing/ReadBarcode.h>)
#error "ZXing/ReadBarcode.h is missing: install it with  apt-get install libzxing-dev  (or run  make deps)"
#else

#include <ZXing/ReadBarcode.h>
#include <cstdio>
#include <exception>

using namespace ZXing;

int czxing_read(
    const unsigned char *pixels, int width, int height, int global_threshold, czxing_found found, void *context,
    char *message) {
    try {
        DecodeHints hints;
        hints.setFormats(BarcodeFormat::QRCode);
        hints.setTryHarder(true);
        hints.setTryRotate(true);
        if (global_threshold) hints.setBinarizer(Binarizer::GlobalHistogram);
        int count = 0;
        for (const auto &result : ReadBarcodes(ImageView(pixels, width, height, ImageFormat::Lum), hints)) {
            // One of several codes that hold a message between them (structured append) is no message.
            if (!result.isValid() || result.sequenceSize() > 1) continue;
            const auto &place = result.position();
            const int corners[8] = {
                place.topLeft().x, place.topLeft().y, place.topRight().x, place.topRight().y,
                place.bottomRight().x, place.bottomRight().y, place.bottomLeft().x, place.bottomLeft().y,
            };
            found(context, result.bytes().data(), result.bytes().size(), corners);
            count++;
        }
        return count;
    } catch (const std::exception &error) {
        std::snprintf(message, CZXING_MESSAGE_SIZE, "%s", error.what());
    } catch (...) {
        std::snprintf(message, CZXING_MESSAGE_SIZE, "unknown failure");
    }
    return -1;
}

#endif
