import PictureService
import Pictures
import QRCode

extension CameraFrame {
    /// The brightness of the frame's pixels.
    ///
    /// - Throws: ``PictureError`` for a damaged file, and `malformed` where the bytes are too few for the size.
    package func luma() throws(PictureError) -> LumaImage {
        switch format {
        case .grey: try luma(step: 1)
        case .yuyv: try luma(step: 2)
        case .file: try PictureDecoder.decode(bytes)
        }
    }

    private func luma(step: Int) throws(PictureError) -> LumaImage {
        guard width > 0, height > 0, stride > 0, width <= PictureDecoder.pixelLimit / height,
            height <= 1 || stride <= bytes.count / (height - 1),
            (height - 1) * stride + width * step <= bytes.count
        else { throw .malformed(format: "camera", reason: "the picture is cut off", offset: bytes.count) }
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { pixels, filled in
            // The guard above bounds the last index of each.
            bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<height {
                    for x in 0..<width { pixels[y * width + x] = bytes[y * stride + x * step] }
                }
            }
            filled = width * height
        }
        guard let image = LumaImage(width: width, height: height, pixels: pixels) else {
            throw .malformed(format: "camera", reason: "the picture is empty", offset: 0)
        }
        return image
    }
}
