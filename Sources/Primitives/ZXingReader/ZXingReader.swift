import QRCode

/// zxing-cpp as a reader of QR codes: a second opinion beside ``SwiftQRReader``.
///
/// Its version in Debian 12 reads no inverted codes, so a picture in which nothing is found is searched once more
/// inverted, and once with one threshold for all of it: both cost little. What else it misses (turned codes of small
/// modules, codes seen from behind) only costly copies of the picture would bring, and the first reader reads those.
public struct ZXingReader: QRReader {
    /// Makes a reader.
    public init() {}

    /// Pixels of the longer side at the most: its time grows with the square of it.
    private static let longestSide = 1 << 14

    /// The codes that zxing-cpp finds in a picture; none in one of more than 16,384 pixels a side.
    public func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        guard max(image.width, image.height) <= Self.longestSide else { return [] }
        let found = try ZXingCall.search(image, globalThreshold: false)
        if !found.isEmpty { return found }
        let inverted = try ZXingCall.search(image.inverted, globalThreshold: false)
        if !inverted.isEmpty { return inverted }
        return try ZXingCall.search(image, globalThreshold: true)
    }
}
