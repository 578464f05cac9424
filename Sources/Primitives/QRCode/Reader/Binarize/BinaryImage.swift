/// A picture in two colours: one byte a pixel, 1 dark.
struct BinaryImage: Sendable {
    let width: Int
    let height: Int
    /// Row by row, without gaps.
    let pixels: [UInt8]

    /// - Returns: false outside of the picture.
    func isDark(x: Int, y: Int) -> Bool {
        x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] == 1
    }
}
