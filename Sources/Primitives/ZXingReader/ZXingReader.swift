import QRCode

/// zxing-cpp as a reader of QR codes: a second opinion beside ``SwiftQRReader``.
///
/// Its version in Debian 12 reads no inverted codes, so a picture in which nothing is found is searched once more
/// inverted, and once with one threshold for all of it: both cost little. What else it misses (turned codes of small
/// modules, codes seen from behind) only costly copies of the picture would bring, and the first reader reads those.
public struct ZXingReader: QRReader {
    /// Makes a reader.
    public init() {}

    /// The codes that zxing-cpp finds in a picture.
    public func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        let found = try ZXingCall.search(image, globalThreshold: false)
        if !found.isEmpty { return found }
        let inverted = try ZXingCall.search(image.inverted, globalThreshold: false)
        if !inverted.isEmpty { return inverted }
        return try ZXingCall.search(image, globalThreshold: true)
    }
}
