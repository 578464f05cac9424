import CCaption
import CPNG
import ForceFieldWire
import PictureMethods

/// Its description goes to the host, as text that nobody there believes.
struct NotDecodable: Error, CustomStringConvertible {
    let description: String
}

/// Pixels of a picture: 4,096 by 2,048 at four bytes each.
private let pixelLimit = 8 << 20

/// The way that libpng's manual shows, as in any program.
func decode(_ file: [UInt8]) throws -> PictureMethods.Picture {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else { throw NotDecodable(image) }
    let (width, height) = (Int(image.width), Int(image.height))
    guard width * height <= pixelLimit else {
        throw NotDecodable(description: "\(width) by \(height) pixels are more than \(pixelLimit)")
    }
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { throw NotDecodable(image) }
    return PictureMethods.Picture(width: width, height: height, pixels: Bytes(pixels), caption: caption(of: file))
}

private func caption(of file: [UInt8]) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CAPTION_ROOM)) { room in
        guard let base = room.baseAddress else { return nil }
        let length = caption_read(file, file.count, base)
        return length == 0 ? nil : String(decoding: room.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension NotDecodable {
    init(_ image: png_image) {
        description = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
