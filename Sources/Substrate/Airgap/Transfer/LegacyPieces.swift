/// The pieces of a payload in numbered frames.
///
/// A frame says nothing of its payload but how many pieces that has: pieces of two payloads of as many fit each other.
/// Only one that comes again shows that it does not belong to them, or that it does.
final class LegacyPieces {
    let count: Int
    private let limit: Int
    private var pieces: [Int: [UInt8]] = [:]
    private var size = 0
    /// Those that came again as they were.
    private var repeated: Set<Int> = []
    /// Whether a number came with two pieces, so that nobody knows which of them belongs to the others.
    private(set) var isMixed = false

    init(count: Int, limit: Int) {
        self.count = count
        self.limit = limit
    }

    var isEmpty: Bool { pieces.isEmpty }
    var distinct: Int { pieces.count }

    /// - Returns: whether the piece is a new one.
    func add(_ data: [UInt8], index: Int, count: Int) throws(TransferError) -> Bool {
        guard count == self.count else { throw .conflictingLegacyLengths(was: self.count, found: count) }
        guard index < count else { throw .lengthExceeded(index: index, count: count) }
        guard !isMixed else { throw .mixedTransfers }
        if let known = pieces[index] {
            guard known == data else {
                isMixed = true
                throw .sameNumber(index: index)
            }
            repeated.insert(index)
            return false
        }
        guard size + data.count <= limit else { throw .payloadTooLarge(size: size + data.count, limit: limit) }
        pieces[index] = data
        size += data.count
        return true
    }

    /// Whether each piece came again as it was, or is all there is.
    var isConfirmed: Bool { count == 1 ? !isEmpty : repeated.count == count }

    var payload: [UInt8]? {
        guard pieces.count == count, !isMixed else { return nil }
        return (0..<count).flatMap { pieces[$0] ?? [] }
    }

    var contents: [[UInt8]] {
        pieces.sorted { $0.key < $1.key }.map { LegacyFrames.frame($0.value, index: $0.key, count: count) }
    }
}
