/// FEC payload id: which symbol of which source block a packet carries.
///
/// Source: RFC 6330 3.2; `raptorq-qr` section 2.1.
public struct PayloadID: Hashable, Sendable {
    /// SBN.
    public let block: UInt8
    /// ESI, 24 bits.
    public let symbol: UInt32

    /// The largest symbol id.
    public static let maximumSymbol: UInt32 = 1 << 24 - 1

    /// - Throws: ``RaptorQError/symbolIDOutOfRange(found:)`` for more than 24 bits.
    public init(block: UInt8, symbol: UInt32) throws(RaptorQError) {
        guard symbol <= Self.maximumSymbol else { throw .symbolIDOutOfRange(found: symbol) }
        self.block = block
        self.symbol = symbol
    }

    /// Reads 4 bytes: the block, then the symbol, big-endian.
    ///
    /// - Throws: ``RaptorQError/payloadIDLength(found:)``.
    public init(serialized bytes: some Collection<UInt8>) throws(RaptorQError) {
        let word = Array(bytes.prefix(5))
        guard word.count == 4 else { throw .payloadIDLength(found: bytes.count) }
        block = word[0]
        symbol = UInt32(word[1]) << 16 | UInt32(word[2]) << 8 | UInt32(word[3])
    }

    /// The 4 bytes in front of a symbol.
    public var serialized: [UInt8] {
        [block, UInt8(symbol >> 16), UInt8(truncatingIfNeeded: symbol >> 8), UInt8(truncatingIfNeeded: symbol)]
    }
}
