import Airgap
import PictureService
import RaptorQ

/// Reads payloads from what comes in: puts the contents of codes together.
public struct LinkReceiver {
    private var sessions: TransferSessions

    /// What was seen so far.
    public private(set) var counts = Counts()

    /// What was seen so far.
    public struct Counts: Hashable, Sendable {
        /// Pictures that came.
        public var pictures = 0
        /// Pictures in which nothing could be read.
        public var unread = 0
        /// Codes read, all of them.
        public var codes = 0
        /// Codes that brought something new.
        public var distinct = 0
        /// Codes that did not fit the others.
        public var refused = 0
    }

    /// The last code that did not fit.
    public private(set) var lastRefusal: TransferError?

    /// - Parameters:
    ///   - limit: bytes of a payload at the most.
    ///   - numbering: of repair symbols; nil finds it out.
    public init(limit: Int, numbering: SymbolNumbering? = nil) {
        self.init(limit: limit, numbering: numbering, goingOnFromContradiction: false)
    }

    /// - Parameter goingOnFromContradiction: ``isContradicted`` of the reading whose ``openContents`` are taken first.
    package init(limit: Int, numbering: SymbolNumbering?, goingOnFromContradiction: Bool) {
        sessions = TransferSessions(
            limit: limit, numbering: numbering, goingOnFromContradiction: goingOnFromContradiction)
    }

    /// A payload that is whole.
    package struct Received: Sendable {
        package var payload: [UInt8]
        /// Whether more codes than it takes fit it.
        package var isConfirmed: Bool

        package init(payload: [UInt8], isConfirmed: Bool) {
            (self.payload, self.isConfirmed) = (payload, isConfirmed)
        }
    }

    /// - Returns: payloads that are whole now.
    public mutating func take(_ item: LinkItem) -> [[UInt8]] { receive(item).map(\.payload) }

    /// - Returns: payloads that are whole now.
    package mutating func receive(_ item: LinkItem) -> [Received] {
        switch item {
        case .nothing: return []
        case .unread:
            counts.pictures += 1
            counts.unread += 1
            return []
        case .content(let content): return take(SeenCode(content: content)).map { [$0] } ?? []
        case .picture(let picture):
            counts.pictures += 1
            return picture.codes.compactMap { take($0) }
        }
    }

    /// - Returns: a payload that is whole now.
    package mutating func take(_ code: SeenCode) -> Received? {
        counts.codes += 1
        do throws(TransferError) {
            switch try sessions.read(code.message()) {
            case .payload(let payload):
                counts.distinct += 1
                return Received(payload: payload, isConfirmed: sessions.isConfirmed)
            case .new: counts.distinct += 1
            case .repeated: break
            }
        } catch {
            counts.refused += 1
            lastRefusal = error
        }
        return nil
    }

    /// Says that nothing more comes.
    ///
    /// - Returns: payloads that are whole although no further frame vouches for them.
    public mutating func finish() throws(TransferError) -> [[UInt8]] { try sessions.finish() }

    /// How far the transfer has come that misses the fewest parts; nil where none is under way.
    public var progress: TransferProgress? { sessions.progress }

    /// Whether codes of a transfer that is under way have contradicted each other.
    package var isContradicted: Bool { sessions.isContradicted }

    /// What was of use and is no payload yet.
    public var openContents: [[UInt8]] { sessions.openContents }
}

extension SeenCode {
    /// The content of a code that is not one of several that hold a message between them.
    ///
    /// - Throws: ``TransferError/partOfMessage(index:count:)`` for one that is.
    package func message() throws(TransferError) -> [UInt8] {
        if let part { throw .partOfMessage(index: part.index, count: part.count) }
        return content
    }
}
