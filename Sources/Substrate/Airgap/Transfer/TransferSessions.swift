import RaptorQ

/// Several transfers whose codes come mixed, as when two screens are in the picture: told apart by the sizes that their
/// frames name.
///
/// Two payloads of the same size in frames of the same size cannot be told apart, nor two of as many numbered pieces.
/// Once their frames contradict each other they are forgotten, and collecting begins anew, so that a film goes on
/// behind a frame that was made up; from then on only a payload that a further frame confirms is given out, or whose
/// numbered pieces each came twice.
public struct TransferSessions {
    private let limit: Int
    private let numbering: SymbolNumbering?
    /// Whether every transfer counts as one whose frames have contradicted each other.
    private let isSuspect: Bool
    private var sessions: [Session] = []
    /// Whether more than it takes vouches for the payload that was read last.
    package private(set) var isConfirmed = false

    /// Transfers at a time; codes of further ones are refused.
    package static let sessionLimit = 4

    private struct Session {
        let key: Key
        var reader: TransferReader
        var isDone = false
        /// Whether frames have contradicted each other.
        var isSuspect = false
    }

    private enum Key: Hashable {
        case fountain(payloadSize: Int, frameSize: Int)
        case legacy(count: Int)
        case whole([UInt8])
    }

    /// - Parameters: as of ``TransferReader/init(limit:numbering:)``, for each transfer.
    public init(limit: Int = 64 << 20, numbering: SymbolNumbering? = nil) {
        self.init(limit: limit, numbering: numbering, goingOnFromContradiction: false)
    }

    /// - Parameter goingOnFromContradiction: ``isContradicted`` of the reading whose ``openContents`` are read first.
    package init(limit: Int, numbering: SymbolNumbering?, goingOnFromContradiction: Bool) {
        self.limit = limit
        self.numbering = numbering
        isSuspect = goingOnFromContradiction
    }

    /// Takes the content of one QR symbol.
    ///
    /// - Returns: a payload only once.
    public mutating func read(_ content: [UInt8]) throws(TransferError) -> TransferReader.Outcome {
        let key: Key =
            switch try QRContent(content) {
            case .payload: .whole(content)
            case .legacyFrame(_, let count, _): .legacy(count: count)
            case .fountainFrame(let frame): .fountain(payloadSize: frame.payloadSize, frameSize: content.count)
            }
        // A code that happens to be in the picture does not take the place of what is under way.
        if case .whole = key, openCount > 0 { throw .dynamicInterruptedByStatic }
        let index: Int
        if let known = sessions.firstIndex(where: { $0.key == key }) {
            index = known
        } else {
            guard sessions.count(where: { !$0.isDone }) < Self.sessionLimit else { throw .tooManyTransfers }
            index = sessions.count
            let reader = TransferReader(limit: limit, numbering: numbering)
            sessions.append(
                Session(key: key, reader: isSuspect ? TransferReader(after: reader) : reader, isSuspect: isSuspect))
        }
        guard !sessions[index].isDone else { return .repeated }
        do throws(TransferError) {
            let outcome = try sessions[index].reader.read(content)
            if case .payload = outcome {
                sessions[index].isDone = true
                isConfirmed = sessions[index].reader.isConfirmed
            }
            return outcome
        } catch {
            if sessions[index].reader.isMixed {
                sessions[index].reader = TransferReader(after: sessions[index].reader)
                sessions[index].isSuspect = true
            } else if sessions[index].reader.progress == nil, isSuspect || !sessions[index].isSuspect {
                // What cannot even begin is not remembered.
                sessions.remove(at: index)
            }
            throw error
        }
    }

    /// Says that nothing more comes.
    ///
    /// - Returns: the payloads that are there although no further frame vouches for them.
    /// - Throws: the error of the transfer that came furthest, if there is no payload at all.
    public mutating func finish() throws(TransferError) -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        var failure: (error: TransferError, distinct: Int)?
        for index in sessions.indices where !sessions[index].isDone {
            do throws(TransferError) {
                guard !sessions[index].isSuspect else { throw TransferError.mixedTransfers }
                payloads.append(try sessions[index].reader.finish())
                sessions[index].isDone = true
            } catch {
                let distinct = sessions[index].reader.progress?.distinct ?? 0
                if distinct >= failure?.distinct ?? 0 { failure = (error, distinct) }
            }
        }
        let isAnyDone = sessions.contains(where: \.isDone)
        guard isAnyDone || !payloads.isEmpty else { throw failure?.error ?? .unableToDecode(distinct: 0, needed: 1) }
        return payloads
    }

    /// How far the transfer has come that misses the fewest parts; nil where none is under way.
    public var progress: TransferProgress? {
        sessions.filter { !$0.isDone }.compactMap(\.reader.progress).min {
            $0.needed - $0.distinct < $1.needed - $1.distinct
        }
    }

    /// Transfers that are under way.
    package var openCount: Int { sessions.count { !$0.isDone } }

    /// Whether frames of a transfer that is under way have contradicted each other. Its contents do not tell.
    package var isContradicted: Bool {
        isSuspect && sessions.isEmpty || sessions.contains { !$0.isDone && ($0.isSuspect || $0.reader.isDisputed) }
    }

    /// The contents that were of use and are not part of a payload yet, so that reading can go on another time.
    package var openContents: [[UInt8]] { sessions.filter { !$0.isDone }.flatMap(\.reader.contents) }
}
