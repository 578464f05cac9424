/// How symbols are cut into vertical strips that are worked on one after the other, so that a strip of all symbols of a
/// block stays in the cache.
///
/// All operations act on each byte position alone. Where the symbol size is no multiple of the width, the last strip
/// overlaps the one before it; symbols shorter than one strip are padded with zeros.
///
/// Source: `raptorq-qr` section 10.5.
struct StripLayout: Sendable, Equatable {
    /// T.
    let symbolSize: Int
    /// Bytes of a strip, a multiple of 64.
    let width: Int
    let stripCount: Int
    /// Bytes from one stored symbol to the next: T, or more where symbols are padded.
    let stride: Int

    static let preferredWidth = 256

    init(symbolSize: Int) {
        let count = (symbolSize + Self.preferredWidth - 1) / Self.preferredWidth
        self.symbolSize = symbolSize
        stripCount = count
        width = ((symbolSize + count - 1) / count + 63) / 64 * 64
        stride = max(symbolSize, width)
    }

    var isPadded: Bool { stride > symbolSize }

    /// Where a strip begins in each symbol.
    func offset(_ strip: Int) -> Int { min(strip * width, stride - width) }
}
