import RaptorQ

/// Turns a payload into the contents of QR symbols: one, or as many as are asked for.
///
///     let sender = try TransferSender(payload)
///     for number in 0... { show(try sender.content(number)) }
///
/// Source: `raptorq-qr` sections 12 and 17.
public struct TransferSender: Sendable {
    /// How the payload is cut.
    public enum Framing: Hashable, Sendable {
        /// One symbol where the payload fits it, else ``fountain``. A payload whose first bytes are those of a frame is
        /// put into a frame of its own.
        case automatic
        /// Symbols of a fountain code: new ones without end.
        case fountain
        /// Numbered pieces as polkadot-js shows them.
        case legacy
    }

    /// How repair symbols are numbered.
    public enum Dialect: String, CaseIterable, Sendable {
        /// A size of symbols with which all numberings agree, so that every reader reads them; where there is none, as
        /// ``vault``.
        case universal
        /// Symbols are numbered as Polkadot Vault does.
        case vault
        /// Symbols are numbered as RFC 6330 does.
        case rfc6330
    }

    private enum Contents: Sendable {
        case fixed([[UInt8]])
        case fountain(RaptorQEncoder)
    }

    private let contents: Contents
    /// Frames that a reader needs who misses none: each of the payload's parts once.
    public let sourceCount: Int
    /// Bytes of the longest content.
    public let contentSize: Int

    /// The largest payload that one symbol holds.
    package static let singleLimit = 2953
    /// Bytes of a fountain symbol at the most: the frame fits a symbol of version 40.
    package static let symbolLimit = singleLimit - FountainFrame.headSize
    /// The largest payload that one frame holds: from 64 bytes on, sizes of symbols are multiples of 8.
    private static let singleFrameLimit = symbolLimit / 8 * 8
    /// Bytes of a fountain symbol that computers show.
    public static let usualSymbolSize = 1072
    /// Bytes of a fountain symbol that phones show.
    package static let phoneSymbolSize = 128

    /// - Parameters:
    ///   - payload: 1 byte to 2 GiB.
    ///   - symbolSize: bytes of a fountain symbol; a smaller one is taken where the universal dialect finds one.
    ///   - isSizeFixed: whether the size is taken as it is also there.
    /// - Throws: ``TransferError/payloadTooLarge(size:limit:)``, or ``TransferError/malformedFrame(reason:)`` for a
    ///   size that is out of range.
    public init(
        _ payload: [UInt8], framing: Framing = .automatic, dialect: Dialect = .universal,
        symbolSize: Int = usualSymbolSize, isSizeFixed: Bool = false
    ) throws(TransferError) {
        guard !payload.isEmpty else { throw .malformedFrame(reason: "there is nothing to send") }
        guard payload.count <= FountainFrame.largestPayload else {
            throw .payloadTooLarge(size: payload.count, limit: FountainFrame.largestPayload)
        }
        let contents: Contents
        switch framing {
        case .automatic where payload.count <= Self.singleLimit && !QRContent.looksLikeFrame(payload):
            contents = .fixed([payload])
        case .automatic where payload.count <= Self.singleFrameLimit:
            let encoder = try Self.encoder(payload, symbolSize: Self.wholeSize(payload), .vault)
            contents = .fixed([Self.content(0, of: encoder)])
        case .legacy: contents = .fixed(try LegacyFrames.frames(of: payload))
        case .automatic, .fountain:
            guard (1...Self.symbolLimit).contains(symbolSize) else {
                throw .malformedFrame(reason: "a symbol has 1 to \(Self.symbolLimit) bytes, not \(symbolSize)")
            }
            let universal =
                dialect == .universal && !isSizeFixed ? UniversalSize.find(payload.count, upTo: symbolSize) : nil
            contents = .fountain(
                try Self.encoder(payload, symbolSize: universal ?? symbolSize, dialect == .rfc6330 ? .rfc6330 : .vault))
        }
        self.init(contents)
    }

    private init(_ contents: Contents) {
        self.contents = contents
        switch contents {
        case .fixed(let all):
            sourceCount = all.count
            contentSize = all.map(\.count).max() ?? 0
        case .fountain(let encoder):
            sourceCount = encoder.parameters.symbolCount
            contentSize = FountainFrame.headSize + encoder.parameters.symbolSize
        }
    }

    /// One symbol with just these bytes, for readers who know what they are: nothing else tells them from a frame.
    ///
    /// - Throws: ``TransferError/payloadTooLarge(size:limit:)``
    package static func whole(_ content: [UInt8]) throws(TransferError) -> TransferSender {
        guard content.count <= singleLimit else { throw .payloadTooLarge(size: content.count, limit: singleLimit) }
        return TransferSender(.fixed([content]))
    }

    /// Moving codes as phones show them, also for what would fit one.
    package static func phone(_ payload: [UInt8]) throws(TransferError) -> TransferSender {
        try TransferSender(
            payload, framing: .fountain, dialect: .vault, symbolSize: phoneSymbolSize, isSizeFixed: true)
    }

    /// Bytes of a symbol that holds a whole payload.
    private static func wholeSize(_ payload: [UInt8]) -> Int {
        payload.count < 64 ? payload.count : (payload.count + 7) / 8 * 8
    }

    private static func encoder(
        _ payload: [UInt8], symbolSize: Int, _ numbering: SymbolNumbering
    ) throws(TransferError) -> RaptorQEncoder {
        do {
            let parameters = try ObjectParameters.defaults(
                objectSize: payload.count, maximumPayloadSize: symbolSize)
            return try RaptorQEncoder(payload, parameters: parameters, numbering: numbering)
        } catch {
            throw .malformedFrame(reason: error.description)
        }
    }

    /// The code's parameters and numbering; nil where the contents are whole or numbered pieces.
    package var code: (parameters: ObjectParameters, numbering: SymbolNumbering)? {
        if case .fountain(let encoder) = contents { (encoder.parameters, encoder.numbering) } else { nil }
    }

    /// Whether there are always new frames to show.
    package var isEndless: Bool { code != nil }

    /// Frames that a film of fixed length has: all parts, and as many repair symbols as Polkadot Vault adds.
    public var usualCount: Int {
        guard let code else { return sourceCount }
        let (size, symbol) = (code.parameters.objectSize, code.parameters.symbolSize)
        return sourceCount + (size > symbol ? size / symbol : 0)
    }

    /// The content of a frame: first the payload's parts in their order, then repair symbols, new ones until their
    /// numbers run out, which come again from their first.
    ///
    /// - Parameter number: from 0.
    public func content(_ number: Int) -> [UInt8] {
        switch contents {
        case .fixed(let all): all[number % all.count]
        case .fountain(let encoder): Self.content(number, of: encoder)
        }
    }

    private static func content(_ number: Int, of encoder: RaptorQEncoder) -> [UInt8] {
        let parameters = encoder.parameters
        do {
            let id = try Self.id(number, of: encoder)
            return FountainFrame(payloadSize: parameters.objectSize, id: id, symbol: try encoder.symbol(id)).bytes
        } catch {
            preconditionFailure("every number has a symbol: \(error)")
        }
    }

    private static func id(_ number: Int, of encoder: RaptorQEncoder) throws(RaptorQError) -> PayloadID {
        let parameters = encoder.parameters
        if let id = try parameters.sourceID(number) { return id }
        let rest = number - parameters.symbolCount
        let block = rest % parameters.sourceBlockCount
        let ids = try encoder.repairIDs(block: block, count: Int(PayloadID.maximumSymbol))
        let offset = rest / parameters.sourceBlockCount % ids.count
        return try PayloadID(block: UInt8(block), symbol: ids.lowerBound + UInt32(offset))
    }
}

/// Finds a size of symbols with which the numberings of repair symbols agree.
enum UniversalSize {
    /// - Returns: the largest size up to `limit` with which the payload has as many symbols as a row of the code's
    ///   table; nil where there is none.
    static func find(_ payloadSize: Int, upTo limit: Int) -> Int? {
        // From 64 bytes on sizes are multiples of 8.
        stride(from: limit, through: 1, by: -1).first { size in
            guard size < 64 || size % 8 == 0 else { return false }
            let count = (payloadSize + size - 1) / size
            return count <= BlockParameters.maximumSourceSymbolCount && BlockParameters.isTableValue(count)
        }
    }
}
