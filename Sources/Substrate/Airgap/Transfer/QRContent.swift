import RaptorQ

/// What the bytes of one QR symbol are: a whole payload, or one frame of several.
///
/// Source: `signer-wire` section 9.2, `raptorq-qr` section 12.5.
package enum QRContent: Equatable, Sendable {
    /// A complete payload.
    case payload([UInt8])
    /// Frame `index` (from 0) of `count` in the layout that polkadot-js sends, also when there is only one.
    case legacyFrame(index: Int, count: Int, data: [UInt8])
    /// One symbol of a fountain code.
    case fountainFrame(FountainFrame)

    /// Bytes before the data of a legacy frame: 00, count, index.
    static let legacyHead = 5

    /// - Throws: ``TransferError/malformedFrame(reason:)`` for a code without content, and for the beginning of a
    ///   fountain frame without a symbol.
    package init(_ bytes: [UInt8]) throws(TransferError) {
        // No sender has an empty payload to show.
        guard !bytes.isEmpty else { throw .malformedFrame(reason: "it is empty") }
        if Self.beginsFountainFrame(bytes) {
            self = .fountainFrame(try FountainFrame(bytes))
        } else if Self.beginsLegacyFrame(bytes) {
            self = .legacyFrame(
                index: Int(bytes[3]) << 8 | Int(bytes[4]), count: Int(bytes[1]) << 8 | Int(bytes[2]),
                data: Array(bytes[Self.legacyHead...]))
        } else {
            self = .payload(bytes)
        }
    }

    /// Whether a payload would be taken for a frame if it were a symbol's content as it is.
    static func looksLikeFrame(_ payload: [UInt8]) -> Bool {
        beginsFountainFrame(payload) || beginsLegacyFrame(payload)
    }

    private static func beginsFountainFrame(_ bytes: [UInt8]) -> Bool { bytes.count > 4 && bytes[0] & 0x80 != 0 }

    private static func beginsLegacyFrame(_ bytes: [UInt8]) -> Bool { bytes.count >= legacyHead && bytes[0] == 0 }
}

/// A symbol of a fountain code with what a reader needs to place it: the payload's size with the top bit set (32 bits,
/// big-endian), block and number of the symbol, the symbol.
package struct FountainFrame: Hashable, Sendable {
    /// Bytes before the symbol.
    package static let headSize = 8
    /// The largest payload that a frame can name.
    package static let largestPayload = 0x7fff_ffff

    package var payloadSize: Int
    package var id: PayloadID
    package var symbol: [UInt8]

    package init(payloadSize: Int, id: PayloadID, symbol: [UInt8]) {
        self.payloadSize = payloadSize
        self.id = id
        self.symbol = symbol
    }

    init(_ bytes: [UInt8]) throws(TransferError) {
        guard bytes.count > Self.headSize else {
            throw .malformedFrame(reason: "it has \(bytes.count) bytes and no symbol")
        }
        payloadSize = bytes[..<4].reduce(0) { $0 << 8 | Int($1) } & Self.largestPayload
        guard payloadSize > 0 else { throw .malformedFrame(reason: "it says that the payload is empty") }
        do { id = try PayloadID(serialized: bytes[4..<Self.headSize]) } catch {
            throw .malformedFrame(reason: error.description)
        }
        symbol = Array(bytes[Self.headSize...])
    }

    /// The content of the QR symbol.
    package var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (0x8000_0000 | payloadSize) >> $0) } + id.serialized + symbol
    }
}
