/// Compresses and expands messages, each on its own (permessage-deflate without context takeover on both sides, window
/// 15).
///
/// It keeps nothing between messages, so all endpoints of one event loop may share one. Not `Sendable`.
///
/// Source: RFC 7692 section 7.2.
public final class MessageCompression {
    private let deflater: RawDeflater
    private let inflater = RawInflater()
    private let maximumRatio: Int
    /// Messages of fewer bytes are sent as they are.
    public let threshold: Int

    /// - Parameters:
    ///   - threshold: bytes of a message below which compressing costs more than it saves.
    ///   - maximumRatio: how many bytes one byte of a large message may become.
    public init(level: Int = 4, threshold: Int = 128, maximumRatio: Int = 200) {
        deflater = RawDeflater(level: level)
        (self.threshold, self.maximumRatio) = (threshold, maximumRatio)
    }

    /// - Returns: nil if it cannot be compressed for want of memory.
    func compress(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
        guard var bytes = try? deflater.compress(message, ending: .flushed) else { return nil }
        // The empty block at the end goes without saying (section 7.2.1).
        bytes.removeLast(4)
        return bytes
    }

    /// - Parameter maximumBytes: of the message as it was before it was compressed.
    func expand(_ payload: [UInt8], maximumBytes: Int) throws(FrameViolation) -> [UInt8] {
        let limits = RawInflater.Limits(bytes: maximumBytes, ratio: maximumRatio)
        do throws(RawDeflateError) {
            return try inflater.expand(payload + [0, 0, 0xff, 0xff], limits: limits)
        } catch {
            switch error {
            case .tooLarge: throw .messageTooBig
            case .tooDense: throw .denseDeflate
            case .malformed, .noMemory: throw .malformedDeflate
            }
        }
    }
}
