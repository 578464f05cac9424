import RaptorQ

/// The symbols of a fountain code that were read, and what can be made of them.
///
/// A payload is handed out when a symbol more than are needed fits it: nothing else tells apart the frames of two
/// payloads of the same size, or shows that a frame was made up. Only the symbols themselves show how repair symbols
/// are numbered: by a number that one of the two numberings never sends, or by a symbol more than are needed, which
/// fits a payload in the right numbering alone.
final class FountainSymbols {
    private let payloadSize: Int
    private let symbolSize: Int
    private let decoder: RaptorQDecoder
    /// Whether the numbering was given, or is proven.
    private var isNumberingKnown: Bool
    private var hasTriedOther = false
    /// Whether symbols came whose numbers depend on the numbering.
    private var hasRepair = false
    private let first: BlockParameters
    /// What each symbol was, so that another one with its number is noticed.
    private var hashes: [PayloadID: Int] = [:]
    /// What came of a payload of few symbols, as long as its numbering is not known.
    private var kept: [FountainFrame] = []
    /// Whether symbols contradict each other in every numbering, so that nothing can be made of them any more.
    private(set) var isMixed = false
    /// Whether a number came with two symbols. Nobody knows which one is wrong before a payload is confirmed.
    private(set) var isDisputed = false

    /// Up to so many symbols, one more than are needed does not tell the numbering: two repair symbols of a payload of
    /// one symbol fit the wrong numbering about once in a thousand times. With more symbols, it is ever less likely.
    private static let fewSymbols = 16
    private static let keptLimit = 4 * fewSymbols

    /// - Throws: ``TransferError/payloadTooLarge(size:limit:)`` before anything is taken for it, or
    ///   ``TransferError/malformedFrame(reason:)``.
    init(for frame: FountainFrame, limit: Int, numbering: SymbolNumbering?) throws(TransferError) {
        guard frame.payloadSize <= limit else { throw .payloadTooLarge(size: frame.payloadSize, limit: limit) }
        payloadSize = frame.payloadSize
        symbolSize = frame.symbol.count
        do {
            let parameters = try ObjectParameters.defaults(
                objectSize: payloadSize, maximumPayloadSize: symbolSize)
            guard parameters.symbolSize == symbolSize else {
                throw TransferError.malformedFrame(
                    reason: "symbols of \(symbolSize) bytes do not occur: from 64 on they are multiples of 8")
            }
            first = try parameters.block(0)
            // Where no block has padding, both numberings are the same.
            let last = try parameters.block(parameters.sourceBlockCount - 1)
            isNumberingKnown = numbering != nil || first.isUnpadded && last.isUnpadded
            decoder = RaptorQDecoder(parameters: parameters, numbering: numbering ?? .vault)
        } catch let error as TransferError {
            throw error
        } catch {
            throw .malformedFrame(reason: "\(error)")
        }
    }

    /// - Returns: whether the symbol is a new one.
    func add(_ frame: FountainFrame) throws(TransferError) -> Bool {
        guard frame.payloadSize == payloadSize else {
            throw .conflictingPayloads(was: payloadSize, found: frame.payloadSize)
        }
        guard frame.symbol.count == symbolSize else {
            throw .conflictingFrameSize(
                was: symbolSize + FountainFrame.headSize, found: frame.symbol.count + FountainFrame.headSize)
        }
        guard !isMixed else { throw .mixedTransfers }
        let hash = Self.hash(of: frame.symbol)
        guard hashes[frame.id, default: hash] == hash else {
            isDisputed = true
            throw .mixedTransfers
        }
        do {
            let reception = try decoder.receive(frame.symbol, id: frame.id)
            if reception != .surplus { hashes[frame.id] = hash }
            keep(frame)
            if frame.id.symbol >= UInt32(first.sourceSymbolCount) { hasRepair = true }
            switch reception {
            case .stored, .recovered: return true
            case .duplicate, .surplus: return false
            case .padding:
                guard !isNumberingKnown else { return false }
                // The vault numbering never sends such a number.
                isNumberingKnown = true
                try decoder.renumber(.rfc6330)
                return true
            }
        } catch {
            switch error {
            case .conflictingSymbols:
                hasRepair = true
                keep(frame)
                try tryOther()
                return true
            case let other: throw .malformedFrame(reason: other.description)
            }
        }
    }

    /// All bytes at once: `hashValue` of an array takes them one by one, ten times as long.
    private static func hash(of symbol: [UInt8]) -> Int {
        var hasher = Hasher()
        symbol.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Puts the symbols together in the other numbering, once.
    private func tryOther() throws(TransferError) {
        guard !isNumberingKnown, !hasTriedOther else { throw mixed() }
        hasTriedOther = true
        do { try decoder.renumber(decoder.numbering.other) } catch { throw mixed() }
    }

    private func mixed() -> TransferError {
        isMixed = true
        return .mixedTransfers
    }

    /// The payload, once it is whole and confirmed.
    func payload() throws(TransferError) -> [UInt8]? {
        guard !isMixed, decoder.isComplete, isChecked else { return nil }
        guard isSmall else { return try object() }
        let found = try payloadsByNumbering()
        return found.count == 1 ? found[0] : nil
    }

    /// The payload where no more symbols come, confirmed or not.
    ///
    /// - Throws: ``TransferError/unableToDecode(distinct:needed:)``; ``TransferError/numberingUnknown`` where both
    ///   numberings give a payload and nothing tells which is right.
    func finish() throws(TransferError) -> [UInt8] {
        guard !isMixed, !isDisputed else { throw .mixedTransfers }
        guard decoder.isComplete else {
            throw .unableToDecode(distinct: progress.distinct, needed: progress.needed)
        }
        if isSmall { return try decide(between: payloadsByNumbering()) }
        let one = try object()
        if isChecked || isNumberingKnown || !hasRepair { return one }
        try? decoder.renumber(decoder.numbering.other)
        guard decoder.isComplete, let other = try? object(), one != other else { return one }
        return try decide(between: [one, other])
    }

    private func decide(between payloads: [[UInt8]]) throws(TransferError) -> [UInt8] {
        if payloads.count == 1 { return payloads[0] }
        // Messages for signers begin with the letter S.
        let marked = payloads.filter { $0.first == UInt8(ascii: "S") }
        guard marked.count == 1 else { throw .numberingUnknown }
        return marked[0]
    }

    /// Whether symbols have to be tried in both numberings, all of them.
    private var isSmall: Bool {
        !isNumberingKnown && hasRepair && decoder.parameters.symbolCount <= Self.fewSymbols
    }

    private func keep(_ frame: FountainFrame) {
        guard !isNumberingKnown, decoder.parameters.symbolCount <= Self.fewSymbols, kept.count < Self.keptLimit else {
            return
        }
        if !kept.contains(where: { $0.id == frame.id }) { kept.append(frame) }
    }

    /// The payloads that all symbols fit, each in a numbering of its own; one, where both give the same.
    private func payloadsByNumbering() throws(TransferError) -> [[UInt8]] {
        let found = [SymbolNumbering.vault, .rfc6330].compactMap { try? payload(in: $0) }
        guard let first = found.first else { throw mixed() }
        return found.allSatisfy { $0 == first } ? [first] : found
    }

    /// - Returns: nil where the symbols do not fit the payload that they give.
    /// - Throws: ``RaptorQError`` where they give none.
    private func payload(in numbering: SymbolNumbering) throws -> [UInt8]? {
        let decoder = RaptorQDecoder(parameters: self.decoder.parameters, numbering: numbering)
        for frame in kept where !decoder.isComplete { _ = try decoder.receive(frame.symbol, id: frame.id) }
        let payload = try decoder.object()
        let encoder = try RaptorQEncoder(payload, parameters: decoder.parameters, numbering: numbering)
        return try kept.allSatisfy { try encoder.symbol($0.id) == $0.symbol } ? payload : nil
    }

    private func object() throws(TransferError) -> [UInt8] {
        do { return try decoder.object() } catch { throw .mixedTransfers }
    }

    /// Whether symbols that were not needed have confirmed every block. A single symbol needs none where nobody has to
    /// know the numbering: in the wrong one, a repair symbol gives another payload.
    private var isChecked: Bool {
        decoder.parameters.symbolCount == 1 && (isNumberingKnown || !hasRepair)
            || (0..<decoder.parameters.sourceBlockCount).allSatisfy {
                (try? decoder.progress(block: $0).isChecked) ?? false
            }
    }

    var progress: TransferProgress {
        (0..<decoder.parameters.sourceBlockCount).reduce(into: TransferProgress(distinct: 0, needed: 0)) { sum, block in
            guard let progress = try? decoder.progress(block: block) else { return }
            // Symbols beyond those that a block needs do not help another.
            sum.distinct += min(progress.distinct, progress.sourceSymbolCount)
            sum.needed += progress.sourceSymbolCount
        }
    }

    var contents: [[UInt8]] {
        decoder.keptSymbols.map { FountainFrame(payloadSize: payloadSize, id: $0.id, symbol: $0.symbol).bytes }
    }
}

extension SymbolNumbering {
    fileprivate var other: SymbolNumbering { self == .vault ? .rfc6330 : .vault }
}
