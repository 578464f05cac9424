/// A grey picture: one byte a pixel, 0 black.
public struct LumaImage: Equatable, Sendable {
    public let width: Int
    public let height: Int
    /// Row by row, without gaps.
    public let pixels: [UInt8]

    /// - Returns: nil unless `pixels` are width times height and both are positive.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count == width * height else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Black for white.
    public var inverted: LumaImage {
        LumaImage(unchecked: width, height, pixels.map { ~$0 })
    }

    /// Twice as wide and high, with straight transitions between pixels.
    public var doubled: LumaImage {
        var output = [UInt8](repeating: 0, count: pixels.count * 4)
        for y in 0..<height * 2 {
            let (top, bottom) = (y / 2, min(height - 1, y / 2 + y % 2))
            for x in 0..<width * 2 {
                let (left, right) = (x / 2, min(width - 1, x / 2 + x % 2))
                let sum =
                    Int(pixels[top * width + left]) + Int(pixels[top * width + right])
                    + Int(pixels[bottom * width + left]) + Int(pixels[bottom * width + right])
                output[y * width * 2 + x] = UInt8(sum / 4)
            }
        }
        return LumaImage(unchecked: width * 2, height * 2, output)
    }

    private init(unchecked width: Int, _ height: Int, _ pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
