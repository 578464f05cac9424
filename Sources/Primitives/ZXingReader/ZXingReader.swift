import CZXing
import QRCode

/// zxing-cpp as a reader of QR codes.
///
/// Its version in Debian 12 reads no inverted codes, so what is not found is searched again inverted, enlarged, and with one
/// threshold for the whole picture; the first attempt that finds something ends the search.
public struct ZXingReader: QRReader {
    /// Pixels beyond which a picture is not enlarged.
    private static let doublingLimit = 4 << 20

    public init() {}

    public func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        let attempts: [(LumaImage) -> (LumaImage, Bool)?] = [
            { ($0, false) }, { ($0.inverted, false) }, { ($0, true) },
            { $0.pixels.count <= Self.doublingLimit ? ($0.doubled, false) : nil },
            { $0.pixels.count <= Self.doublingLimit ? ($0.inverted.doubled, false) : nil },
        ]
        for attempt in attempts {
            guard let (picture, isGlobal) = attempt(image) else { continue }
            let readings = try Self.search(picture, globalThreshold: isGlobal)
            guard readings.isEmpty else {
                return picture.width == image.width ? readings : readings.map(\.halved)
            }
        }
        return []
    }

    private static func search(_ image: LumaImage, globalThreshold: Bool) throws(QRReaderError) -> [QRReading] {
        guard let width = Int32(exactly: image.width), let height = Int32(exactly: image.height) else { return [] }
        let found = Found()
        var message = [CChar](repeating: 0, count: Int(CZXING_MESSAGE_SIZE))
        let count = czxing_read(
            image.pixels, width, height, globalThreshold ? 1 : 0,
            { context, bytes, count, corners in
                guard let context, let corners else { return }
                Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().add(bytes, count, corners)
            }, Unmanaged.passUnretained(found).toOpaque(), &message)
        guard count >= 0 else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .backend(String(decoding: text, as: UTF8.self))
        }
        return found.readings
    }

    /// Collects while the C function calls back.
    private final class Found {
        private(set) var readings: [QRReading] = []

        func add(_ bytes: UnsafePointer<UInt8>?, _ count: Int, _ corners: UnsafePointer<Int32>) {
            readings.append(
                QRReading(
                    bytes: Array(UnsafeBufferPointer(start: bytes, count: count)),
                    corners: (0..<4).map { .init(x: Int(corners[2 * $0]), y: Int(corners[2 * $0 + 1])) }))
        }
    }
}

extension QRReading {
    /// The reading of a picture of half the size.
    fileprivate var halved: QRReading {
        QRReading(bytes: bytes, corners: corners.map { .init(x: $0.x / 2, y: $0.y / 2) })
    }
}
