/// The pieces of a payload in numbered frames.
final class LegacyPieces {
    let count: Int
    private let limit: Int
    private var pieces: [Int: [UInt8]] = [:]
    private var size = 0

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
        if let known = pieces[index] {
            guard known == data else { throw .sameNumber(index: index) }
            return false
        }
        guard size + data.count <= limit else { throw .payloadTooLarge(size: size + data.count, limit: limit) }
        pieces[index] = data
        size += data.count
        return true
    }

    var payload: [UInt8]? {
        guard pieces.count == count else { return nil }
        return (0..<count).flatMap { pieces[$0] ?? [] }
    }

    var contents: [[UInt8]] {
        pieces.sorted { $0.key < $1.key }.map { LegacyFrames.frame($0.value, index: $0.key, count: count) }
    }
}
