/// A grey picture: one byte a pixel, 0 black.
public struct LumaImage: Equatable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
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

    /// The image with black and white exchanged.
    public var inverted: LumaImage {
        LumaImage(unchecked: width, height, pixels.mapped { ~$0 })
    }

    /// Brightness of a colour (ITU-R BT.601).
    package static func brightness(red: Int, green: Int, blue: Int) -> Int {
        (red * 299 + green * 587 + blue * 114 + 500) / 1000
    }

    private init(unchecked width: Int, _ height: Int, _ pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

extension [UInt8] {
    /// Like `map`, in a form that becomes vector instructions.
    func mapped(_ change: (UInt8) -> UInt8) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            // Both have `count` elements.
            withUnsafeBufferPointer { input in
                for index in input.indices { output[index] = change(input[index]) }
            }
            filled = count
        }
    }
}
