/// What the bytes of one QR symbol are: a whole payload, or one frame of several. Source: `signer-wire` section 9.2.
public enum QRContent: Equatable, Sendable {
    /// A complete payload.
    case payload([UInt8])
    /// Frame `index` (from 0) of `count` in the layout that polkadot-js sends, also when there is only one.
    case legacyFrame(index: Int, count: Int, data: [UInt8])
    /// One symbol of a fountain code for a payload of `payloadSize` bytes.
    case fountainFrame(payloadSize: Int)

    /// Bytes of a fountain frame at the least: size, symbol id, one byte of symbol.
    private static let fountainHead = 9
    /// Bytes before the data of a legacy frame: 00, count, index.
    private static let legacyHead = 5

    public init(_ bytes: [UInt8]) {
        if let first = bytes.first, first & 0x80 != 0, bytes.count >= Self.fountainHead {
            let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
            self = .fountainFrame(payloadSize: size)
        } else if bytes.first == 0, bytes.count >= Self.legacyHead {
            self = .legacyFrame(
                index: Int(bytes[3]) << 8 | Int(bytes[4]), count: Int(bytes[1]) << 8 | Int(bytes[2]),
                data: Array(bytes[Self.legacyHead...]))
        } else {
            self = .payload(bytes)
        }
    }

    /// The payload, if this one symbol carries the whole of it.
    ///
    /// - Throws: ``QRContentError`` if it is one frame of several, or a frame that contradicts itself.
    public func wholePayload() throws(QRContentError) -> [UInt8] {
        switch self {
        case .payload(let bytes):
            return bytes
        case .legacyFrame(let index, let count, let data):
            guard index < count else { throw .lengthExceeded(index: index, count: count) }
            guard count == 1 else { throw .oneOfSeveral(count: count) }
            return data
        case .fountainFrame(let payloadSize):
            throw .fountain(payloadSize: payloadSize)
        }
    }
}

/// Why one QR symbol does not give a payload.
public enum QRContentError: Error, Equatable, Sendable {
    /// The frame number is not below the number of frames.
    case lengthExceeded(index: Int, count: Int)
    /// The payload is spread over `count` pictures.
    case oneOfSeveral(count: Int)
    /// The payload is spread over a moving picture.
    case fountain(payloadSize: Int)

    public var code: String {
        switch self {
        case .lengthExceeded: "LengthExceeded"
        case .oneOfSeveral, .fountain: "MovingPicture"
        }
    }
}

extension QRContentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .lengthExceeded(let index, let count):
            "The QR code says it is frame \(index + 1) of \(count), which cannot be. Show the code again from its source."
        case .oneOfSeveral(let count):
            "This is one of \(count) QR codes that belong together. This version reads single codes; "
                + "save the payload as hex and give it with --hex or --file."
        case .fountain(let payloadSize):
            "This is one frame of a moving QR code (\(payloadSize) bytes in all). This version reads single codes; "
                + "save the payload as hex and give it with --hex or --file."
        }
    }
}
