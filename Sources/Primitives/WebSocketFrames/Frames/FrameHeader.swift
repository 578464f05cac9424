/// The header of a frame that is sent.
///
///     let header = FrameHeader(.text, count: payload.readableBytes)
///     buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: FrameHeader.maximumCount) { header.write(to: $0) }
///
/// Source: RFC 6455 section 5.2.
public struct FrameHeader: Hashable, Sendable {
    /// Bytes of the longest header.
    public static let maximumCount = 14

    public var opcode: FrameOpcode
    public var isFinal: Bool
    /// RSV1: the message is compressed (RFC 7692 section 6).
    public var isCompressed: Bool
    /// Nil: sent by a server.
    public var maskingKey: MaskingKey?
    /// Bytes of the payload.
    public var count: Int

    public init(
        _ opcode: FrameOpcode, count: Int, isFinal: Bool = true, isCompressed: Bool = false,
        maskingKey: MaskingKey? = nil
    ) {
        self.opcode = opcode
        self.count = count
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.maskingKey = maskingKey
    }

    /// - Parameter bytes: room for ``maximumCount``.
    /// - Returns: how many were written.
    @discardableResult public func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        precondition(bytes.count >= Self.maximumCount && count >= 0)
        bytes[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        let mask: UInt8 = maskingKey == nil ? 0 : 0x80
        var end = 2
        switch count {
        case ...125: bytes[1] = mask | UInt8(count)
        case ...0xffff:
            bytes[1] = mask | 126
            bytes.storeBytes(of: UInt16(count).bigEndian, toByteOffset: 2, as: UInt16.self)
            end = 4
        default:
            bytes[1] = mask | 127
            bytes.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 2, as: UInt64.self)
            end = 10
        }
        if let maskingKey {
            bytes.storeBytes(of: maskingKey.bits.bigEndian, toByteOffset: end, as: UInt32.self)
            end += 4
        }
        return end
    }

    public func append(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: Self.maximumCount, alignment: 1) { room in
            bytes += UnsafeRawBufferPointer(rebasing: room[..<write(to: room)])
        }
    }

    /// The header and `payload`, masked if there is a key. ``count`` is that of `payload`.
    public func append(to bytes: inout [UInt8], payload: UnsafeRawBufferPointer) {
        append(to: &bytes)
        let start = bytes.count
        bytes += payload
        guard let maskingKey else { return }
        bytes.withUnsafeMutableBytes { maskingKey.apply(to: .init(rebasing: $0[start...])) }
    }
}

/// A control frame to be sent.
public enum ControlFrame: Hashable, Sendable {
    /// A ping of at most 125 bytes.
    case ping([UInt8])
    /// A pong of at most 125 bytes.
    case pong([UInt8])
    case close(ClosePayload)

    /// The frame as it is sent.
    ///
    /// - Parameter maskingKey: nil: sent by a server.
    public func encoded(maskingKey: MaskingKey? = nil) -> [UInt8] {
        let (opcode, payload): (FrameOpcode, [UInt8]) =
            switch self {
            case .ping(let bytes): (.ping, bytes)
            case .pong(let bytes): (.pong, bytes)
            case .close(let close): (.close, close.bytes)
            }
        precondition(payload.count <= 125)
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameHeader.maximumCount + payload.count)
        payload.withUnsafeBytes {
            FrameHeader(opcode, count: $0.count, maskingKey: maskingKey).append(to: &frame, payload: $0)
        }
        return frame
    }

    /// Reads the payload of a control frame, unmasked.
    init(_ opcode: FrameOpcode, payload: [UInt8]) throws(FrameViolation) {
        switch opcode {
        case .ping: self = .ping(payload)
        case .pong: self = .pong(payload)
        default: self = .close(try ClosePayload(payload))
        }
    }
}
