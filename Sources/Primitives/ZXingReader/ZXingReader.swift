import QRCode

/// zxing-cpp as a reader of QR codes.
///
/// Its version in Debian 12 reads no inverted codes and loses some that are small, large, turned or seen from behind, so a
/// picture in which nothing is found is searched again, changed; the first attempt that finds something ends the search.
public struct ZXingReader: QRReader {
    public init() {}

    public func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        for attempt in Attempt.all {
            let found = try attempt.read(image)
            if !found.isEmpty { return found }
        }
        return []
    }
}
