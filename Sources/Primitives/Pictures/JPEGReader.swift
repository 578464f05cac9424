import CJPEG
import QRCode

/// JPEG through libjpeg.
enum JPEGReader {
    /// Scans of a progressive picture at the most; more only waste time.
    private static let scanLimit: Int32 = 100

    static func decode(_ bytes: [UInt8]) throws(PictureError) -> LumaImage {
        var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        var width: UInt32 = 0
        var height: UInt32 = 0
        guard cjpeg_size(bytes, bytes.count, &width, &height, &message) == 0 else { throw failure(message) }
        try PictureDecoder.checkSize(width: Int(width), height: Int(height))
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height))
        guard cjpeg_decode(bytes, bytes.count, scanLimit, &pixels, pixels.count, &message) == 0 else {
            throw failure(message)
        }
        guard let image = LumaImage(width: Int(width), height: Int(height), pixels: pixels) else {
            throw .malformed(format: "JPEG", reason: "the picture is empty", offset: 0)
        }
        return image
    }

    private static func failure(_ message: [CChar]) -> PictureError {
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .malformed(format: "JPEG", reason: String(decoding: text, as: UTF8.self), offset: 0)
    }
}
