import CZXing
import QRCode

/// One search of one picture by zxing-cpp.
enum ZXingCall {
    /// - Parameter globalThreshold: one threshold for the whole picture instead of one for each neighbourhood.
    static func search(_ image: LumaImage, globalThreshold: Bool) throws(QRReaderError) -> [QRReading] {
        guard let width = Int32(exactly: image.width), let height = Int32(exactly: image.height) else { return [] }
        let found = Found()
        var message = [CChar](repeating: 0, count: Int(CZXING_MESSAGE_SIZE))
        let count = czxing_read(
            image.pixels, width, height, globalThreshold ? 1 : 0,
            { context, bytes, count, corners in
                guard let context, let corners else { return }
                Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().add(bytes, count: count, corners: corners)
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

        func add(_ bytes: UnsafePointer<UInt8>?, count: Int, corners: UnsafePointer<Int32>) {
            readings.append(
                QRReading(
                    bytes: Array(UnsafeBufferPointer(start: bytes, count: count)),
                    corners: (0..<4).map { .init(x: Int(corners[2 * $0]), y: Int(corners[2 * $0 + 1])) }))
        }
    }
}
