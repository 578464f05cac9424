import PictureService

/// A small picture to be looked at while a person holds a code before the camera.
///
/// It is made of the bytes of cameras that give brightness as it is (GREY and YUYV), by choosing among them: nothing is
/// decoded. A camera that gives JPEG alone, and films, have no picture to be shown: decoding is the worker's, and no
/// pixels come back from it, so that what a taken-over worker could draw before a person's eyes stays nothing.
package struct GreyPicture: Hashable, Sendable {
    package let width, height: Int
    /// A byte a pixel, row by row, from black to white.
    package let pixels: [UInt8]

    /// Pixels of the longer side at the most.
    package static let sideLimit = 480

    /// - Parameter frame: an outside value.
    /// - Returns: nil where the bytes are a file, or fewer than the frame's size takes.
    init?(_ frame: CameraFrame) {
        let bytesPerPixel: Int
        switch frame.format {
        case .grey: bytesPerPixel = 1
        case .yuyv: bytesPerPixel = 2
        case .file: return nil
        }
        // The bounds keep the products below from overflowing.
        guard (1...Self.frameSide).contains(frame.width), (1...Self.frameSide).contains(frame.height),
            frame.stride >= frame.width * bytesPerPixel, frame.stride <= frame.bytes.count,
            (frame.height - 1) * frame.stride + frame.width * bytesPerPixel <= frame.bytes.count
        else { return nil }
        let step = (max(frame.width, frame.height) + Self.sideLimit - 1) / Self.sideLimit
        width = max(1, frame.width / step)
        height = max(1, frame.height / step)
        pixels = Self.shrink(frame, by: step, bytesPerPixel: bytesPerPixel, to: (width, height))
    }

    /// Pixels of a frame's side at the most; 4K has 4096.
    private static let frameSide = 1 << 14

    /// Takes the middle of each square of `step` pixels.
    private static func shrink(
        _ frame: CameraFrame, by step: Int, bytesPerPixel: Int, to size: (width: Int, height: Int)
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.width * size.height) { pixels, filled in
            frame.bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<size.height {
                    // A frame narrower or lower than one step has its last row and column for the middle.
                    let row = min(y * step + step / 2, frame.height - 1) * frame.stride
                    for x in 0..<size.width {
                        let column = min(x * step + step / 2, frame.width - 1) * bytesPerPixel
                        pixels[y * size.width + x] = bytes[row + column]
                    }
                }
            }
            filled = size.width * size.height
        }
    }

    /// How bright it is on the whole, 0 to 255.
    var brightness: Int { pixels.reduce(0) { $0 + Int($1) } / pixels.count }
}
