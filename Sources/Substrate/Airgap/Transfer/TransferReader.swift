import RaptorQ

/// Puts a payload together from the contents of QR symbols, which may come in any order, again and again.
///
///     let reader = TransferReader()
///     for content in contents {
///         if case .payload(let payload) = try reader.read(content) { return payload }
///     }
///
/// The payload of a fountain code is handed out when one symbol more than are needed confirms it, that of numbered
/// pieces when all are there. What does not fit is refused by an error and changes nothing; only where symbols or
/// pieces contradict each other, so that no payload comes of them any more, another reader has to begin anew
/// (``TransferError/mixedTransfers``, ``TransferError/sameNumber(index:)``, ``TransferSessions``). Memory is bounded by
/// the payload's size, which is bounded by `limit`, and taken frame by frame, not at what a frame claims.
/// Source: `raptorq-qr` section 12.5, `signer-wire` section 9.2.
public final class TransferReader {
    /// Bytes of a payload at the most.
    package let limit: Int
    /// The numbering of repair symbols; nil finds it out.
    package let numbering: SymbolNumbering?

    private var state = Collected.empty

    private enum Collected {
        case empty
        case legacy(LegacyPieces)
        case fountain(FountainSymbols)
        case done([UInt8], isConfirmed: Bool)
    }

    /// Whether numbered pieces, too, give a payload only when it is confirmed.
    private let takesConfirmedOnly: Bool

    /// What a content has brought.
    public enum Outcome: Equatable, Sendable {
        /// The whole payload. What is read later is not looked at.
        case payload([UInt8])
        /// A part that was not there yet.
        case new
        /// A part that was there, or one that nothing is needed of.
        case repeated
    }

    /// - Parameters:
    ///   - limit: 64 MiB, unless said otherwise.
    public init(limit: Int = 64 << 20, numbering: SymbolNumbering? = nil) {
        self.limit = limit
        self.numbering = numbering
        takesConfirmedOnly = false
    }

    /// Begins anew where what was read contradicted itself.
    init(after mixed: TransferReader) {
        (limit, numbering, takesConfirmedOnly) = (mixed.limit, mixed.numbering, true)
    }

    /// Takes the content of one QR symbol.
    public func read(_ content: [UInt8]) throws(TransferError) -> Outcome {
        if case .done(let payload, _) = state { return .payload(payload) }
        let content = try QRContent(content)
        switch content {
        case .payload(let payload):
            guard case .empty = state else { throw .dynamicInterruptedByStatic }
            guard payload.count <= limit else { throw .payloadTooLarge(size: payload.count, limit: limit) }
            state = .done(payload, isConfirmed: true)
            return .payload(payload)
        case .legacyFrame(let index, let count, let data):
            return try readLegacy(index: index, of: count, data)
        case .fountainFrame(let frame):
            return try readFountain(frame)
        }
    }

    private func readLegacy(index: Int, of count: Int, _ data: [UInt8]) throws(TransferError) -> Outcome {
        let pieces: LegacyPieces
        switch state {
        case .fountain: throw .fountainInterruptedByLegacy
        case .legacy(let known): pieces = known
        case .empty, .done: pieces = LegacyPieces(count: count, limit: limit)
        }
        let isNew = try pieces.add(data, index: index, count: count)
        state = .legacy(pieces)
        guard let payload = pieces.payload, pieces.isConfirmed || !takesConfirmedOnly else {
            return isNew ? .new : .repeated
        }
        state = .done(payload, isConfirmed: pieces.isConfirmed)
        return .payload(payload)
    }

    private func readFountain(_ frame: FountainFrame) throws(TransferError) -> Outcome {
        let symbols: FountainSymbols
        switch state {
        case .legacy: throw .legacyInterruptedByFountain
        case .fountain(let known): symbols = known
        case .empty, .done: symbols = try FountainSymbols(for: frame, limit: limit, numbering: numbering)
        }
        let isNew = try symbols.add(frame)
        state = .fountain(symbols)
        guard let payload = try symbols.payload() else { return isNew ? .new : .repeated }
        state = .done(payload, isConfirmed: true)
        return .payload(payload)
    }

    /// Says that nothing more comes.
    ///
    /// - Returns: the payload, also where no further frame confirms it.
    /// - Throws: ``TransferError/unableToDecode(distinct:needed:)``, ``TransferError/numberingUnknown``.
    public func finish() throws(TransferError) -> [UInt8] {
        switch state {
        case .done(let payload, _): return payload
        case .empty: throw .unableToDecode(distinct: 0, needed: 1)
        case .legacy(let pieces) where pieces.isMixed: throw .mixedTransfers
        case .legacy(let pieces): throw .unableToDecode(distinct: pieces.distinct, needed: pieces.count)
        case .fountain(let symbols): return try symbols.finish()
        }
    }

    /// Whether what was read contradicts itself, so that no payload comes of it any more.
    var isMixed: Bool {
        switch state {
        case .fountain(let symbols): symbols.isMixed
        case .legacy(let pieces): pieces.isMixed
        case .empty, .done: false
        }
    }

    /// Whether a number came with two symbols, by which no payload is given out any more that nothing confirms.
    var isDisputed: Bool { if case .fountain(let symbols) = state { symbols.isDisputed } else { false } }

    /// Whether more than it takes vouches for the payload: numbered pieces of two payloads give a third one else.
    var isConfirmed: Bool { if case .done(_, let isConfirmed) = state { isConfirmed } else { false } }

    /// Forgets all that was read.
    package func reset() { state = .empty }

    /// How far reading has come; nil before the first part and after the last.
    public var progress: TransferProgress? {
        switch state {
        case .empty, .done: nil
        case .legacy(let pieces): TransferProgress(distinct: pieces.distinct, needed: pieces.count)
        case .fountain(let symbols): symbols.progress
        }
    }

    /// The contents that were of use, so that reading can go on another time: all of them, read again, bring this state
    /// back, but for a contradiction that was met.
    public var contents: [[UInt8]] {
        switch state {
        case .empty: []
        case .done(let payload, _): [payload]
        case .legacy(let pieces): pieces.contents
        case .fountain(let symbols): symbols.contents
        }
    }
}

/// How many parts were read and how many it takes; a fountain code may ask for one or two more.
public struct TransferProgress: Hashable, Sendable {
    /// Different frames that were read.
    public var distinct: Int
    /// Frames that are needed at the least.
    public var needed: Int
}
